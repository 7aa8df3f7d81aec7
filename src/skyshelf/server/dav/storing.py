"""PUT: a file is stored as it arrives, by the code that stores every upload."""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from typing import Protocol

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import Received
from skyshelf.server.http.admission.kinds import UPLOADS
from skyshelf.server.http.bodies import Body
from skyshelf.server.small_uploads import Arrived
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change, HeldLocks
from skyshelf.service.files.placing import Spot
from skyshelf.service.uploads import commit, streamed
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.uploads import UploadMetadata


async def put(call: DavCall) -> Response:
    if call.headers.get("content-range") is not None:
        raise ServiceError(codes.INVALID_REQUEST, "A part of a file cannot be stored: send all of it")
    received = call.dialect.received(call.headers)
    body = Body.of(call.request)
    body.limit(call.ctx.rules.max_file_size)
    lease = await call.threads.admission.enter(UPLOADS)
    first = await body.block()
    # A body that has come as a whole needs no announcement of its size.
    size = len(first) if body.is_complete else body.announced
    stored, is_new = await call.threads.body(lambda: store(call, body.blocks(first), size, received), lease)
    return stored_response(call, stored, received, is_new=is_new)


def stored_response(call: DavCall, stored: StoredObject, received: Received, *, is_new: bool) -> Response:
    headers = {"cache-control": "no-store", **call.dialect.headers_of_upload(stored, received)}
    return Response(status_code=201 if is_new else 204, headers=headers)


def arrived(call: DavCall, data: bytes, received: Received) -> Arrived:
    """A small file that has come as a whole, without conditions; for a worker thread.

    Nothing is looked up here that the commit looks up as well: the name and the quota, which have the last word there.
    """
    commit.check_size(call.ctx, len(data))
    with call.ctx.metadata.read() as unit:
        spot = call.new_spot(unit, call.names)
    digests = Digests(received.checksums)
    for _ in digests.reading(iter((data,))):
        pass

    def guard(unit: Unit) -> None:
        held = HeldLocks(unit, call.account_id, call.ctx.clock.now())
        if held.locks:
            existing = unit.tree.child_named(call.account_id, spot.folder_key, spot.name)
            held.check(_change(spot, existing), call.conditions.lock_keys)

    def described(blob: StoredBlob) -> UploadMetadata:
        digests.check({"MD5": blob.md5, "SHA256": blob.sha256})
        return UploadMetadata(
            name=spot.name,
            size=blob.size,
            hash=blob.md5,
            folder_key=spot.folder_key,
            file_created_date=received.created_at,
            last_modified_date=received.modified_at,
        )

    return Arrived(data, len(data), described, guard)


def _change(spot: Spot, existing: StoredObject | None) -> Change:
    return Change(members_of=[spot.folder_key]) if existing is None else Change(changed=[existing.object_key])


def store(call: DavCall, blocks: Iterator[bytes], size: int | None, received: Received) -> tuple[StoredObject, bool]:
    """Store the file; whether it is a new one, and not the next version of another."""
    ctx, caller = call.ctx, call.caller
    with ctx.metadata.read() as unit:
        spot = call.new_spot(unit, call.names)
        existing = call.look_up(unit, call.names)
    if existing is not None and existing.is_folder:
        raise ServiceError(codes.NAME_TAKEN, "A folder has that name")
    guard = call.guard(_change(spot, existing))
    file = streamed.StreamedFile(
        folder_key=spot.folder_key,
        name=spot.name,
        size=size,
        modified_at=received.modified_at,
        created_at=received.created_at,
    )
    digests = Digests(received.checksums)
    with ctx.reservations.of(caller.account_id) as reservation:
        streamed.precheck(ctx, caller, file, reservation, guard)
        content = streamed.receive(ctx, caller, file, digests.reading(blocks), reservation)
        try:
            digests.check({"MD5": content.blob.md5, "SHA256": content.blob.sha256})
        except ServiceError:
            commit.discard_content(ctx, content)
            raise
        stored = streamed.finish(ctx, caller, file, content, reservation, guard=guard)
    return stored, stored.version == 1


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


class _Adler32:
    def __init__(self) -> None:
        self._value = 1

    def update(self, data: bytes, /) -> None:
        self._value = zlib.adler32(data, self._value)

    def hexdigest(self) -> str:
        return f"{self._value:08x}"


class Digests:
    """The digests that a client announced, compared with those of the bytes that came."""

    def __init__(self, announced: Mapping[str, str]) -> None:
        self._announced = announced
        self._running: dict[str, _Hash] = {}
        # MD5 and SHA-256 are computed in any case, where the bytes are stored.
        if "SHA1" in announced:
            self._running["SHA1"] = hashlib.sha1(usedforsecurity=False)
        if "ADLER32" in announced:
            self._running["ADLER32"] = _Adler32()

    @property
    def needs_bytes(self) -> bool:
        """Whether there is one that the storage does not compute."""
        return bool(self._running)

    def reading(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            for digest in self._running.values():
                digest.update(block)
            yield block

    def found(self) -> dict[str, str]:
        """Those that were computed here."""
        return {kind: digest.hexdigest() for kind, digest in self._running.items()}

    def check(self, known: Mapping[str, str]) -> None:
        """CONTENT_HASH_MISMATCH if one of them differs."""
        found = {**known, **self.found()}
        for kind, digest in self._announced.items():
            if kind in found and found[kind] != digest:
                raise ServiceError(codes.CONTENT_HASH_MISMATCH, f"The file does not match its announced {kind}")
