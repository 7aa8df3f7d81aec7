"""The fast path of WebDAV: what reads a few rows of an embedded store, and small uploads.

As in `fast_path.py`, the functions of the routes run in their order, and only what goes well is answered here. Whatever
has to wait or is refused goes on to the routes, with the body that has come. So there is one set of rules. One refusal
is answered as well: some clients make the folder of each file that they send, although it exists.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from skyshelf.server.connections.gate import Gate
from skyshelf.server.dav import arranging, reading, storing
from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.paths import raw_path_of
from skyshelf.server.dav.routes import DavRoutes, refusal
from skyshelf.server.early_requests import EarlyRequests, replayed
from skyshelf.server.fast_path import QUESTION_BYTES_MAX, FastPath
from skyshelf.server.http.admission.kinds import RESPONSES, UPLOADS
from skyshelf.server.http.bodies import Body
from skyshelf.server.http.prepared_file import PreparedFile
from skyshelf.server.http.proxies import Client
from skyshelf.server.http.streamed import PIECE
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import IndexedRequest
from skyshelf.server.observability.access_log import AccessLog, id_header
from skyshelf.server.remembered_answers import Answered, Known, RememberedAnswers
from skyshelf.server.small_uploads import SMALL_BYTES, SmallUpload
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import Throttled
from skyshelf.service.networks import network_of
from skyshelf.storage.errors import NameTaken, StoreUnavailable

Tree = tuple[bytes, Callable[[bytes], Dialect | None]]
"""How addresses begin, and the dialect of one; None where the routes have to find it."""

REMEMBERED_MS: Final = 60_000
QUESTION_MAX: Final = 16 * 1024
"""Bytes of a question about properties."""
_READS: Final = frozenset({"GET", "HEAD"})
_BODY_MAX: Final = {"PUT": SMALL_BYTES, "PROPFIND": QUESTION_MAX, "MKCOL": 0}
_CONDITIONS: Final = frozenset(
    {b"if", b"if-match", b"if-none-match", b"if-modified-since", b"if-unmodified-since", b"if-range", b"range"}
)
# A change that depends on what is there, or comes in another way than as a whole, is for the routes.
_NOT_PLAIN: Final = _CONDITIONS | {b"content-range", b"expect", b"transfer-encoding"}


class _Entered(NamedTuple):
    """A request whose app is known."""

    request: IndexedRequest
    raw_path: bytes
    dialect: Dialect
    app: App
    client: Client


class FastWebdav:
    METHODS: Final = frozenset({"PUT", "PROPFIND", "MKCOL"})
    """Those that `answer` may answer."""

    def __init__(
        self,
        ctx: ServiceContext,
        fast_path: FastPath,
        dav: DavRoutes,
        threads: Threads,
        *,
        trees: Iterable[Tree],
        gate: Gate,
        log: AccessLog,
        on_write: Callable[[], None],
    ) -> None:
        self._ctx = ctx
        self._fast_path = fast_path
        self._dav = dav
        self._threads = threads
        self._trees = tuple(trees)
        self._gate = gate
        self._log = log
        self._early = EarlyRequests(gate, log)
        self._on_write = on_write
        self._answers = RememberedAnswers()

    # Files

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answered | None:
        """A small file, perhaps as an open one; None where the routes have to answer."""
        if scope["method"] not in _READS:
            return None
        began = time.perf_counter()
        try:
            entered = self._enter(scope, writes=False)
            answered = None if entered is None else self._file(entered, began, files=files)
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            return None
        if answered is not None:
            self._gate.note_passed(scope)
        return answered

    def _file(self, entered: _Entered, began: float, *, files: bool) -> Answered | None:
        version, now = self._fast_path.version(), self._ctx.clock.now()
        question = _question(entered)
        known = None if question is None else self._answers.get(question, version)
        if known is None or known.at is None or not 0 <= now - known.at < REMEMBERED_MS:
            found = reading.get_at_once(self._call(entered))
            if not isinstance(found, PreparedFile):
                return self._short(entered, found, began)
            known = Known(found, version, self._log.headers(entered.request, found.headers))
            if question is not None:
                self._answers.keep(question, known, now)
        return self._fast_path.prepared(_name(entered), entered.request, known, began, files=files)

    def _short(self, entered: _Entered, response: Response, began: float) -> Answered | None:
        request, body = entered.request, bytes(response.body)
        if len(body) > PIECE:
            return None
        request_id = self._log.request_id(request)
        headers = [*self._log.headers(request, response.raw_headers), id_header(request_id)]
        self._log.note_short(request, request_id, _name(entered), response.status_code, len(body), began=began)
        return Answered(response.status_code, headers, body)

    # Questions about properties, and uploads

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Answer it; otherwise, what the routes are to receive."""
        began = time.perf_counter()
        try:
            call = self._arriving(scope)
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            call = None
        if call is None:
            return receive
        answered = {"PUT": self._put, "PROPFIND": self._propfind, "MKCOL": self._mkcol}[scope["method"]]
        with self._early.answering(call.request, call.account_id) as request_id:
            outcome = await answered(call, receive)
            if isinstance(outcome, Response):
                await self._early.send(
                    call.request,
                    outcome,
                    send,
                    name=_name(call),
                    request_id=request_id,
                    began=began,
                    received=int(call.headers.get("content-length", "0")),
                )
                return None
        return outcome

    def _arriving(self, scope: Scope) -> DavCall | None:
        """The request, if its body is small and nothing speaks against it so far."""
        method: str = scope["method"]
        length = b"" if method == "PUT" else b"0"
        for name, value in scope["headers"]:
            if name == b"content-length":
                length = value
            elif name in _NOT_PLAIN:
                return None
        if not length.isdigit() or int(length[:20]) > _BODY_MAX[method]:
            return None
        writes = method != "PROPFIND"
        entered = self._enter(scope, writes=writes)
        if entered is not None and writes:
            self._ctx.reservations.disk.check(int(length))
        return None if entered is None else self._call(entered)

    async def _put(self, call: DavCall, receive: Receive) -> Response | Receive:
        try:
            lease = self._threads.admission.take(UPLOADS)
        except Throttled:
            return receive
        data: bytes | None = None
        upload = None
        try:
            received = call.dialect.received(call.headers)
            body = _body(call, receive)
            body.limit(SMALL_BYTES)
            data = await body.block()
            read = partial(storing.arrived, call, data, received)
            upload = SmallUpload(
                self._ctx, self._threads, self._early.results(), caller=call.caller, read=read, lease=lease
            )
            stored = await upload.stored()
            self._on_write()
            return storing.stored_response(call, stored, received, is_new=stored.version == 1)
        except ClientDisconnect:
            return replayed({"type": "http.disconnect"}, receive)
        except StoreUnavailable as problem:
            # It may have been committed: a second attempt would make a further version of it.
            return refusal(call.request, problem)
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            return receive if data is None else _again(call, data, receive)
        finally:
            if upload is None:
                lease.release()

    async def _mkcol(self, call: DavCall, receive: Receive) -> Response | Receive:
        try:
            with self._ctx.metadata.read() as unit:
                arranging.refuse_existing(call, unit)
        except NameTaken as problem:
            return refusal(call.request, problem)
        except Exception:  # noqa: BLE001, S110 - the routes meet the same, and say it
            pass
        return receive

    async def _propfind(self, call: DavCall, receive: Receive) -> Response | Receive:
        data: bytes | None = None
        try:
            data = await _body(call, receive).all(QUESTION_MAX)
            return reading.propfind_at_once(call, data)
        except ClientDisconnect:
            return replayed({"type": "http.disconnect"}, receive)
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            return receive if data is None else _again(call, data, receive)

    def _enter(self, scope: Scope, *, writes: bool) -> _Entered | None:
        """The request of an app, if it may be answered before the framework."""
        raw = raw_path_of(scope)
        dialect = next((of(raw) for start, of in self._trees if raw.startswith(start)), None)
        if dialect is None or not self._fast_path.is_embedded():
            return None
        request = IndexedRequest(scope)
        client = self._log.proxies.client_of(request)
        if not self._gate.is_open_to(scope, is_known=False) or self._gate.is_crowded(network_of(client.address)):
            return None
        app = self._dav.authenticate_now(dialect, request, self._fast_path.version(), writes=writes)
        if app is None:
            return None
        self._threads.admission.check(RESPONSES, key=app.caller.account_id)
        return _Entered(request, raw, dialect, app, client)

    def _call(self, entered: _Entered) -> DavCall:
        return DavCall(
            self._ctx,
            self._threads,
            entered.request,
            dialect=entered.dialect,
            app=entered.app,
            origin=entered.client.origin,
        )


def _question(entered: _Entered) -> object | None:
    """What the answer with a file depends on besides the rows; None if no answer to it is remembered."""
    request, caller = entered.request, entered.app.caller
    if request.method != "GET" or len(entered.raw_path) > QUESTION_BYTES_MAX:
        return None
    if any(name in _CONDITIONS for name, _ in request.scope["headers"]):
        return None
    return entered.raw_path, caller.account_id, caller.root_key, entered.client.is_secure


def _body(call: DavCall, receive: Receive) -> Body:
    return Body.of(IndexedRequest(call.request.scope, receive))


def _again(call: DavCall, data: bytes, receive: Receive) -> Receive:
    """For the routes: the body that has come."""
    Body.forget(call.request.scope)
    return replayed({"type": "http.request", "body": data, "more_body": False}, receive)


def _name(asked: DavCall | _Entered) -> str:
    """As the access log and the metrics call it."""
    return f"{asked.dialect.name}_{asked.request.method.lower()}"
