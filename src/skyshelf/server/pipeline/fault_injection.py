"""Simulated faults, for people who write clients.

`lag=2s` hides new objects from listings and the trash for that long; `throttle=0.05` answers that share of requests
with 429, and `fail=0.05` with a 5xx, half of them after the work was done, as in reality. The lag uses the times that
are stored with the objects, so all workers agree.
"""

import random
import re
from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response

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
    """Answers some requests with faults, and leaves new objects out of listings."""

    def __init__(
        self, simulation: Simulation, now: Callable[[], int], chance: Callable[[], float] = random.random
    ) -> None:
        self._simulation = simulation
        self._now = now
        self._chance = chance

    async def answer(self, request: Request, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Return the answer to a request, or a simulated fault instead."""
        path = request.scope["path"]
        if path in _EXEMPT:
            return await answer()
        if self._chance() < self._simulation.throttle:
            return error_response(codes.THROTTLED, headers={"retry-after": "1"})
        if self._chance() < self._simulation.fail:
            if self._chance() < 0.5:
                await answer()
            return error_response(_FAULTS[int(self._chance() * len(_FAULTS))], "Simulated error")
        response = await answer()
        if self._simulation.lag_ms and request.method == "GET" and path in _LAGGING and response.status_code == 200:
            return self._lagging(response, _LAGGING[path])
        return response

    def _lagging(self, response: Response, field: str) -> Response:
        """Return the listing without objects that are too new."""
        visible_from = self._now() - self._simulation.lag_ms
        listing = msgspec.json.decode(response.body)
        listing["objects"] = [entry for entry in listing["objects"] if entry[field] <= visible_from]
        kept = {name: value for name, value in response.headers.items() if name != "content-length"}
        return Response(msgspec.json.encode(listing), response.status_code, kept)
