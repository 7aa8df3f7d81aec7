"""Simulated faults, for people who write clients.

`lag=2s` hides new objects from listings and the trash for that long; `throttle=0.05` answers that share of requests
with 429, and `fail=0.05` with a 5xx, half of them after the work was done, as in reality. The lag uses the times that
are stored with the objects, so all workers agree.
"""

import random
import re
from collections.abc import Callable

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from skyshelf.server.http.error_responses import error_response
from skyshelf.wire import error_codes as codes

_LISTINGS = {"/nms/metadata/defaultview/myfiles/v1": "createdDate", "/nms/metadata": "createdDate"}
_TRASH = {"/nms/trash": "lastUpdatedDate"}
_LAGGING = _LISTINGS | _TRASH
_EXEMPT = {"/healthz", "/livez", "/readyz", "/metrics"}
_FAULTS = (codes.INTERNAL, codes.STORE_UNAVAILABLE)


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """The faults and their frequency."""

    lag_ms: int = 0
    throttle: float = 0.0
    fail: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Simulation":
        """Parse `lag=2s,throttle=0.05,fail=0.05`; raises ValueError with a message for anything else."""
        found: dict[str, int | float] = {}
        for part in text.split(","):
            name, _, value = part.strip().partition("=")
            if name == "lag" and (time := re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s)", value)):
                found["lag_ms"] = round(float(time[1]) * (1 if time[2] == "ms" else 1000))
            elif name in {"throttle", "fail"} and re.fullmatch(r"0?\.[0-9]+|[01](\.0+)?", value):
                found[name] = float(value)
            else:
                raise ValueError(f"'{part}' is not one of lag=2s, throttle=0.05, fail=0.05")
        return msgspec.convert(found, cls)

    @property
    def sentence(self) -> str:
        return f"lag {self.lag_ms} ms, {self.throttle:.0%} throttled, {self.fail:.0%} failing"


class Simulator:
    """Wraps the application, inside the access log."""

    def __init__(
        self,
        app: ASGIApp,
        simulation: Simulation,
        now: Callable[[], int],
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._app = app
        self._simulation = simulation
        self._now = now
        self._chance = chance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _EXEMPT:
            await self._app(scope, receive, send)
        elif self._chance() < self._simulation.throttle:
            await error_response(codes.THROTTLED, headers={"retry-after": "1"})(scope, receive, send)
        elif self._chance() < self._simulation.fail:
            await self._fail(scope, receive, send)
        elif self._simulation.lag_ms and scope["method"] == "GET" and scope["path"] in _LAGGING:
            await self._lag(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _fail(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._chance() < 0.5:
            await self._app(scope, receive, _discard)
        fault = _FAULTS[int(self._chance() * len(_FAULTS))]
        await error_response(fault, "Simulated error")(scope, receive, send)

    async def _lag(self, scope: Scope, receive: Receive, send: Send) -> None:
        field, visible_from = _LAGGING[scope["path"]], self._now() - self._simulation.lag_ms
        start: Message = {}
        body = bytearray()

        async def gather(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            content = bytes(body)
            if start["status"] == 200:
                listing = msgspec.json.decode(content)
                listing["objects"] = [entry for entry in listing["objects"] if entry[field] <= visible_from]
                content = msgspec.json.encode(listing)
                MutableHeaders(scope=start)["content-length"] = str(len(content))
            await send(start)
            await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, gather)


async def _discard(message: Message) -> None:
    """Drop a message of the response."""
