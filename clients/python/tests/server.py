"""The real server, on a free port, for tests and examples."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any, List, Optional

PROJECT = Path(__file__).resolve().parents[3]


def free_port() -> int:
    """Below the ports that the system hands out by itself: else a connection of anybody may take it meanwhile."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_768)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Server:
    """``peervote serve`` as a process of its own: from its sources in a checkout with its tools, else as built."""

    def __init__(self, *arguments: str, port: Optional[int] = None) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._arguments = arguments
        self._process: Optional["subprocess.Popen[bytes]"] = None

    def start(self) -> "Server":
        # A build may be older than the sources.
        sources = (PROJECT / "node_modules/tsx").exists()
        command: List[str] = ["node"]
        command += ["--import", "tsx", "src/cli/main.ts"] if sources else ["dist/cli/main.js"]
        command += ["serve", "--port", str(self.port), "--log-level", "warn", *self._arguments]
        self._process = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, "NO_COLOR": "1"})
        deadline = time.monotonic() + 60
        while True:
            try:
                self.get("/readyz")
                return self
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("The server did not start.") from None
                time.sleep(0.1)

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process = None

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=10) as reply:
            return json.loads(reply.read())

    def put(self, path: str, body: Any) -> Any:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data=data, method="PUT", headers={"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as reply:
            return json.loads(reply.read())

    def held(self, cohort: str) -> int:
        return int(self.get(f"/v1/cohorts/{cohort}")["held_requests"])

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: Any) -> None:
        self.stop()
