"""The fast path: calls that read a few rows are answered on the event loop, in the moment they come.

It runs the same functions as the framework's routes, in the same order, and only answers what goes well: whatever it
would have to wait for or refuse, it leaves to the routes, which begin again. So there is one set of rules. It needs an
embedded store, whose rows are in this machine's memory as a rule.

Clients send the same headers with every request. What follows from them is remembered with them: that none is missing,
who the client is, and the session, which holds only until anything is committed. So do the answers that are small, and
the headers of files.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from skyshelf.server.account_changes import AccountChange, AccountChanges
from skyshelf.server.connections.gate import Gate
from skyshelf.server.http.admission.admission import Admission
from skyshelf.server.http.admission.kinds import RESPONSES
from skyshelf.server.http.authentication import check_required_headers
from skyshelf.server.http.call import Call, Handler
from skyshelf.server.http.endpoints import Routes, respond
from skyshelf.server.http.offload import offloaded_bytes
from skyshelf.server.http.prepared_file import PreparedFile
from skyshelf.server.http.proxies import Client
from skyshelf.server.http.streamed import PIECE
from skyshelf.server.http.views import IndexedHeaders, IndexedRequest
from skyshelf.server.observability.access_log import AccessLog, id_header
from skyshelf.server.remembered_answers import CONTENT_BYTES_MAX, Answered, Known, RememberedAnswers
from skyshelf.service.accounts.remembered_sessions import RememberedSession, look_up
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.networks import network_of
from skyshelf.wire.endpoint import Access, Endpoint

HEADS_REMEMBERED: Final = 2048
HEAD_BYTES_MAX: Final = 2048
QUESTION_BYTES_MAX: Final = 512


class FastRoute(msgspec.Struct, frozen=True):
    endpoint: Endpoint
    handle: Callable[[Call], Any]
    remembered_ms: int
    parameter: str | None
    """The key that ends the path."""


class Head:
    """The headers of a request, and what follows from them."""

    __slots__ = ("about", "client", "complete_for", "headers", "network", "session")

    def __init__(self, headers: IndexedHeaders, client: Client) -> None:
        self.headers = headers
        self.client = client
        self.network = network_of(client.address)
        self.complete_for: set[str] = set()
        self.session: RememberedSession | None = None
        # The media types that a client accepts decide about the format of a thumbnail.
        about = (headers.get("accept") or "", client.origin, client.is_secure)
        is_short = len(about[0]) + len(about[1]) <= QUESTION_BYTES_MAX
        self.about = about if is_short and PreparedFile.is_plain(headers) else None
        """What an answer depends on besides the account; None where none is remembered."""


class Asked(NamedTuple):
    """A request that may be answered here."""

    request: IndexedRequest
    head: Head
    name: object
    """Of the head."""
    is_new: bool
    """Whether the head is."""


class Entered(NamedTuple):
    """A request that may be answered before the framework."""

    request: IndexedRequest
    head: Head
    caller: Caller | None
    version: object


class FastPath:
    def __init__(
        self,
        ctx: ServiceContext,
        routes: Routes,
        *,
        admission: Admission,
        gate: Gate,
        log: AccessLog,
    ) -> None:
        self._ctx = ctx
        self._routes = routes
        self._admission = admission
        self._gate = gate
        self._log = log
        self._embedded: bool | None = None
        self._heads: dict[object, Head] = {}
        self._answers = RememberedAnswers()
        self._changes = AccountChanges(ctx)
        self._version_now: object = None
        self._fixed: dict[str, FastRoute] = {}
        self._by_prefix: dict[str, FastRoute] = {}

    def add(self, endpoints: Iterable[Endpoint], handlers: Mapping[str, Handler]) -> None:
        """Take those that can be answered at once."""
        for endpoint in endpoints:
            handler = handlers[endpoint.name]
            if handler.at_once is None:
                continue
            prefix, _, last = endpoint.path.rpartition("/")
            if "{" not in endpoint.path:
                self._fixed[endpoint.path] = FastRoute(endpoint, handler.at_once, handler.remembered_ms, None)
            elif "{" not in prefix:
                self._by_prefix[prefix] = FastRoute(endpoint, handler.at_once, handler.remembered_ms, last[1:-1])

    @property
    def heads(self) -> int:
        """How many are remembered."""
        return len(self._heads)

    @property
    def answers(self) -> int:
        """How many are remembered."""
        return len(self._answers)

    def answer(self, scope: Scope, *, files: bool = False) -> Answered | None:
        """The response, perhaps with an open file; None where the framework has to answer."""
        began = time.perf_counter()
        route = self._route(scope)
        if route is None:
            return None
        try:
            return self._answer(route, scope, began, files=files) if self.is_embedded() else None
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            return None

    def _route(self, scope: Scope) -> FastRoute | None:
        """That of a call which may be answered here; its key is then known to the request."""
        path: str = scope["path"]
        route = self._fixed.get(path)
        if route is None:
            prefix, _, key = path.rpartition("/")
            route = self._by_prefix.get(prefix)
            if route is None:
                return None
            scope["path_params"] = {route.parameter: key}
        return route if scope["method"] == "GET" else None

    def is_embedded(self) -> bool:
        """Whether the store is read without a network; asked once."""
        if self._embedded is None:
            self._embedded = self._ctx.metadata.version() is not None
        return self._embedded

    def enter(self, endpoint: Endpoint, scope: Scope, name: object) -> Entered | None:
        """Whose request it is, if it can be answered before the framework; the name is that of its headers."""
        asked = self._asked(endpoint, scope, name)
        if asked is None:
            return None
        version = self.version()
        caller = self._caller(endpoint, asked, version)
        self._admit(asked, caller)
        return Entered(asked.request, asked.head, caller, version)

    def _answer(self, route: FastRoute, scope: Scope, began: float, *, files: bool) -> Answered | None:
        entered = self.enter(route.endpoint, scope, name_of_head(scope))
        if entered is None:
            return None
        question = self._question(route, entered.request, entered.head, entered.caller)
        known = self._known(route, question, entered.caller, entered.version)
        if known is None:
            known = self._looked_up_anew(route, entered.request, entered.caller, entered.version)
            self._keep(question, known)
        answered = self.prepared(route.endpoint.name, entered.request, known, began, files=files)
        if answered is not None:
            self._gate.note_passed(scope)
        return answered

    def _asked(self, endpoint: Endpoint, scope: Scope, name: object) -> Asked | None:
        """The request, unless it is one for the routes alone."""
        request = IndexedRequest(scope)
        head = self._heads.get(name)
        is_new = head is None
        if not self._gate.is_open_to(scope, is_known=not is_new):
            return None
        if head is None:
            head = Head(request.headers, self._log.proxies.client_of(request))
        else:
            self._log.proxies.remember(request, head.client)
            request.remember(head.headers)
        if self._gate.is_crowded(head.network):
            return None
        if endpoint.name not in head.complete_for:
            check_required_headers(endpoint, head.headers)
            head.complete_for.add(endpoint.name)
        return Asked(request, head, name, is_new)

    def _admit(self, asked: Asked, caller: Caller | None) -> None:
        """Refuse a caller who has too much to be sent, and remember the head of anybody else."""
        account = caller.account_id if caller else 0
        self._admission.check(RESPONSES, key=account or asked.head.network)
        if asked.is_new and caller is not None:
            self._remember(asked.name, asked.head)

    def prepared(
        self, name: str, request: Request, known: Known, began: float, *, files: bool = False
    ) -> Answered | None:
        """The response, which is logged; with an open file where that is asked for."""
        answer, headers, status, file, sent = known.answer, known.headers, 200, None, 0
        lines: bytes | None = known.lines
        if isinstance(answer, Answered):
            status, body = answer.status, answer.body
        elif (offloaded := answer.offloaded(request)) is not None:
            headers, lines, body = self._log.headers(request, offloaded), None, b""
        elif files and answer.size > CONTENT_BYTES_MAX and (file := answer.open()) is not None:
            body, sent = b"", answer.size
        else:
            body = self._content(known, answer)
        if len(body) > PIECE:
            return None
        request_id = self._log.request_id(request)
        sent = sent or len(body) or offloaded_bytes(request.scope)
        self._log.note_short(request, request_id, name, status, sent, began=began)
        named = id_header(request_id)
        lines = None if lines is None else b"%b%b: %b\r\n" % (lines, *named)
        return Answered(status, [*headers, named], body, file, 0 if file is None else sent, lines)

    def _content(self, known: Known, file: PreparedFile) -> bytes:
        if known.content is not None and file.is_undamaged():
            return known.content
        content = file.read()
        if file.is_derived:
            self._answers.keep_content(known, content)
        return content

    def version(self) -> object:
        """That of the store, read once per turn of the event loop.

        A request of this turn had arrived before it, so it cannot know of a commit within it.
        """
        if self._version_now is None:
            self._version_now = self._ctx.metadata.version()
            asyncio.get_running_loop().call_soon(self._forget_version)
        return self._version_now

    def _forget_version(self) -> None:
        self._version_now = None

    def _question(self, route: FastRoute, request: IndexedRequest, head: Head, caller: Caller | None) -> object | None:
        """What the answer depends on besides the rows; None if no answer to it is remembered."""
        scope = request.scope
        if head.about is None or not route.remembered_ms or len(scope["query_string"]) > QUESTION_BYTES_MAX:
            return None
        return scope["path"], scope["query_string"], caller.account_id if caller else 0, head.about

    def _known(self, route: FastRoute, question: object | None, caller: Caller | None, version: object) -> Known | None:
        """The answer that was given to the same question while nothing was committed, or no file of the caller was
        changed."""
        known = self._remembered_answer(route, question)
        if known is None or known.version == version:
            return known
        if known.change is None or caller is None or known.change != self._change(caller, version):
            return None
        known.version = version
        return known

    def _remembered_answer(self, route: FastRoute, question: object | None) -> Known | None:
        """Of any version."""
        known = None if question is None else self._answers.of_any_version(question)
        if known is None or known.at is None:
            return None
        return known if 0 <= self._ctx.clock.now() - known.at < route.remembered_ms else None

    def _change(self, caller: Caller, version: object) -> AccountChange:
        """The newest one of the caller's account; rows that are read after this call are as new at least."""
        return self._changes.of(caller.account_id, version)

    def _looked_up_anew(
        self, route: FastRoute, request: IndexedRequest, caller: Caller | None, version: object
    ) -> Known:
        """What the handler answers, with the change that it holds for, if it follows from a file of the caller."""
        # Before the rows: what is changed in between is then looked up again.
        change = None if caller is None or not route.parameter else self._change(caller, version)
        known = self._found(route, request, caller, version)
        if change is not None and isinstance(known.answer, PreparedFile):
            known.change = change if known.answer.account_id == change.account_id else None
        return known

    def _found(self, route: FastRoute, request: IndexedRequest, caller: Caller | None, version: object) -> Known:
        """What the handler answers; the version was read before."""
        answer = route.handle(self._routes.call(route.endpoint, request, caller, None))
        if not isinstance(answer, PreparedFile):
            response = answer if isinstance(answer, Response) else respond(route.endpoint, answer)
            answer = Answered(response.status_code, response.raw_headers, bytes(response.body))
        return Known(answer, version, self._log.headers(request, answer.headers))

    def _keep(self, question: object | None, known: Known) -> None:
        """Remember an answer, if that is possible."""
        if question is not None:
            self._answers.keep(question, known, self._ctx.clock.now())

    def _known_caller(self, endpoint: Endpoint, asked: Asked, version: object) -> Caller | None:
        """The caller, if the session of the same headers still holds."""
        session = asked.head.session
        # Without a token, a download is opened by a nonce alone.
        is_by_session = endpoint.access is Access.SESSION or "authorization" in asked.head.headers
        if not is_by_session or session is None or not session.holds(version, self._ctx.clock.now()):
            return None
        asked.request.scope["user_id"] = session.caller.account_key
        return session.caller

    def _caller(self, endpoint: Endpoint, asked: Asked, version: object) -> Caller | None:
        if endpoint.access is Access.PUBLIC:
            return None
        known = self._known_caller(endpoint, asked, version)
        if known is not None:
            return known
        found: RememberedSession | None = None
        asked.head.session = None

        def by_token(*, authorization: str, user_id: str, device_key: str) -> Caller:
            nonlocal found
            found = look_up(self._ctx, version, authorization=authorization, user_id=user_id, device_key=device_key)
            return found.caller

        caller = self._routes.find_caller(endpoint, asked.request, by_token)
        # Not before: the application is checked after the session.
        asked.head.session = found
        return caller

    def _remember(self, name: object, head: Head) -> None:
        if sum([len(key) + len(value) for key, value in head.headers.raw]) > HEAD_BYTES_MAX:
            return
        self._heads[name] = head
        if len(self._heads) > HEADS_REMEMBERED:
            del self._heads[next(iter(self._heads))]


def name_of_head(scope: Scope) -> object:
    return scope["client"][0], scope["scheme"], tuple(scope["headers"])
