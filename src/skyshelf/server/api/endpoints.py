"""The interface as a protocol: its endpoints become operations, which decode requests and encode answers."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from skyshelf.server.api.call import Call, Handler, HandlerKind, Reply
from skyshelf.server.api.needs import NEEDS, confined, count_more
from skyshelf.server.http.authentication import check_required_headers
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.pipeline.admission.kinds import BODIES
from skyshelf.server.pipeline.answers import PreparedFile
from skyshelf.server.pipeline.bodies import Body
from skyshelf.server.pipeline.metering import delegated
from skyshelf.server.pipeline.operation import Credential, Identify, NotAtOnce, Operation
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import ServiceContext
from skyshelf.wire.decoding import decode_body, decode_parameters, decode_path
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint
from skyshelf.wire.headers import JSON_UTF8
from skyshelf.wire.limits import JSON_BODY_BYTES_DEFAULT

_NO_STORE = {"cache-control": "no-store"}
_encode = msgspec.json.Encoder().encode


def endpoint_routes(
    ctx: ServiceContext, threads: Threads, endpoints: Iterable[Endpoint], handlers: Mapping[str, Handler]
) -> list[Route]:
    return [
        Route(
            endpoint.path, tuple(endpoint.methods), EndpointOperation(ctx, threads, endpoint, handlers[endpoint.name])
        )
        for endpoint in endpoints
    ]


class EndpointOperation(Operation):
    """A call of an endpoint: decoded into its models, handled by one use case, and its answer encoded."""

    def __init__(self, ctx: ServiceContext, threads: Threads, endpoint: Endpoint, handler: Handler) -> None:
        self._ctx = ctx
        self._threads = threads
        self._endpoint = endpoint
        self._handler = handler
        self.name = endpoint.name
        self.access = endpoint.access
        self.needs = NEEDS.get(endpoint.name)
        self.credential = Credential.NONE if endpoint.access is Access.PUBLIC else Credential.SESSION
        self.writes = endpoint.method != "GET"
        self.needs_space = self.needs_write_mode = endpoint.needs_space
        # A whole upload holds the account, and would pay for a second look.
        self.refuses_paused = endpoint.refuses_paused and endpoint.body_kind is not BodyKind.MULTIPART
        self.has_body = endpoint.body_kind is not BodyKind.NONE
        self.enters = handler.enters
        self.may_run_on_loop = handler.at_once is not None
        self.remembered_ms = handler.remembered_ms
        self.has_own_rows = "{" in endpoint.path
        places: dict[HandlerKind, Callable[[ServerRequest, Identify], Awaitable[Response]]] = {
            HandlerKind.ASYNC: self._in_task,
            HandlerKind.THREADED: self._in_call_thread,
        }
        self._run = places.get(handler.kind, self._in_slow_thread)

    def check_head(self, request: ServerRequest) -> None:
        check_required_headers(self._endpoint, request.headers)

    def must_wait(self, request: ServerRequest) -> bool:
        # A thread checks whether a file exists.
        if request.scope["method"] != "GET":
            return True
        return self._handler.must_wait is not None and self._handler.must_wait(request)

    def answer_on_loop(self, request: ServerRequest) -> Response | PreparedFile:
        if self._handler.at_once is None:
            raise NotAtOnce
        answer = self._handler.at_once(self._call(request))
        return answer if isinstance(answer, PreparedFile) else respond(self._endpoint, answer)

    async def answer(self, request: ServerRequest, identify: Identify) -> Response:
        return await self._run(request, identify)

    def refusal(self, request: ServerRequest, problem: Exception) -> Response:  # noqa: ARG002
        return response_for(problem)

    # Where a handler runs

    async def _in_call_thread(self, request: ServerRequest, identify: Identify) -> Response:
        body = await self._body(request, identify)

        def work() -> Response:
            identify(request)
            return respond(self._endpoint, self._handler.handle(self._call(request, body)))

        return await self._threads.call(work)

    async def _in_slow_thread(self, request: ServerRequest, identify: Identify) -> Response:
        run = self._threads.password if self._handler.kind is HandlerKind.PASSWORD else self._threads.importing
        body = await self._body(request, identify)

        def prepare() -> Call:
            identify(request)
            call = self._call(request, body)
            if self._handler.precheck is not None:
                self._handler.precheck(call)
            return call

        # Malformed and throttled calls are refused here, so they never wait for one of the few threads.
        call = await self._threads.call(prepare)
        return await run(lambda: respond(self._endpoint, self._handler.handle(call)))

    async def _in_task(self, request: ServerRequest, identify: Identify) -> Response:
        if not request.is_identified:
            await self._threads.call(lambda: identify(request))
        if request.call is None and delegated(request) is not None:
            # The objects that it names are looked up.
            await self._threads.call(lambda: self._call(request))
        response: Response = await self._handler.handle(self._call(request))
        return response

    async def _body(self, request: ServerRequest, identify: Identify) -> bytes | None:
        """Return the body; the caller is identified before any of it is read."""
        endpoint = self._endpoint
        if endpoint.body_kind is BodyKind.NONE:
            return None
        if not request.is_identified:
            await self._threads.call(lambda: identify(request))
        body = Body.of(request)
        body.limit(endpoint.body_bytes_max)
        size = body.announced or endpoint.body_bytes_max
        if size > JSON_BODY_BYTES_DEFAULT:
            await self._threads.admission.enter(BODIES, weight=size)
        return await body.all(endpoint.body_bytes_max)

    def _call(self, request: ServerRequest, raw_body: bytes | None = None) -> Call:
        """Return the decoded request, which is decoded only once."""
        known: Call | None = request.call
        if known is not None:
            return known
        endpoint, client = self._endpoint, request.head.client
        body: Any = None
        if raw_body is not None and endpoint.body_kind is BodyKind.JSON:
            body = decode_body(endpoint.body, raw_body)
        # The query comes first: a malformed request is refused before its object is looked up.
        query = decode_parameters(endpoint.query, request.query_params) if endpoint.query else None
        headers = decode_parameters(endpoint.headers, request.headers) if endpoint.headers else None
        keys = decode_path(endpoint, request.path_params)
        caller = request.identity.caller if request.identity else None
        if caller is not None and caller.leave is not None:
            query, body = confined(self._ctx, caller, keys, [query, body])
            count_more(self._ctx, caller, self.needs, query)
        call = request.call = Call(
            ctx=self._ctx,
            threads=self._threads,
            request=request,
            endpoint=endpoint,
            origin=client.origin,
            address=client.address,
            keys=keys,
            query=query,
            headers=headers,
            body=body,
            known_caller=caller,
        )
        return call


def respond(endpoint: Endpoint, answer: object) -> Response:
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
