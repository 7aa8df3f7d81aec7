"""From the endpoint table to routes.

The way of a request: required headers, session, then what was sent is decoded into the endpoint's models, the
handler calls one use-case, and its answer is encoded. All but the reading of the body happens in a worker thread.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from skyshelf.server.http.authentication import NONCE_COOKIE, AcceptedApps, check_required_headers, find_caller
from skyshelf.server.http.bodies import Body, drain_body_after
from skyshelf.server.http.call import Answering, Call, Encoded, Handler, Page, PlainHandler, Reply, Slow, Streaming
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.request import Incoming
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.wire.decoding import decode_body, decode_headers, decode_path, decode_query
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint
from skyshelf.wire.headers import JSON_UTF8

_encode = msgspec.json.Encoder().encode


class Routes:
    """Makes a route of every endpoint."""

    def __init__(
        self,
        ctx: ServiceContext,
        threads: Threads,
        apps: AcceptedApps,
        proxies: Proxies,
        *,
        written: Callable[[], None] = lambda: None,
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._apps = apps
        self._proxies = proxies
        self._written = written

    def of(self, endpoints: Iterable[Endpoint], handlers: dict[str, Handler]) -> list[Route]:
        routes = [self._route(endpoint, handlers[endpoint.name]) for endpoint in endpoints]
        # "/nms/metadata/recent/objects" before "/nms/metadata/{object_key}": fixed paths win.
        return sorted(routes, key=lambda route: "{" in route.path)

    def _route(self, endpoint: Endpoint, handler: Handler) -> Route:
        answer = self._answer(endpoint, handler)

        async def view(request: Request) -> Response:
            request.scope["endpoint_name"] = endpoint.name
            try:
                check_required_headers(endpoint, request.headers)
                return await self._notify_after_write(endpoint, answer(request))
            except ClientDisconnect:
                return Response(status_code=499)
            except Exception as problem:  # noqa: BLE001 - every error has an answer
                answer_to_it = response_for(problem)
                return answer_to_it if endpoint.body_kind is BodyKind.NONE else drain_body_after(request, answer_to_it)

        return Route(endpoint.path, _View(view), methods=list(endpoint.methods), name=endpoint.name)

    async def _notify_after_write(self, endpoint: Endpoint, answer: Awaitable[Response]) -> Response:
        """The answer, and word to those who listen for changes when the call may have made some."""
        answered = await answer
        if endpoint.method != "GET":
            self._written()
        return answered

    def _answer(self, endpoint: Endpoint, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        if isinstance(handler, Page):
            return handler.handle
        if isinstance(handler, Streaming):
            return self._streaming(endpoint, handler)
        if isinstance(handler, Answering):
            return self._answering(endpoint, handler)
        if isinstance(handler, Slow):
            return self._plain(endpoint, handler.handle, self._threads.slow)
        return self._plain(endpoint, handler, self._threads.call)

    def _plain(
        self, endpoint: Endpoint, handler: PlainHandler, run: Callable[[Callable[[], Response]], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def without_body(request: Request) -> Response:
            def work() -> Response:
                return self._handle(endpoint, handler, request, self._caller(endpoint, request), b"")

            return await run(work)

        async def with_body(request: Request) -> Response:
            caller = None
            if endpoint.access is not Access.PUBLIC:
                caller = await self._threads.call(lambda: self._caller(endpoint, request))
            body = await read_body(request, endpoint.body_bytes_max)
            return await run(lambda: self._handle(endpoint, handler, request, caller, body))

        return without_body if endpoint.body_kind is BodyKind.NONE else with_body

    def _streaming(self, endpoint: Endpoint, handler: Streaming) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            def work() -> Call:
                return self._call(endpoint, request, self._caller(endpoint, request), None)

            return await handler.handle(await self._threads.call(work), request)

        return answer

    def _answering(self, endpoint: Endpoint, handler: Answering) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            def work() -> Response:
                return handler.handle(self._call(endpoint, request, self._caller(endpoint, request), None), request)

            return await self._threads.call(work)

        return answer

    def _caller(self, endpoint: Endpoint, request: Request) -> Caller | None:
        cookies = request.cookies
        nonces = [nonce for nonce in (request.query_params.get("nonce"), cookies.get(NONCE_COOKIE)) if nonce]
        caller = find_caller(self._ctx, self._apps, endpoint, request.headers, cookies, nonces=nonces)
        if caller is not None:
            request.scope["user_id"] = caller.account_key
        return caller

    def _call(self, endpoint: Endpoint, request: Request, caller: Caller | None, body: Any) -> Call:
        # The query first: what a request asks for is checked before the object that it asks about.
        query = decode_query(endpoint.query, request.query_params) if endpoint.query else None
        headers = decode_headers(endpoint.headers, request.headers) if endpoint.headers else None
        return Call(
            ctx=self._ctx,
            endpoint=endpoint,
            origin=self._proxies.origin(request),
            address=self._proxies.address(request),
            keys=decode_path(endpoint, request.path_params),
            query=query,
            headers=headers,
            body=body,
            known_caller=caller,
        )

    def _handle(
        self, endpoint: Endpoint, handler: PlainHandler, request: Request, caller: Caller | None, raw_body: bytes
    ) -> Response:
        body = decode_body(endpoint.body, raw_body) if endpoint.body_kind is BodyKind.JSON else None
        answer = handler(self._call(endpoint, request, caller, body))
        reply = answer if isinstance(answer, Reply) else Reply(answer=answer)
        status = reply.status or endpoint.success
        headers = {"cache-control": "no-store", **reply.headers}
        if reply.answer is None:
            return Response(status_code=status, headers=headers)
        content = reply.answer.json if isinstance(reply.answer, Encoded) else _encode(reply.answer)
        return Response(content, status, {"content-type": JSON_UTF8, **headers})


class _View:
    """As Starlette makes an application of a function, less what is there for functions that fail: ours never do."""

    def __init__(self, view: Callable[[Request], Awaitable[Response]]) -> None:
        self._view = view

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._view(Incoming(scope, receive, send))
        await response(scope, receive, send)


async def read_body(request: Request, most: int) -> bytes:
    """The whole body, unless it is too large: then it is refused as soon as that shows."""
    return await Body.of(request).all(most)
