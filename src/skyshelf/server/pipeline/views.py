"""Pages, and small calls outside the interface, as operations."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.error_responses import response_for
from skyshelf.server.pipeline.bodies import Body
from skyshelf.server.pipeline.operation import Credential, Identify, Operation
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.accounts.leave import Needs
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

View = Callable[[ServerRequest], Awaitable[Response]]
AppView = Callable[[ServerRequest, App], Awaitable[Response]]
Refuse = Callable[[ServerRequest, Exception], Response]
Prepare = Callable[[], Awaitable[None]]


ANY_APP: Final = Needs()
"""What every app may call."""


class Views:
    """A set of views; subclasses list their routes."""

    def __init__(self, ctx: ServiceContext, threads: Threads) -> None:
        self._ctx = ctx
        self._threads = threads


def plain_refusal(_: ServerRequest, problem: Exception) -> Response:
    """Return an error in the form of the interface."""
    return response_for(problem)


async def nothing_to_prepare() -> None:
    """Stand for a view that has all it needs."""


class ViewOperation(Operation):
    """An async function that creates the response, open to anybody."""

    def __init__(
        self,
        name: str,
        view: View,
        refuse: Refuse,
        *,
        prepare: Prepare = nothing_to_prepare,
        has_body: bool,
        is_admitted: bool,
    ) -> None:
        self.name = name
        self._view = view
        self._refuse = refuse
        self._prepare = prepare
        self.has_body = has_body
        self.is_admitted = is_admitted

    async def prepare(self) -> None:
        await self._prepare()

    async def answer(self, request: ServerRequest, identify: Identify) -> Response:  # noqa: ARG002
        await self._prepare()
        return await self._view(request)

    def refusal(self, request: ServerRequest, problem: Exception) -> Response:
        return self._refuse(request, problem)


class AppOperation(Operation):
    """A view for an app with a password, which needs no right to write files, unless it says so."""

    credential = Credential.APP_PASSWORD

    def __init__(
        self,
        name: str,
        view: AppView,
        refuse: Refuse,
        threads: Threads,
        *,
        has_body: bool = False,
        needs_write_mode: bool = False,
        needs: Needs = ANY_APP,
    ) -> None:
        self.name = name
        self.needs = needs
        self._view = view
        self._refuse = refuse
        self._threads = threads
        self.has_body = has_body
        self.needs_write_mode = needs_write_mode

    async def answer(self, request: ServerRequest, identify: Identify) -> Response:
        if not request.is_identified:
            await self._threads.call(lambda: identify(request))
        assert request.identity is not None
        assert request.identity.app is not None
        return await self._view(request, request.identity.app)

    def refusal(self, request: ServerRequest, problem: Exception) -> Response:
        return self._refuse(request, problem)


def view_route(
    path: str,
    name: str,
    view: View,
    methods: Iterable[str] = ("GET",),
    *,
    refuse: Refuse = plain_refusal,
    prepare: Prepare = nothing_to_prepare,
    is_admitted: bool = True,
) -> Route:
    """Return a route to the view, whose name appears in the access log and the metrics."""
    methods = tuple(methods)
    operation = ViewOperation(name, view, refuse, prepare=prepare, has_body="POST" in methods, is_admitted=is_admitted)
    return Route(path, methods, operation)


FORM: Final = "application/x-www-form-urlencoded"
_FIELDS_MAX: Final = 8


async def read_form(request: Request, most: int) -> dict[str, str]:
    """Return the fields of a form. A form that is too long, has too many fields or is not UTF-8 gets a 4xx."""
    kind = request.headers.get("content-type", FORM).partition(";")[0].strip().lower()
    if kind != FORM:
        raise ServiceError(codes.WRONG_CONTENT_TYPE, f"Send {FORM}")
    body = await Body.of(request).all(most)
    try:
        # The text of a form is ASCII; other characters, which older clients send, must be UTF-8.
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS_MAX, errors="strict")
    except ValueError as wrong:
        raise ServiceError(codes.INVALID_REQUEST, f"Send at most {_FIELDS_MAX} fields, in UTF-8") from wrong
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ServiceError(codes.INVALID_REQUEST, "The form has a field twice")
    return fields
