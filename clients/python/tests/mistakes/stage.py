"""Where the scenes of run.py are played: a server, and trainers as processes of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from server import Server  # noqa: E402


class Job:
    """A trainer's process, and each line of its log with the second at which it came."""

    def __init__(self, script: str, *arguments: str, env: Optional[Dict[str, str]] = None) -> None:
        self.lines: List[Tuple[float, str]] = []
        self.ready_at: Optional[float] = None
        command = [sys.executable, str(HERE / script), *arguments]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            now = time.monotonic()
            if line.startswith("ready") and self.ready_at is None:
                self.ready_at = now
            self.lines.append((now, line.rstrip()))

    def find(self, pattern: str) -> Optional[Tuple[float, str]]:
        return next(((at, line) for at, line in list(self.lines) if re.search(pattern, line)), None)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(5)


class Stage:
    """One server with a cohort for each scene."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.folder = Path(tempfile.mkdtemp())
        self.cohort = ""

    def open(self, name: str, settings: Dict[str, Any]) -> None:
        self.cohort = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
        body = {"agents": ["a", "b"], "k": 8, "answers": {"mode": "raw"}, **settings}
        request = urllib.request.Request(
            f"{self.server.url}/v1/cohorts/{self.cohort}",
            data=json.dumps(body).encode(),
            method="PUT",
            headers={"content-type": "application/json"},
        )
        urllib.request.urlopen(request).read()

    def trl(self, agent: str, *arguments: str, url: Optional[str] = None, env: Optional[Dict[str, str]] = None) -> Job:
        arch = ["--arch", "llama"] if agent == "b" and "--arch" not in arguments else []
        seed = [] if "--seed" in arguments else ["--seed", "2" if agent == "b" else "1"]
        where = ["--url", url or self.server.url, "--cohort", self.cohort, "--agent", agent]
        return Job("job.py", *where, *arch, *seed, *arguments, env=env)

    def openrlhf(self, path: str, *label: str) -> Job:
        return Job("openrlhf_job.py", f"{self.server.url}{path.format(self.cohort)}", *label)
