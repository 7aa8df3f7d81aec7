"""The stages that every request passes, once and in this order:

1. address: the prefix of the public URL, the operation, the head and what is remembered of it (`_open`)
2. gate: heads that are too large, clients with too much in progress (`gate.py`)
3. required headers (`_check_head`)
4. caller: a session or an app, and whether they may do this (`callers.py`)
5. admission: who runs, who waits, who is refused (`admission/`)
6. operation: on the event loop if nothing has to be awaited, else in a thread (`operation.py`)
7. answer: refusals, common headers, log line, figures (`_refused`, `sending.py`, `access_log.py`)

A request begins on the event loop. One that has to wait continues as a task, with everything found out so far:
nothing is repeated. Remembered answers are in `answers.py`.
"""

from collections.abc import Callable
from contextvars import Token
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from skyshelf.server.http.offload import Offload
from skyshelf.server.http.proxies import PathPrefix, Proxies
from skyshelf.server.observability.logs import current_request_id
from skyshelf.server.pipeline.access_log import AccessLog, id_header
from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.kinds import RESPONSES
from skyshelf.server.pipeline.admission.requesters import Requesters, current_requester
from skyshelf.server.pipeline.answers import (
    CONTENT_BYTES_MAX,
    Answer,
    PreparedFile,
    RememberedAnswer,
    RememberedAnswers,
)
from skyshelf.server.pipeline.bodies import drain_body_after
from skyshelf.server.pipeline.callers import Callers
from skyshelf.server.pipeline.fault_injection import Simulator
from skyshelf.server.pipeline.gate import Gate, problem_of_headers, problem_of_target, without_head
from skyshelf.server.pipeline.loop_reads import LoopReads
from skyshelf.server.pipeline.metering import delegated, metered
from skyshelf.server.pipeline.operation import HELD_BACK, Credential, NotAtOnce
from skyshelf.server.pipeline.request import (
    REQUEST,
    Head,
    Heads,
    ServerRequest,
    credential_in,
    has_body,
    name_of_head,
)
from skyshelf.server.pipeline.router import Router
from skyshelf.server.pipeline.sending import PIECE, Sending, in_pieces, takes_answers
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.audit import Origin, current_origin
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import Throttled
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.storage.metadata.store import current_turn
from skyshelf.storage.watching import current_parts
from skyshelf.wire.refusals import Refusal

_EXPECTED: Final = (Refusal, Throttled, StorageError)
"""Errors that are meant for the caller; any other on the event loop is a bug."""


