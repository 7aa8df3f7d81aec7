"""The fast path of small uploads: the bytes come first, and then everything happens in one thread.

As in `fast_path.py`, only what goes well is answered here. Whatever is refused goes on to the framework's routes, with
the bytes that have come, and is refused there: so there is one set of rules. An upload of any size works without this.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from skyshelf.server.connections.gate import Gate
from skyshelf.server.early_requests import EarlyRequests, replayed
from skyshelf.server.fast_path import FastPath
from skyshelf.server.handlers.uploads import stored_response
from skyshelf.server.http.admission.kinds import UPLOADS
from skyshelf.server.http.bodies import Body
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.multipart import boundary_in, parts_of
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import IndexedRequest, forget_headers
from skyshelf.server.observability.access_log import AccessLog
from skyshelf.server.small_uploads import SMALL_BYTES, Arrived, SmallUpload
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.wire import error_codes as codes
from skyshelf.wire.decoding import decode_body
from skyshelf.wire.endpoints.uploads import UPLOAD
from skyshelf.wire.limits import JSON_BODY_BYTES_DEFAULT
from skyshelf.wire.resources.uploads import FILE_FIELD, METADATA_FIELD, UploadMetadata

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
        self._early = EarlyRequests(gate, log)
        self._log = log
        self._on_write = on_write

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Answer it; otherwise, what the routes are to receive."""
        began = time.perf_counter()
        arriving = self._arriving(scope)
        rest = receive
        if arriving is not None:
            request, caller = arriving.request, arriving.caller
            with self._early.answering(request, caller.account_id) as request_id:
                outcome = await self._outcome(arriving, scope, receive)
                if isinstance(outcome, Response):
                    self._on_write()
                    request.scope["user_id"] = caller.account_key
                    await self._early.send(
                        request,
                        outcome,
                        send,
                        name=UPLOAD.name,
                        request_id=request_id,
                        began=began,
                        received=arriving.size,
                    )
                    return None
                rest = outcome
        # The remembered ones are those of an upload with other bytes.
        forget_headers(scope)
        return rest

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
        data: bytes | None = None
        upload = None
        try:
            body = Body.of(IndexedRequest(scope, receive))
            body.limit(SMALL_BYTES)
            data = await body.block()
            upload = SmallUpload(
                self._ctx,
                self._threads,
                self._early.results(),
                caller=arriving.caller,
                read=partial(_form, arriving.boundary, data),
                lease=lease,
            )
            return stored_response(await upload.stored(), self._log.proxies.origin(arriving.request))
        except ClientDisconnect:
            return replayed({"type": "http.disconnect"}, receive)
        except StoreUnavailable as problem:
            # It may have been committed: a second attempt could store it twice.
            return response_for(problem)
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            if data is None:
                return receive
            Body.forget(scope)
            return replayed({"type": "http.request", "body": data, "more_body": False}, receive)
        finally:
            if upload is None:
                lease.release()


def _form(boundary: str, data: bytes) -> Arrived:
    """The file of a form that has metadata and a file once each; anything else is an error."""
    found: dict[str, bytes] = {}
    for part in parts_of(boundary, iter((data,))):
        if part.name in found or part.name not in {METADATA_FIELD, FILE_FIELD}:
            raise ServiceError(codes.INVALID_REQUEST)
        found[part.name] = part.text(SMALL_BYTES)
    metadata = found[METADATA_FIELD]
    if len(metadata) > JSON_BODY_BYTES_DEFAULT:
        raise ServiceError(codes.BODY_TOO_LARGE)
    decoded = decode_body(UploadMetadata, metadata)
    if decoded.board_key is not None or decoded.folder_key is None:
        raise ServiceError(codes.INVALID_REQUEST)
    return Arrived(found[FILE_FIELD], decoded.size, lambda _: decoded)
