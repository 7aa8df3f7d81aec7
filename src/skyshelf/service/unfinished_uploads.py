"""Uploads that were begun and are not finished: what is on its way, and giving one up."""

from contextlib import suppress

from skyshelf.service.cursors import after_number, cursor_after
from skyshelf.service.house import Caller, House
from skyshelf.service.refusals import Refused
from skyshelf.storage.errors import UploadBusy
from skyshelf.storage.metadata.contracts.tree import Place
from skyshelf.storage.metadata.contracts.uploads import Upload
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.resources.uploads import UnfinishedUpload, UnfinishedUploads


def unfinished_uploads(house: House, caller: Caller, query: CursorQuery) -> UnfinishedUploads:
    """A page of what was begun, newest first."""
    after = after_number(query.cursor)
    with house.metadata.read() as unit:
        found = unit.uploads.page(caller.account_id, limit=query.limit, after=after)
    places = [Place(upload.created_at, upload.upload_key) for upload in found]
    return UnfinishedUploads(
        uploads=[_shown(upload) for upload in found], next_cursor=cursor_after(places, query.limit)
    )


def give_up_upload(house: House, caller: Caller, upload_key: str) -> None:
    """Forget an upload: the room that was kept for it is free with this commit, its bytes go afterwards."""
    if not house.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, upload_key)):
        raise Refused(codes.UPLOAD_NOT_FOUND)
    forget_bytes(house, upload_key)


def forget_bytes(house: House, upload_key: str) -> None:
    """Delete what has come of an upload whose row is gone."""
    # Somebody who writes to it right now meets the missing row, and then discards it himself.
    with suppress(UploadBusy):
        house.blobs.discard(upload_key)


def _shown(upload: Upload) -> UnfinishedUpload:
    return UnfinishedUpload(
        transaction_id=upload.upload_key,
        name=upload.name,
        size=upload.size,
        offset=upload.received,
        hash=upload.md5,
        folder_key=upload.parent_key,
        created_date=upload.created_at,
        last_updated_date=upload.updated_at,
    )
