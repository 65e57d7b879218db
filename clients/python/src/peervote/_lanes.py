"""Any number of requests at a time, over several small pools of connections."""

from __future__ import annotations

import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import AsyncGenerator, List, Mapping, Optional

import httpx

from ._base import HEADERS, POOL

#: Requests in flight in one pool. httpx looks through its whole pool again for each request and each connection in it:
#: 512 requests at a time in one pool take minutes.
PER_LANE = 16


@dataclass
class _Lane:
    http: httpx.AsyncClient
    in_flight: int = 0


class Lanes:
    def __init__(self, url: str, headers: Mapping[str, str], proxy: Optional[str]) -> None:
        self._url = url
        self._proxy = proxy
        self._headers = {**HEADERS, **headers}
        self._lanes: List[_Lane] = []
        self._tls: Optional[ssl.SSLContext] = None

    @asynccontextmanager
    async def lane(self) -> AsyncGenerator[httpx.AsyncClient, None]:
        """A pool with room; never waits for one."""
        lane = next((lane for lane in self._lanes if lane.in_flight < PER_LANE), None) or self._open()
        lane.in_flight += 1
        try:
            yield lane.http
        finally:
            lane.in_flight -= 1

    async def close(self) -> None:
        lanes, self._lanes = self._lanes, []
        for lane in lanes:
            await lane.http.aclose()

    def _open(self) -> _Lane:
        if self._tls is None:
            # Reading the certificates takes longer than a request. Those that the environment names are among them.
            self._tls = httpx.create_ssl_context()
        http = httpx.AsyncClient(
            base_url=self._url,
            headers=self._headers,
            limits=POOL,
            verify=self._tls,
            proxy=self._proxy,
            trust_env=False,
        )
        lane = _Lane(http)
        self._lanes.append(lane)
        return lane
