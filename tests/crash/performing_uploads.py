"""Chunked uploads on the real stores, as the contract of the blob store asks: the row first, then bytes, then the
commit that ends both."""

from tests.crash.contents import Content, bytes_of, content_of
from tests.crash.expecting import GONE
from tests.crash.hands import Hands, new_file, pieces
from tests.crash.operations import BeginUpload, DiscardUpload, FinishUpload, SendChunk

from skyshelf.storage.blobs.protocols import BlobUpload
from skyshelf.storage.blobs.records import Part
from skyshelf.storage.metadata.contracts.uploads import NewUpload, Upload, UploadPart


def begin_upload(hands: Hands, operation: BeginUpload) -> str:
    upload = NewUpload(
        upload_key=operation.upload_key,
        parent_key=operation.parent_key,
        name=operation.name,
        size=operation.content.size,
        md5=operation.content.md5,
        details=str(operation.content.seed).encode(),
    )
    begun = hands.metadata.write(lambda unit: unit.uploads.begin(hands.account_id, upload, operation.now))
    return f"{begun.upload_key} at {begun.received}"


def send_chunk(hands: Hands, operation: SendChunk) -> str:
    key = operation.upload_key
    with hands.blobs.uploading(key) as held:
        row, parts = so_far(hands, key)
        part = _append(held, _bytes_of_upload(row), parts, operation.size)
        acknowledged = UploadPart(part.offset, part.size, part.md5, part.token)
        after = hands.metadata.write(
            lambda unit: unit.uploads.advance(hands.account_id, key, acknowledged, operation.now)
        )
    return str(after.received)


def finish_upload(hands: Hands, operation: FinishUpload) -> None:
    """The last bytes, if some are missing, get no separate commit: the commit of the file covers them."""
    key = operation.upload_key
    with hands.blobs.uploading(key) as held:
        row, parts = so_far(hands, key)
        if operation.last_chunk:
            parts.append(_append(held, _bytes_of_upload(row), parts, operation.last_chunk))
        stored = held.finish(parts, row.size)
        if stored.sha256 != content_of(int(row.details), row.size).sha256:
            raise AssertionError(f"the upload {key} ended with other bytes than it was begun for")
        file = new_file(operation.object_key, row.parent_key, row.name, stored, operation.now)
        if hands.refer(file, operation.now, upload_key=key):
            held.discard()


def discard_upload(hands: Hands, operation: DiscardUpload) -> None:
    there = hands.metadata.write(lambda unit: unit.uploads.discard(hands.account_id, operation.upload_key))
    hands.acknowledge([GONE] if there else ["Missing"])
    hands.blobs.discard(operation.upload_key)


def so_far(hands: Hands, upload_key: str) -> tuple[Upload, list[Part]]:
    """The row of an upload that we hold, perhaps begun before an earlier crash, and its acknowledged parts."""
    with hands.metadata.snapshot() as unit:
        row = unit.uploads.get(hands.account_id, upload_key)
        parts = unit.uploads.parts(hands.account_id, upload_key)
    return row, [Part(part.start, part.size, part.md5, part.token) for part in parts]


def _append(held: BlobUpload, data: bytes, parts: list[Part], size: int) -> Part:
    start = parts[-1].end if parts else 0
    chunk = data[start : start + size]
    return held.append(pieces(chunk), after=parts[-1] if parts else None, expected_size=size)


def _bytes_of_upload(row: Upload) -> bytes:
    """The client's file: what it is was noted when the upload began."""
    return bytes_of(Content(int(row.details), row.size, "", row.md5))
