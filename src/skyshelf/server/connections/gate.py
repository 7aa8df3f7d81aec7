"""The gate: before anything reads a request, it is refused if its head is too large or its client has too many.

A refused request goes on without its head to the access log, so it gets a request id and is counted like any other.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from skyshelf.server.connections.evictions import PRESSURE, Limits
from skyshelf.server.connections.sockets import plain_address
from skyshelf.server.http.bodies import Body, DrainingResponse
from skyshelf.server.http.error_responses import error_response
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.visits import Visit, Visits
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.service.networks import network_of
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.limits import HEADER_BYTES_MAX, TARGET_BYTES_MAX

CONNECTIONS_PER_ADDRESS: Final = 256
"""connections, and requests in progress, of one client address in a process; a setting of the server."""

RETRY_SECONDS: Final = 5
_FULL: Final = 0.95
# With hardly a place left, one client may have this share of all connections at work.
_FAIR_SHARE: Final = 1 / 16
_REFUSED: Final = "skyshelf.refused"
# Long enough for what is already under way: a refused client must not keep a place.
_LINGER_SECONDS: Final = 1
_LINGER_IDLE_SECONDS: Final = 0.1


class Gate:
    """Admits requests, and knows which are in progress."""

    def __init__(self, proxies: Proxies, counts: WorkerCounts, limits: Limits) -> None:
        self._proxies = proxies
        self._counts = counts
        self._limits = limits
        self._fair_share = max(4, int(limits.connections * _FAIR_SHARE))
        self._pressure = 0.0
        self.visits = Visits()

    def set_pressure(self, pressure: float) -> None:
        """How much of what there is, connections or descriptors, is in use."""
        self._pressure = pressure

    def around(self, app: ASGIApp, log: Callable[[ASGIApp], ASGIApp]) -> ASGIApp:
        """The application behind the gate, with its log in between."""
        logged = log(self._refusing(app))

        async def admit(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await logged(scope, receive, send)
                return
            problem = _problem_of_head(scope)
            if problem is not None:
                scope = _without_head(scope, problem)
            visit = self._visit(scope)
            if problem is None:
                scope[_REFUSED] = self._problem_of_crowd(visit)
            visit.is_refused = scope[_REFUSED] is not None
            self.visits.begin(scope, visit)
            try:
                await logged(scope, receive, send)
            finally:
                self.visits.end(visit)

        return admit

    def is_open_to(self, scope: Scope, *, is_known: bool) -> bool:
        """Whether a request with this head can be answered in this moment; known headers are small enough."""
        if self._pressure >= PRESSURE or _is_too_long(scope):
            return False
        return is_known or _problem_of_head(scope) is None

    def is_crowded(self, network: str) -> bool:
        """Whether a client has too much in progress."""
        return self.visits.of_address(network) >= self._limits.per_address and not self._limits.is_exempt(network)

    @contextmanager
    def in_progress(self, scope: Scope) -> Iterator[None]:
        """A request that is answered before the framework, and not in the moment it came."""
        visit = self._visit(scope)
        self.visits.begin(scope, visit)
        try:
            yield
        finally:
            self.visits.end(visit)

    def note_passed(self, scope: Scope) -> None:
        """A request was answered in the moment it came."""
        self.visits.passed(_peer(scope), is_http2=_is_http2(scope))

    def network(self, request: Request) -> str:
        """Whose request it is, as far as the address says."""
        return network_of(self._proxies.address(request))

    def _refusing(self, app: ASGIApp) -> ASGIApp:
        async def refuse_or_go_on(scope: Scope, receive: Receive, send: Send) -> None:
            problem: ErrorCode | None = scope.get(_REFUSED)
            if problem is None:
                await app(scope, receive, send)
                return
            self._counts.refused(str(problem.status))
            # What follows on this connection is the unread rest of a request.
            headers = {"connection": "close"} if scope.get("http_version", "1.1") < "2" else {}
            if problem.status == codes.SERVER_BUSY.status:
                headers["retry-after"] = str(RETRY_SECONDS)
            body = Body.of(Request(scope, receive))
            response = error_response(problem, headers=headers)
            await DrainingResponse(response, body, _LINGER_SECONDS, _LINGER_IDLE_SECONDS)(scope, receive, send)

        return refuse_or_go_on

    def _visit(self, scope: Scope) -> Visit:
        return Visit(_peer(scope), self.network(Request(scope)), is_http2=_is_http2(scope))

    def _problem_of_crowd(self, visit: Visit) -> ErrorCode | None:
        """Whether the client, or everybody together, has too much in progress."""
        if self._pressure >= PRESSURE:
            if self._pressure >= _FULL or self.visits.of_address(visit.address) >= self._fair_share:
                return codes.SERVER_BUSY
        elif self.visits.of_address(visit.address) >= self._limits.per_address and not self._limits.is_exempt(
            visit.address
        ):
            return codes.SERVER_BUSY
        return None


def _peer(scope: Scope) -> tuple[str, int]:
    client = scope.get("client")
    return (plain_address(str(client[0])), int(client[1])) if client else ("", 0)


def _is_http2(scope: Scope) -> bool:
    return bool(scope.get("http_version", "1.1").startswith("2"))


def _is_too_long(scope: Scope) -> bool:
    return len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"]) >= TARGET_BYTES_MAX


def _problem_of_head(scope: Scope) -> ErrorCode | None:
    if _is_too_long(scope):
        return codes.TARGET_TOO_LONG
    if sum([len(name) + len(value) for name, value in scope["headers"]]) > HEADER_BYTES_MAX:
        return codes.HEADERS_TOO_LARGE
    return None


def _without_head(scope: Scope, problem: ErrorCode) -> Scope:
    """The request with nothing that would take time to read."""
    return {**scope, "path": "/", "raw_path": b"/", "query_string": b"", "headers": [], _REFUSED: problem}
