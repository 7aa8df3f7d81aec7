"""The fast path of small uploads: the bytes come first, and then everything happens in one thread.

As in `fast_path.py`, only what goes well is answered here. Whatever is refused goes on to the framework's routes, with
the bytes that have come, and is refused there: so there is one set of rules. An upload of any size works without this.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Final, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from skyshelf.server.connections.gate import Gate
from skyshelf.server.fast_path import FastPath
from skyshelf.server.handlers.uploads import stored_response
from skyshelf.server.http.admission.gate import Lease
from skyshelf.server.http.admission.kinds import UPLOADS
from skyshelf.server.http.admission.requesters import Requester, current_requester
from skyshelf.server.http.bodies import BLOCK, Body
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.multipart import boundary_in, parts_of
from skyshelf.server.http.thread_pools import Results, Threads, settle
from skyshelf.server.http.views import IndexedRequest, forget_headers
from skyshelf.server.observability.access_log import AccessLog, id_header
from skyshelf.server.observability.logs import current_request_id
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.uploads import commit
from skyshelf.storage.errors import StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.turns import current_turn
from skyshelf.wire import error_codes as codes
from skyshelf.wire.decoding import decode_body
from skyshelf.wire.endpoints.uploads import UPLOAD
from skyshelf.wire.limits import JSON_BODY_BYTES_DEFAULT
from skyshelf.wire.resources.uploads import FILE_FIELD, METADATA_FIELD, UploadMetadata

SMALL_BYTES: Final = BLOCK
"""Bodies up to here are held in memory; that is as much as the routes hold of any body."""
_OF_BODY: Final = {b"content-type", b"content-length"}


class _Arriving(NamedTuple):
    request: IndexedRequest
    caller: Caller
    boundary: str
    size: int


class FastUploads:
    def __init__(
        self,
        ctx: ServiceContext,
        fast_path: FastPath,
        threads: Threads,
        *,
        gate: Gate,
        log: AccessLog,
        on_write: Callable[[], None],
    ) -> None:
        self._ctx = ctx
        self._fast_path = fast_path
        self._threads = threads
        self._gate = gate
        self._log = log
        self._on_write = on_write
        self._results: Results | None = None

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Answer it; otherwise, what the routes are to receive."""
        began = time.perf_counter()
        arriving = self._arriving(scope)
        outcome: Response | Receive = receive
        if arriving is not None:
            request_id = self._log.request_id(arriving.request)
            requester = Requester(arriving.caller.account_id)
            tokens = current_request_id.set(request_id), current_requester.set(requester), current_turn.set(requester)
            self._log.begin()
            try:
                with self._gate.in_progress(scope):
                    outcome = await self._outcome(arriving, scope, receive)
                    if isinstance(outcome, Response):
                        await self._send(arriving, outcome, request_id, began, send)
                        return None
            finally:
                self._log.end()
                current_turn.reset(tokens[2])
                current_requester.reset(tokens[1])
                current_request_id.reset(tokens[0])
        assert not isinstance(outcome, Response)
        # The remembered ones are those of an upload with other bytes.
        forget_headers(scope)
        return outcome

    def _arriving(self, scope: Scope) -> _Arriving | None:
        """The upload, if it is small and nothing speaks against it so far."""
        given = dict(scope["headers"])
        length, kind = given.get(b"content-length", b""), given.get(b"content-type", b"")
        if not length.isdigit() or int(length[:20]) > SMALL_BYTES or b"expect" in given:
            return None
        try:
            if not self._fast_path.is_embedded():
                return None
            boundary = boundary_in(kind.decode("latin-1"))
            # All but these are the same for each upload of a client.
            rest = tuple([header for header in scope["headers"] if header[0] not in _OF_BODY])
            entered = self._fast_path.enter(UPLOAD, scope, (UPLOAD.name, scope["client"][0], scope["scheme"], rest))
            if entered is None or entered.caller is None:
                return None
            self._ctx.reservations.disk.check(int(length))
            self._ctx.mode.check(self._ctx.metadata)
            return _Arriving(entered.request, entered.caller, boundary, int(length))
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            return None

    async def _outcome(self, arriving: _Arriving, scope: Scope, receive: Receive) -> Response | Receive:
        try:
            lease = self._threads.admission.take(UPLOADS)
        except Throttled:
            return receive
        upload = None
        try:
            body = Body.of(IndexedRequest(scope, receive))
            body.limit(SMALL_BYTES)
            data = await body.block()
            upload = _Upload(self._ctx, self._threads, self._results_here(), arriving=arriving, data=data, lease=lease)
            return stored_response(await upload.stored(), self._log.proxies.origin(arriving.request))
        except ClientDisconnect:
            return _replayed({"type": "http.disconnect"}, receive)
        except StoreUnavailable as problem:
            # It may have been committed: a second attempt could store it twice.
            return response_for(problem)
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            if upload is None:
                return receive
            Body.forget(scope)
            return _replayed({"type": "http.request", "body": upload.data, "more_body": False}, receive)
        finally:
            if upload is None:
                lease.release()

    def _results_here(self) -> Results:
        loop = asyncio.get_running_loop()
        if self._results is None or self._results.loop is not loop:
            self._results = Results(loop)
        return self._results

    async def _send(self, arriving: _Arriving, response: Response, request_id: str, began: float, send: Send) -> None:
        request, status, body = arriving.request, response.status_code, bytes(response.body)
        self._on_write()
        request.scope["user_id"] = arriving.caller.account_key
        headers = [*self._log.headers(request, response.raw_headers), id_header(request_id)]
        self._log.note_short(request, request_id, UPLOAD.name, status, len(body), began=began, received=arriving.size)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class _Upload:
    """An upload whose bytes have come: from a thread of its own to the thread that commits, and from there back."""

    def __init__(
        self,
        ctx: ServiceContext,
        threads: Threads,
        results: Results,
        *,
        arriving: _Arriving,
        data: bytes,
        lease: Lease,
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._results = results
        self._arriving = arriving
        self.data = data
        self._lease = lease
        self._future: asyncio.Future[StoredObject] = results.loop.create_future()
        self._content: commit.Content | None = None

    async def stored(self) -> StoredObject:
        self._threads.small_uploads.run(partial(copy_context().run, self._store))
        return await self._future

    def _store(self) -> None:
        try:
            metadata, file = _form(self._arriving.boundary, self.data)
            commit.check_size(self._ctx, metadata.size)
            blob = self._ctx.blobs.put([file], expected_size=metadata.size)
            self._content = commit.Content(blob=blob, stored_at=self._ctx.clock.now())
            commit.begin_commit(self._ctx, self._arriving.caller, metadata, self._content, self._committed)
        except BaseException as error:  # noqa: BLE001 - raised where it is awaited
            self._fail(error)

    def _committed(self, stored: StoredObject | None, error: BaseException | None) -> None:
        if error is None:
            self._results.call(partial(self._settle, stored, None))
            return
        try:
            # Not here: others wait for the thread that commits.
            self._threads.small_uploads.run(partial(self._fail, error))
        except RuntimeError:  # the server is stopping
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if self._content is not None and not isinstance(error, StoreUnavailable):
            with suppress(StorageError):
                commit.discard_content(self._ctx, self._content)
        self._results.call(partial(self._settle, None, error))

    def _settle(self, stored: StoredObject | None, error: BaseException | None) -> None:
        self._lease.release()
        settle(self._future, stored, error)


def _form(boundary: str, data: bytes) -> tuple[UploadMetadata, bytes]:
    """Metadata and file of a form that has each once; anything else is an error."""
    found: dict[str, bytes] = {}
    for part in parts_of(boundary, iter((data,))):
        if part.name in found or part.name not in {METADATA_FIELD, FILE_FIELD}:
            raise ServiceError(codes.INVALID_REQUEST)
        found[part.name] = part.text(SMALL_BYTES)
    metadata = found[METADATA_FIELD]
    if len(metadata) > JSON_BODY_BYTES_DEFAULT:
        raise ServiceError(codes.BODY_TOO_LARGE)
    decoded = decode_body(UploadMetadata, metadata)
    if decoded.board_key is not None or decoded.folder_key is None or decoded.expected_version is not None:
        raise ServiceError(codes.INVALID_REQUEST)
    return decoded, found[FILE_FIELD]


def _replayed(message: Message, receive: Receive) -> Receive:
    """The message that was received already, and then whatever comes."""
    messages = [message]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
