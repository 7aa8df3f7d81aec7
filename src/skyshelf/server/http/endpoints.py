"""From the endpoint table to routes.

A request passes these steps: required headers, session, decoding into the endpoint's models, the handler, which calls
one use case, and encoding of its answer. Everything except reading the body happens in a worker thread.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.http.admission.kinds import BODIES, RESPONSES
from skyshelf.server.http.admission.requesters import Requesters
from skyshelf.server.http.authentication import (
    AcceptedApps,
    ByToken,
    check_required_headers,
    find_caller,
    nonce_cookie_name,
    session_cookie_name,
)
from skyshelf.server.http.bodies import Body, drain_body_after
from skyshelf.server.http.call import Call, Handler, HandlerKind, Reply
from skyshelf.server.http.cookies import Cookies
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.streamed import in_pieces
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import View, view_route
from skyshelf.service.audit.origins import note_caller
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import StoreFull
from skyshelf.wire.decoding import decode_body, decode_headers, decode_path, decode_query
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint
from skyshelf.wire.headers import JSON_UTF8
from skyshelf.wire.limits import JSON_BODY_BYTES_DEFAULT

_NO_STORE = {"cache-control": "no-store"}
HELD_BACK: Final = frozenset({401, 429, 503})
"""Refusals which a caller may get very often."""
_encode = msgspec.json.Encoder().encode


class Routes:
    """Creates a route for every endpoint."""

    def __init__(
        self,
        ctx: ServiceContext,
        threads: Threads,
        apps: AcceptedApps,
        proxies: Proxies,
        requesters: Requesters,
        *,
        on_write: Callable[[], None] = lambda: None,
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._apps = apps
        self._proxies = proxies
        self._requesters = requesters
        self._on_write = on_write

    def of(self, endpoints: Iterable[Endpoint], handlers: Mapping[str, Handler]) -> list[Route]:
        routes = [self._route(endpoint, handlers[endpoint.name]) for endpoint in endpoints]
        # "/nms/metadata/recent/objects" before "/nms/metadata/{object_key}": fixed paths win.
        return sorted(routes, key=lambda route: "{" in route.path)

    def _route(self, endpoint: Endpoint, handler: Handler) -> Route:
        responder = self._responder(endpoint, handler)

        async def view(request: Request) -> Response:
            try:
                check_required_headers(endpoint, request.headers)
                self._threads.admission.check(RESPONSES)
                if handler.enters is not None:
                    await self._threads.admission.enter(handler.enters)
                return in_pieces(self._threads.admission, await self._notify_after_write(endpoint, responder(request)))
            except ClientDisconnect:
                return Response(status_code=499)
            except StoreFull as full:
                if not full.is_reserve:
                    self._ctx.reservations.disk.note_full()
                return drain_body_after(request, response_for(full))
            except Exception as problem:  # noqa: BLE001 - every error has a response
                response = response_for(problem)
                if response.status_code in HELD_BACK:
                    await self._threads.admission.hold_back()
                return response if endpoint.body_kind is BodyKind.NONE else drain_body_after(request, response)

        return view_route(endpoint.path, endpoint.name, view, endpoint.methods)

    async def _notify_after_write(self, endpoint: Endpoint, pending: Awaitable[Response]) -> Response:
        """Await the response; a call that may have changed something wakes the change streams."""
        response = await pending
        if endpoint.method != "GET":
            self._on_write()
        return response

    def _responder(self, endpoint: Endpoint, handler: Handler) -> View:
        match handler.kind:
            case HandlerKind.ASYNC:
                return self._on_event_loop(endpoint, handler)
            case HandlerKind.PASSWORD:
                return self._in_slow_thread(endpoint, handler, self._threads.password)
            case HandlerKind.IMPORT:
                return self._in_slow_thread(endpoint, handler, self._threads.importing)
            case HandlerKind.THREADED:
                return self._in_call_thread(endpoint, handler)

    def _in_call_thread(self, endpoint: Endpoint, handler: Handler) -> View:
        async def without_body(request: Request) -> Response:
            def work() -> Response:
                call = self.call(endpoint, request, self._caller(endpoint, request), None)
                return respond(endpoint, handler.handle(call))

            return await self._threads.call(lambda: self._even_on_a_full_disk(endpoint, work))

        async def with_body(request: Request) -> Response:
            caller, body = await self._caller_and_body(endpoint, request)

            def work() -> Response:
                return respond(endpoint, handler.handle(self._call_with(endpoint, request, caller, body)))

            return await self._threads.call(lambda: self._even_on_a_full_disk(endpoint, work))

        return without_body if endpoint.body_kind is BodyKind.NONE else with_body

    def _in_slow_thread(
        self, endpoint: Endpoint, handler: Handler, run: Callable[[Callable[[], Response]], Awaitable[Response]]
    ) -> View:
        async def in_thread(request: Request) -> Response:
            caller, body = await self._caller_and_body(endpoint, request)

            def prepare() -> Call:
                call = self._call_with(endpoint, request, caller, body)
                if handler.precheck is not None:
                    handler.precheck(call)
                return call

            # What is malformed or throttled is refused here, so it never waits for one of the few threads.
            call = await self._threads.call(prepare)
            return await run(
                lambda: self._even_on_a_full_disk(endpoint, lambda: respond(endpoint, handler.handle(call)))
            )

        return in_thread

    async def _caller_and_body(self, endpoint: Endpoint, request: Request) -> tuple[Caller | None, bytes]:
        caller = None
        if endpoint.access is not Access.PUBLIC:
            caller = await self._threads.call(lambda: self._caller(endpoint, request))
        if endpoint.body_kind is BodyKind.NONE:
            return caller, b""
        body = Body.of(request)
        body.limit(endpoint.body_bytes_max)
        size = min(body.announced or endpoint.body_bytes_max, endpoint.body_bytes_max)
        if size > JSON_BODY_BYTES_DEFAULT:
            await self._threads.admission.enter(BODIES, weight=size)
        return caller, await body.all(endpoint.body_bytes_max)

    def _even_on_a_full_disk(self, endpoint: Endpoint, work: Callable[[], Response]) -> Response:
        """Run it; a call that adds nothing, such as a deletion, is tried again with the space of the ballast."""
        try:
            return work()
        except StoreFull:
            if endpoint.needs_space or not self._ctx.reservations.disk.note_full():
                raise
            return work()

    def _on_event_loop(self, endpoint: Endpoint, handler: Handler) -> View:
        async def streaming(request: Request) -> Response:
            def work() -> Call:
                return self.call(endpoint, request, self._caller(endpoint, request), None)

            response: Response = await handler.handle(await self._threads.call(work))
            return response

        return streaming

    def find_caller(self, endpoint: Endpoint, request: Request, by_token: ByToken | None = None) -> Caller | None:
        """The caller, who is not yet counted."""
        cookies, secure = Cookies(request), self._proxies.is_secure(request)
        given = request.query_params.get("nonce"), cookies.get(nonce_cookie_name(secure=secure))
        nonces = [nonce for nonce in given if nonce]
        caller = find_caller(
            self._ctx,
            self._apps,
            endpoint,
            request.headers,
            cookies,
            nonces=nonces,
            session_cookie=session_cookie_name(secure=secure, prefix=self._proxies.prefix),
            by_token=by_token,
        )
        if caller is not None:
            request.scope["user_id"] = caller.account_key
        return caller

    def _caller(self, endpoint: Endpoint, request: Request) -> Caller | None:
        try:
            caller = self.find_caller(endpoint, request)
        except ServiceError:
            self._requesters.forget()
            raise
        if caller is not None:
            self._requesters.recognize(caller.account_id)
            note_caller(caller)
        if endpoint.needs_space:
            self._ctx.reservations.disk.check()
            # Before the body is read: the commit would refuse it in any case.
            self._ctx.mode.check(self._ctx.metadata)
        return caller

    def _call_with(self, endpoint: Endpoint, request: Request, caller: Caller | None, raw_body: bytes) -> Call:
        body = decode_body(endpoint.body, raw_body) if endpoint.body_kind is BodyKind.JSON else None
        return self.call(endpoint, request, caller, body)

    def call(self, endpoint: Endpoint, request: Request, caller: Caller | None, body: Any) -> Call:
        # The query first: a malformed request is refused before its object is looked up.
        query = decode_query(endpoint.query, request.query_params) if endpoint.query else None
        headers = decode_headers(endpoint.headers, request.headers) if endpoint.headers else None
        return Call(
            ctx=self._ctx,
            threads=self._threads,
            request=request,
            endpoint=endpoint,
            origin=self._proxies.origin(request),
            address=self._proxies.address(request),
            keys=decode_path(endpoint, request.path_params),
            query=query,
            headers=headers,
            body=body,
            known_caller=caller,
        )


def respond(endpoint: Endpoint, answer: object) -> Response:
    """The answer of a handler as a response."""
    if isinstance(answer, Response):
        return answer
    headers: Mapping[str, str] = _NO_STORE
    if isinstance(answer, Reply):
        headers = {**headers, **answer.headers}
        answer = answer.answer
    if answer is None:
        return Response(status_code=endpoint.success, headers=headers)
    content = answer if isinstance(answer, bytes) else _encode(answer)
    return Response(content, endpoint.success, {"content-type": JSON_UTF8, **headers})
