"""One call of an endpoint as its handler sees it, and the kinds of handlers."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from operator import attrgetter
from typing import Any

import msgspec
from starlette.requests import Request

from skyshelf.server.http.admission.admission import Admission
from skyshelf.server.http.admission.kinds import Kind
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.wire.endpoint import PATH_PARAMETERS, Endpoint
from skyshelf.wire.public_url import path_of


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A checked and decoded request; query, headers and body have the types that the endpoint names."""

    ctx: ServiceContext
    threads: Threads
    request: Request
    endpoint: Endpoint
    origin: str
    address: str
    keys: Mapping[str, str]
    query: Any = None
    headers: Any = None
    body: Any = None
    known_caller: Caller | None = None

    @property
    def prefix(self) -> str:
        """What the paths that clients use begin with."""
        return path_of(self.origin)

    @property
    def path(self) -> str:
        """The endpoint's path as clients use it."""
        return self.prefix + self.endpoint.path

    @property
    def admission(self) -> Admission:
        return self.threads.admission

    @property
    def caller(self) -> Caller:
        """The account and session of the caller; every endpoint but the public ones has one."""
        assert self.known_caller is not None
        return self.known_caller


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer with additional headers."""

    answer: object = None
    headers: Mapping[str, str] = {}


class NotAtOnce(Exception):
    """The call has to wait for something, so it needs a thread."""


class HandlerKind(Enum):
    """Where a handler runs."""

    THREADED = auto()
    """In a worker thread, which a request without a body enters only once."""

    PASSWORD = auto()
    """In one of a few threads that hash passwords, after the handler's precheck."""

    IMPORT = auto()
    """In one of a few threads for work on many contacts."""

    ASYNC = auto()
    """On the event loop: it streams the request's body or the response, and returns the response."""


class Handler(msgspec.Struct, frozen=True):
    """A function that handles calls of an endpoint.

    In a thread it returns what is encoded as JSON: a model or a list of them, JSON in bytes, a Reply with one of these,
    None for an empty answer. It may also return a whole response.
    """

    handle: Callable[[Call], Any]
    kind: HandlerKind = HandlerKind.THREADED
    enters: Kind | None = None
    """The kind of work that the whole request counts as, until its response is sent."""
    at_once: Callable[[Call], Any] | None = None
    """The same on the event loop, for a call that reads a few rows at most; NotAtOnce where it would have to wait."""
    remembered_ms: int = 0
    """How long such an answer is the same, as long as nothing is committed; 0 if it is not remembered."""
    precheck: Callable[[Call], None] | None = None
    """Refuses what needs no password to be refused, before the call waits for one of the threads for passwords."""


class UseCase(msgspec.Struct, frozen=True):
    """A handler function that only passes arguments on to the service; the getters are prepared once, at start-up."""

    function: Callable[..., Any]
    arguments: tuple[str, ...]
    answer: object
    getters: tuple[Callable[[Call], Any], ...]

    def __call__(self, call: Call) -> object:
        result = self.function(*[get(call) for get in self.getters])
        return self.answer if result is None else result


def use(
    function: Callable[..., Any],
    *arguments: str,
    kind: HandlerKind = HandlerKind.THREADED,
    precheck: Callable[[Call], None] | None = None,
    answer: object = None,
    at_once: bool = False,
    remembered_ms: int = 0,
) -> Handler:
    """Bind an endpoint to a use case.

    The arguments are attributes of the call or keys of its path, in the function's order. Where the function returns
    nothing, `answer` is sent. `at_once` says that it reads a few rows at most.
    """
    case = UseCase(function, arguments, answer, tuple(map(_getter, arguments)))
    return Handler(case, kind, at_once=case if at_once else None, remembered_ms=remembered_ms, precheck=precheck)


def _getter(argument: str) -> Callable[[Call], Any]:
    if argument in PATH_PARAMETERS:
        return lambda call: call.keys[argument]
    return attrgetter(argument)
