"""A server that misbehaves on purpose, for people who write clients.

`lag=2s` keeps objects out of listings and of the trash for that long after they arrived there; `throttle=0.05` answers
that share of requests with 429, and `fail=0.05` with a 5xx, half of those after the work was done, as a real fault may.
The lag goes by the times that are stored with the objects, so that all workers agree on it.
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
_SPARED = {"/healthz", "/readyz", "/metrics"}
_FAULTS = (codes.INTERNAL, codes.STORE_UNAVAILABLE)


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """What goes wrong, and how often."""

    lag_ms: int = 0
    throttle: float = 0.0
    fail: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Simulation":
        """From `lag=2s,throttle=0.05,fail=0.05`; ValueError, with a sentence, for anything else."""
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
    """Stands between the log and the application."""

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
        if scope["type"] != "http" or scope["path"] in _SPARED:
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
            await self._app(scope, receive, _nowhere)
        fault = _FAULTS[int(self._chance() * len(_FAULTS))]
        await error_response(fault, "This fault is simulated")(scope, receive, send)

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
                listing["objects"] = [one for one in listing["objects"] if one[field] <= visible_from]
                content = msgspec.json.encode(listing)
                MutableHeaders(scope=start)["content-length"] = str(len(content))
            await send(start)
            await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, gather)


async def _nowhere(message: Message) -> None:
    """An answer that gets lost."""