@dataclass(kw_only=True, eq=False)
class Pipeline:
    """Answers the requests of a process."""

    ctx: ServiceContext
    router: Router
    threads: Threads
    admission: Admission
    proxies: Proxies
    gate: Gate
    callers: Callers
    requesters: Requesters
    log: AccessLog
    reads: LoopReads
    on_write: Callable[[], None]
    prefix: PathPrefix | None = None
    offload: Offload | None = None
    simulator: Simulator | None = None
    heads: Heads = field(default_factory=Heads, init=False)
    left_out: set[str] = field(default_factory=set, init=False)
    """Operations whose bytes come over a network, so the event loop cannot answer them."""

    def __post_init__(self) -> None:
        self.answers = RememberedAnswers(self.ctx)

    # The beginning of every request, on the event loop

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answer | None:
        """Return the answer to a request, perhaps with an open file, if nothing has to be awaited.

        Otherwise return None: the request is in the scope, and `serve` continues it.
        """
        request = self._open(scope)
        version = self.reads.version_now()
        if version is None or request.refused is not None or not request.operation.may_run_on_loop:
            return None
        if not self.gate.lets_pass(request):
            return None
        # Only a traced request has parts here.
        token = None if request.parts is None else current_parts.set(request.parts)
        try:
            answered = self._answer_on_loop(request, version, files=files)
        finally:
            if token is not None:
                current_parts.reset(token)
        if answered is not None:
            self.log.note(request, answered.status, answered.file_bytes or len(answered.body))
            self.gate.passed(request)
        return answered

    def _open(self, scope: Scope) -> ServerRequest:
        """Find the operation of a request, and what is remembered of its head."""
        refused = problem_of_target(scope)
        request = self._route(scope if refused is None else without_head(scope))
        name = name_of_head(request.scope, has_password=request.operation.credential is Credential.APP_PASSWORD)
        head, with_body = self.heads.get(name), name[0]
        # The name of a head says nothing about the size of what describes a body.
        if (head is None or with_body) and refused is None:
            refused = problem_of_headers(scope)
            if refused is not None:
                request, head = self._route(without_head(request.scope)), None
        if refused is not None:
            request.refused = refused
        if head is None:
            credential = name[-1] or credential_in(request.scope)
            head = Head(request.headers, self.proxies.client_of(request), credential)
            request.new_head = name
        elif not with_body:
            request.use_headers(head.headers)
        request.head = head
        scope[REQUEST] = request
        self.log.open(request)
        return request

    def _route(self, scope: Scope) -> ServerRequest:
        """Return a request with its operation."""
        if self.prefix is not None:
            self.prefix.remove(scope)
        if self.offload is not None:
            self.offload.mark(scope)
        request = scope[REQUEST] = ServerRequest(scope)
        request.operation, scope["path_params"] = self.router.operation_of(scope["method"], scope["path"])
        return request

    def _check_head(self, request: ServerRequest) -> None:
        operation, complete_for = request.operation, request.head.complete_for
        if operation.name not in complete_for:
            operation.check_head(request)
            # Heads of requests with a body are remembered without the headers that describe it.
            if not has_body(request.scope):
                complete_for.add(operation.name)

    def _find_caller_now(self, request: ServerRequest, version: object) -> bool:
        if not self.callers.find_now(request, version):
            return False
        self._remember_head(request)
        return True

    def _remember_head(self, request: ServerRequest) -> None:
        if request.new_head is not None and request.identity is not None:
            self.heads.remember(request)

    # The operation on the event loop

    def _answer_on_loop(self, request: ServerRequest, version: object, *, files: bool) -> Answer | None:
        if request.operation.must_wait(request):
            return None
        try:
            self._check_head(request)
            found = self._recalled(request, version) or self._read_now(request, version)
            return None if found is None else self._ready(request, found, files=files)
        except Exception as problem:  # noqa: BLE001 - the last stage answers it
            self._keep_problem(request, problem)
            return None

    def _recalled(self, request: ServerRequest, version: object) -> RememberedAnswer | None:
        """Return an answer that is remembered, for a caller who is, without a look into the store."""
        if not self.callers.recall(request, version):
            return None
        self._remember_head(request)
        self._check_responses(request)
        return self.answers.find(request, version, look_only=True)

    def _read_now(self, request: ServerRequest, version: object) -> RememberedAnswer | None:
        """Return an answer from the store; None if its caller can only be found by a thread."""
        token = current_request_id.set(request.request_id)
        try:
            if not self._find_caller_now(request, version):
                return None
            self._check_responses(request)
            found = self.answers.find(request, version)
            if found is None:
                found = self._look_up(request, version)
                self.answers.keep(request, found)
            return found
        finally:
            current_request_id.reset(token)

    def _check_responses(self, request: ServerRequest) -> None:
        identity = request.identity
        self.admission.check(RESPONSES, key=identity.caller.account_id if identity else request.head.network)

    def _keep_problem(self, request: ServerRequest, problem: Exception) -> None:
        """Leave an error to the last stage; an unexpected one is counted, and logged there with its traceback."""
        if isinstance(problem, NotAtOnce):
            return
        request.problem = problem
        if not isinstance(problem, _EXPECTED):
            self.log.loop_fault()

    def _look_up(self, request: ServerRequest, version: object) -> RememberedAnswer:
        """Return the operation's answer, with the change it is valid for if it depends on a file of the caller."""
        identity, operation, change = request.identity, request.operation, None
        if identity is not None and operation.has_own_rows and operation.remembered_ms:
            # Read before the rows: a change in between then causes another look-up.
            change = self.answers.newest_change(identity.caller.account_id, version)
        answer = operation.answer_on_loop(request)
        if not isinstance(answer, PreparedFile):
            answered = Answer(answer.status_code, answer.raw_headers, bytes(answer.body))
            return RememberedAnswer(answered, version, self.log.headers(request, answered.headers))
        found = RememberedAnswer(answer, version, self.log.headers(request, answer.headers))
        if change is not None and answer.account_id == change.account_id:
            found.change = change
        return found

    def _ready(self, request: ServerRequest, found: RememberedAnswer, *, files: bool) -> Answer | None:
        """Return the answer with its id; None if it has to be sent in pieces."""
        answer, headers, lines = found.answer, found.headers, None
        status, file, file_bytes = 200, None, 0
        if isinstance(answer, Answer):
            status, body = answer.status, answer.body
        elif (offloaded := answer.offloaded(request)) is not None:
            headers, body = self.log.headers(request, offloaded), b""
        elif files and answer.size > CONTENT_BYTES_MAX and (file := answer.open()) is not None:
            body, file_bytes = b"", answer.size
        else:
            body = self.answers.content_of(found, answer)
        named = id_header(request.request_id)
        if headers is found.headers:
            lines = b"%b%b: %b\r\n" % (found.lines, *named)
        ready = Answer(status, [*headers, named], body, file, file_bytes, lines)
        if len(body) > PIECE:
            request.answer = ready
            return None
        request.is_on_loop = True
        return ready

    # The rest of a request that has to wait

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, continuing where `answer_now` stopped."""
        request: ServerRequest | None = scope.get(REQUEST)
        if request is None:
            answered = self.answer_now(scope, files=takes_answers(scope))
            request = scope[REQUEST]
            if answered is not None:
                await Sending(self.log, request, send).answer(answered)
                return
        visit = self.gate.begin(request)
        sending = Sending(self.log, request, send)
        try:
            answered = await self._recalled_soon(request)
            if answered is None:
                await self._continue(request, receive, sending)
                return
            try:
                await sending.answer(answered)
            finally:
                self.log.note(request, sending.status, sending.sent)
        finally:
            self.gate.visits.end(visit)
            # They refer to each other, which is not left to the garbage collector.
            del scope[REQUEST]
            request.detach()

    async def _continue(self, request: ServerRequest, receive: Receive, sending: Sending) -> None:
        request.attach(receive)
        self.log.begin(request)
        tokens = self._enter(request)
        try:
            answered = request.answer or await self._answer_soon(request)
            if answered is not None:
                await sending.answer(answered)
            else:
                await sending.respond(await self._respond(request))
        except Exception:
            # The last stage has responded and logged; an incomplete response must look incomplete.
            if not sending.is_complete:
                raise
        finally:
            self.log.end(request, sending.status, sending.sent)
            for variable, token in reversed(tokens):
                variable.reset(token)
            assert request.requester is not None
            request.requester.leave()

    def _enter(self, request: ServerRequest) -> list[tuple[Any, Token[Any]]]:
        """Set the context by which everything called for this request knows whose it is."""
        requester = request.requester = self.requesters.requester_of(request)
        origin = Origin(lambda: request.head.client.address)
        if request.identity is not None:
            origin.caller = request.identity.caller
        values: tuple[tuple[Any, object], ...] = (
            (current_request_id, request.request_id),
            (current_requester, requester),
            (current_turn, requester),
            (current_origin, origin),
            (current_parts, request.parts),
        )
        return [(variable, variable.set(value)) for variable, value in values]

    async def _recalled_soon(self, request: ServerRequest) -> Answer | None:
        """Return a remembered answer, if the store is behind a network: it is asked for nothing but its version."""
        operation = request.operation
        if not self.reads.is_remote or not operation.remembered_ms or operation.name in self.left_out:
            return None
        if request.refused is not None or operation.must_wait(request):
            return None
        try:
            self._check_head(request)
            version = request.version = await self.reads.version()
            found = None if version is None else self._recalled(request, version)
            return None if found is None else self._ready(request, found, files=takes_answers(request.scope))
        except Exception as problem:  # noqa: BLE001 - the last stage answers it
            self._keep_problem(request, problem)
            return None

    async def _answer_soon(self, request: ServerRequest) -> Answer | None:
        """Return an answer from rows read over a network; None if the operation has to run."""
        version = request.version
        if version is None or request.problem is not None:
            return None
        found: RememberedAnswer | None = None
        try:
            found = await self.reads.run(request, lambda: self._found(request, version))
            self._check_responses(request)
            self._remember_head(request)
            if found.at is None:
                self.answers.keep(request, found)
            return self._ready(request, found, files=takes_answers(request.scope))
        except NotAtOnce:
            if found is not None and isinstance(found.answer, PreparedFile) and not found.answer.is_local():
                self.left_out.add(request.operation.name)
            return None
        except Exception as problem:  # noqa: BLE001 - the last stage answers it
            self._keep_problem(request, problem)
            return None

    def _found(self, request: ServerRequest, version: object) -> RememberedAnswer:
        """Return an answer, remembered or read. It may be run again: it changes only how long answers are valid."""
        if not self.callers.find_now(request, version):
            self.callers.find(request)
        if delegated(request) is not None:
            raise NotAtOnce
        return self.answers.find(request, version) or self._look_up(request, version)

    async def _respond(self, request: ServerRequest) -> Response:
        if request.refused is not None:
            return self.gate.refusal(request, request.refused)
        if self.simulator is None:
            response = await self._run(request)
        else:
            response = await self.simulator.answer(request, lambda: self._run(request))
        return in_pieces(self.admission, response)

    async def _run(self, request: ServerRequest) -> Response:
        """Return the response of the operation, or of its error."""
        operation = request.operation
        if request.problem is not None:
            return await self._refused(request, request.problem)
        try:
            self._check_head(request)
            version = self.reads.version_now()
            if version is not None:
                request.has_rows_at_hand = True
                self._find_caller_now(request, version)
            if operation.is_admitted:
                self.admission.check(RESPONSES)
            if operation.enters is not None:
                await self.admission.enter(operation.enters)
            response = await operation.answer(request, self.callers.find)
            response = await metered(self.ctx, self.threads, request, response)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._refused(request, problem)
        if operation.writes:
            self.on_write()
        return response

    async def _refused(self, request: ServerRequest, problem: Exception) -> Response:
        if isinstance(problem, StoreFull) and not problem.is_reserve:
            self.ctx.reservations.disk.note_full()
        await request.operation.prepare()
        response = request.operation.refusal(request, problem)
        if response.status_code in HELD_BACK:
            await self.admission.hold_back()
        return drain_body_after(request, response) if request.operation.has_body else response
