"""The lying proxy: what is between a client and the server of the simulation."""

import random
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import DecodeError, json
from tests.desktop.simulator.moments import Moments
from tests.desktop.simulator.service import Direct, Service

from skyshelf.client.errors import NetworkError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest

KINDS: Final = (
    "cut before",
    "cut after",
    "late",
    "unavailable",
    "unavailable after",
    "nothing",
    "nothing after",
    "short",
    "repeated",
    "stale",
)
_PLAUSIBLE: Final = frozenset({"short", "stale"})
"""Lies that look like an answer. A run has one at most: no client knows better than a server that repeats them."""

_NOTHING: Final = (b"", b"{}", b"[]", b"null", b'{"objects":null}', b'{"error":"x"}', b"<html>login</html>")
_JSON: Final = {"content-type": "application/json"}
_REFUSALS: Final = ((200, b"{}"), (404, b""), (403, b""), (500, b""), (503, b""))


class Proxy(Direct):
    """Passes requests on, unless a fault is due; `racing` are changes by others that happen at a request."""

    def __init__(self, service: Service, moments: Moments, chance: random.Random) -> None:
        super().__init__(service)
        self.count: dict[str, int] = {}
        """How often each kind of fault came up."""
        self._moments = moments
        self._chance = chance
        self._earlier: dict[str, BufferedResponse] = {}
        self.begin()

    def begin(self) -> None:
        """Begin a run without faults."""
        self._number = 0
        self._faults: dict[int, str] = {}
        self._refused: tuple[int, tuple[int, bytes]] | None = None
        self._folder: str | None = None
        self._late: list[PlannedRequest] = []
        self.racing: dict[int, Callable[[], Awaitable[None]]] = {}
        self.rival: Callable[[], Awaitable[None]] | None = None
        """Changes a file in the moment in which the program uploads one."""

    def plan_faults(self) -> None:
        """Plan the faults of a run."""
        chance = self._chance
        for _ in range(chance.randint(1, 4)):
            kind = chance.choice(KINDS)
            if kind in _PLAUSIBLE and _PLAUSIBLE & set(self._faults.values()):
                continue
            first = chance.choice((chance.randint(1, 12), chance.randint(1, 50)))
            times = 1 if kind in _PLAUSIBLE else chance.choice((1, 1, 4))
            self._faults |= dict.fromkeys(range(first, first + times), kind)
        if chance.random() < 0.15:
            self._refused = chance.randint(2, 12), chance.choice(_REFUSALS)

    async def end(self) -> None:
        """Let late requests arrive."""
        for request in self._late:
            await self._ask(request)
        self.begin()

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        self._number += 1
        number = self._number
        self._moments.reached()
        if number in self.racing:
            with self._moments.paused():
                await self.racing.pop(number)()
        if self.rival is not None and request.is_write and request.path.startswith("/upload"):
            rival, self.rival = self.rival, None
            with self._moments.paused():
                await rival()
        if self._late and number % 3 == 0:
            await self._ask(self._late.pop())
        response = await self._lied(request, number)
        self._moments.reached()
        return response

    async def _lied(self, request: PlannedRequest, number: int) -> BufferedResponse:
        if (refused := self._of_refused_folder(request, number)) is not None:
            return refused
        kind = self._faults.get(number)
        if kind is None or (kind in _PLAUSIBLE | {"repeated"} and request.is_write):
            return await self._honest(request)
        self.count[kind] = self.count.get(kind, 0) + 1
        if kind == "late" and request.is_write:
            self._late.append(request)
        if kind in {"cut before", "late"}:
            raise NetworkError("the connection broke", method=request.method, path=request.path, may_have_happened=True)
        if kind == "unavailable":
            return BufferedResponse(self._chance.choice((500, 502, 503, 429)), {}, b"")
        if kind == "nothing":
            return BufferedResponse(200, _JSON, self._chance.choice(_NOTHING))
        honest = await self._honest(request)
        if kind == "cut after":
            raise NetworkError("the connection broke", method=request.method, path=request.path, may_have_happened=True)
        if kind == "unavailable after":
            return BufferedResponse(502, {}, b"")
        if kind == "nothing after":
            return BufferedResponse(200, _JSON, self._chance.choice(_NOTHING))
        return self._distorted(request, honest, kind)

    async def _ask(self, request: PlannedRequest) -> BufferedResponse:
        """Let the server answer: what it writes is nothing of this program."""
        with self._moments.paused():
            return await self.service.answer(request)

    async def _honest(self, request: PlannedRequest) -> BufferedResponse:
        response = await self._ask(request)
        if request.method == "GET" and response.status == 200:
            self._earlier.setdefault(request.url, response)
            if self._chance.random() < 0.3:
                self._earlier[request.url] = response
        return response

    def _distorted(self, request: PlannedRequest, honest: BufferedResponse, kind: str) -> BufferedResponse:
        if kind == "stale":
            return self._earlier.get(request.url, honest) if _listed(honest) is not None else honest
        found = _listed(honest)
        if not found or not found["objects"]:
            return honest
        objects = found["objects"]
        one = self._chance.choice(objects)
        changed = [*objects, one] if kind == "repeated" else [each for each in objects if each is not one]
        return BufferedResponse(200, _JSON, json.encode({**found, "objects": changed}))

    def _of_refused_folder(self, request: PlannedRequest, number: int) -> BufferedResponse | None:
        """Answer for a folder that has an error, from one listing on until the end of the run."""
        if self._refused is None or request.is_write or "folder" not in request.url.lower():
            return None
        begins, (status, body) = self._refused
        if self._folder is None and number >= begins:
            self._folder = request.url
        if self._folder != request.url:
            return None
        self.count["folder"] = self.count.get("folder", 0) + 1
        return BufferedResponse(status, _JSON, body)


def _listed(response: BufferedResponse) -> dict[str, list[object]] | None:
    """Return a page of a listing; None for anything else."""
    try:
        found = json.decode(response.body)
    except DecodeError:
        return None
    is_page = isinstance(found, dict) and isinstance(found.get("objects"), list)
    return found if is_page else None
