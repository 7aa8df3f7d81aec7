"""PUT: a file is stored as it arrives, by the code that stores every upload."""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from typing import Protocol

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import UploadHeaders
from skyshelf.server.pipeline.admission.kinds import UPLOADS
from skyshelf.server.pipeline.bodies import Body
from skyshelf.server.pipeline.request import has_rows_at_hand
from skyshelf.server.pipeline.small_uploads import SmallFile, store_small
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change
from skyshelf.service.files.moves import Spot
from skyshelf.service.uploads import commit, streamed
from skyshelf.storage.blobs.protocols import StoredBlob
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
    if body.is_small(first) and not call.conditions.are_given and has_rows_at_hand(call.request):
        small = await store_small(
            call.ctx, call.threads, call.caller, lambda: _small_file(call, first, received), lease
        )
        if small is not None:
            return stored_response(call, small, received, is_new=small.version == 1)
        lease = await call.threads.admission.enter(UPLOADS)
    # A body that has already arrived completely needs no announced size.
    size = len(first) if body.is_complete else body.announced
    stored, is_new = await call.threads.body(lambda: store(call, body.blocks(first), size, received), lease)
    return stored_response(call, stored, received, is_new=is_new)


def stored_response(call: DavCall, stored: StoredObject, received: UploadHeaders, *, is_new: bool) -> Response:
    headers = {"cache-control": "no-store", **call.dialect.headers_of_upload(stored, received)}
    return Response(status_code=201 if is_new else 204, headers=headers)


def _small_file(call: DavCall, data: bytes, received: UploadHeaders) -> SmallFile:
    """Return a small file that has arrived completely, without conditions; for a worker thread.

    The commit checks the name and the quota anyway, with the last word, so neither is looked up here.
    """
    commit.check_size(call.ctx, len(data))
    with call.ctx.metadata.read() as unit:
        spot = call.new_spot(unit, call.names)
    digests = Digests(received.checksums)
    for _ in digests.reading(iter((data,))):
        pass

    def guard(unit: Unit) -> None:
        held = call.held(unit)
        if held.locks:
            existing = unit.tree.child_named(call.account_id, spot.folder_key, spot.name)
            held.check(change_at(spot, existing), call.conditions.lock_keys)

    def describe(blob: StoredBlob) -> UploadMetadata:
        digests.check({"MD5": blob.md5, "SHA256": blob.sha256})
        return UploadMetadata(
            name=spot.name,
            size=blob.size,
            hash=blob.md5,
            folder_key=spot.folder_key,
            file_created_date=received.created_at,
            last_modified_date=received.modified_at,
        )

    return SmallFile(data, len(data), describe, guard)


def change_at(spot: Spot, existing: StoredObject | None) -> Change:
    """Return the change that stores a file there, for the check of locks."""
    return Change(members_of=[spot.folder_key]) if existing is None else Change(changed=[existing.object_key])


def store(
    call: DavCall, blocks: Iterator[bytes], size: int | None, received: UploadHeaders
) -> tuple[StoredObject, bool]:
    """Store the file, and return it with whether it is a new file rather than the next version of an existing one."""
    ctx, caller = call.ctx, call.caller
    with ctx.metadata.read() as unit:
        spot = call.new_spot(unit, call.names)
        existing = call.look_up(unit, call.names)
    if existing is not None and existing.is_folder:
        raise ServiceError(codes.NAME_TAKEN, "A folder has that name")
    guard = call.guard(change_at(spot, existing))
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
    """The digests that a client announced, compared with those of the received bytes."""

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
        """Whether there is a digest that the storage does not compute."""
        return bool(self._running)

    def reading(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            for digest in self._running.values():
                digest.update(block)
            yield block

    def found(self) -> dict[str, str]:
        """Return the digests that were computed here."""
        return {kind: digest.hexdigest() for kind, digest in self._running.items()}

    def check(self, known: Mapping[str, str]) -> None:
        """Raise CONTENT_HASH_MISMATCH if one of them differs."""
        found = {**known, **self.found()}
        for kind, digest in self._announced.items():
            if kind in found and found[kind] != digest:
                raise ServiceError(codes.CONTENT_HASH_MISMATCH, f"The file does not match its announced {kind}")
