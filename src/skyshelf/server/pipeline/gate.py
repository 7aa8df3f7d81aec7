"""The gate refuses a request before anything reads it, if its head is too large or its client has too many.

A refused request continues without its head: it gets a request id and a log line, and is counted like any other.
"""

from typing import Final

from starlette.responses import Response
from starlette.types import Scope

from skyshelf.server.connections.evictions import PRESSURE, Limits
from skyshelf.server.connections.traffic import Visit, Visits, plain_address
from skyshelf.server.http.error_responses import error_response
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.pipeline.bodies import Body, DrainingResponse
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.limits import HEADER_BYTES_MAX, TARGET_BYTES_MAX

CONNECTIONS_PER_ADDRESS: Final = 256
"""Maximum connections, and requests in progress, of one client address in a process; a setting of the server."""

RETRY_SECONDS: Final = 5
_FULL: Final = 0.95
# Under pressure, one client may have this share of all connections at work.
_FAIR_SHARE: Final = 1 / 16
# Long enough for bytes already in flight: a refused client must not hold a connection.
_LINGER_SECONDS: Final = 1
_LINGER_IDLE_SECONDS: Final = 0.1


class Gate:
    """Admits requests, and knows which are in progress."""

    def __init__(self, counts: WorkerCounts, limits: Limits) -> None:
        self._counts = counts
        self._limits = limits
        self._fair_share = max(4, int(limits.connections * _FAIR_SHARE))
        self._pressure = 0.0
        self.visits = Visits()

    def set_pressure(self, pressure: float) -> None:
        """Set the fraction of connections or descriptors that is in use."""
        self._pressure = pressure

    def lets_pass(self, request: ServerRequest) -> bool:
        """Return whether a request may be answered at once, without counting as one in progress."""
        return self._pressure < PRESSURE and not self._is_crowded(request.head.network)

    def passed(self, request: ServerRequest) -> None:
        self.visits.passed(_peer(request.scope))

    def begin(self, request: ServerRequest) -> Visit:
        """Count a request as in progress until `end`; it is refused if there are too many."""
        visit = Visit(_peer(request.scope), request.head.network)
        if request.refused is None:
            request.refused = self._problem_of_crowd(visit)
        visit.is_refused = request.refused is not None
        self.visits.begin(request.scope, visit)
        return visit

    def refusal(self, request: ServerRequest, problem: ErrorCode) -> Response:
        """Return the response to a refused request. It ends the connection, since what follows is an unread body."""
        self._counts.refused_requests[str(problem.status)] += 1
        headers = {"connection": "close"}
        if problem.status == codes.SERVER_BUSY.status:
            headers["retry-after"] = str(RETRY_SECONDS)
        response = error_response(problem, headers=headers)
        return DrainingResponse(response, Body.of(request), _LINGER_SECONDS, _LINGER_IDLE_SECONDS)

    def _is_crowded(self, network: str) -> bool:
        """Return whether a client has too much in progress."""
        return self.visits.of_address(network) >= self._limits.per_address and not self._limits.is_exempt(network)

    def _problem_of_crowd(self, visit: Visit) -> ErrorCode | None:
        """Return why a request is refused if its client, or all together, have too much in progress."""
        if self._pressure >= PRESSURE:
            if self._pressure >= _FULL or self.visits.of_address(visit.address) >= self._fair_share:
                return codes.SERVER_BUSY
        elif self._is_crowded(visit.address):
            return codes.SERVER_BUSY
        return None


def problem_of_target(scope: Scope) -> ErrorCode | None:
    """Return why a request is refused for its path and query alone."""
    size = len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"])
    return codes.TARGET_TOO_LONG if size >= TARGET_BYTES_MAX else None


def problem_of_headers(scope: Scope) -> ErrorCode | None:
    """Return why a request is refused for the size of its headers."""
    size = sum([len(name) + len(value) for name, value in scope["headers"]])
    return codes.HEADERS_TOO_LARGE if size > HEADER_BYTES_MAX else None


def without_head(scope: Scope) -> Scope:
    """Return the request without anything that would take time to read."""
    return {**scope, "path": "/", "raw_path": b"/", "query_string": b"", "headers": []}


def _peer(scope: Scope) -> tuple[str, int]:
    client = scope.get("client")
    return (plain_address(str(client[0])), int(client[1])) if client else ("", 0)
