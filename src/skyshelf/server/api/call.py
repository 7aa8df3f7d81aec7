"""One call of an endpoint as its handler sees it, and the kinds of handlers."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from operator import attrgetter
from typing import Any

import msgspec
from starlette.requests import Request

from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.kinds import Kind
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
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

    def check_content_type(self) -> None:
        """Refuse a body that is declared as something else than the endpoint takes."""
        given = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if given != self.endpoint.body_kind:
            raise ServiceError(codes.WRONG_CONTENT_TYPE, f"Send {self.endpoint.body_kind}")

    @property
    def prefix(self) -> str:
        """The prefix of the paths that clients use."""
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
    answer: object = None
    headers: Mapping[str, str] = {}


class HandlerKind(Enum):
    """Where a handler runs."""

    THREADED = auto()
    """Runs in a worker thread; a request without a body is handed over only once."""

    PASSWORD = auto()
    """Runs in one of the few threads that hash passwords, after the handler's precheck."""

    IMPORT = auto()
    """Runs in one of the few threads for work on many contacts."""

    ASYNC = auto()
    """Runs on the event loop: streams the request's body or the response, and returns the response."""


class Handler(msgspec.Struct, frozen=True):
    """A function that handles calls of an endpoint.

    In a thread it returns a value for the JSON body: a model or a list of them, JSON in bytes, a Reply with one of
    these, or None for an empty answer. It may also return a whole response.
    """

    handle: Callable[[Call], Any]
    kind: HandlerKind = HandlerKind.THREADED
    enters: Kind | None = None
    """The kind of work that the whole request counts as, until its response is sent."""
    at_once: Callable[[Call], Any] | None = None
    """Handles a call on the event loop if it reads only a few rows; raises NotAtOnce if it would have to wait."""
    remembered_ms: int = 0
    """How long an answer of `at_once` stays valid while nothing is committed; 0 if it is not remembered."""
    precheck: Callable[[Call], None] | None = None
    """Refuses a call that needs no hashing to be refused, before it waits for one of the password threads."""
    must_wait: Callable[[Request], bool] | None = None
    """Whether the head alone shows that `at_once` cannot answer."""


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

    The arguments are attributes of the call or keys of its path, in the function's order. If the function returns
    nothing, `answer` is sent. `at_once` means that it reads only a few rows.
    """
    case = UseCase(function, arguments, answer, tuple(map(_getter, arguments)))
    return Handler(case, kind, at_once=case if at_once else None, remembered_ms=remembered_ms, precheck=precheck)


def _getter(argument: str) -> Callable[[Call], Any]:
    if argument in PATH_PARAMETERS:
        return lambda call: call.keys[argument]
    return attrgetter(argument)
