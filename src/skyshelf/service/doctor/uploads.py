"""Every upload in progress has its acknowledged chunks without a gap, and their bytes are in the blob store.

The rows are read first and the bytes looked at after them: bytes only grow while the row is there.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import accumulate

from skyshelf.service.doctor.promise import PAGE, Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.errors import Missing, UploadBusy
from skyshelf.storage.metadata.contracts.uploads import Upload
from skyshelf.storage.metadata.store import Unit


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    begun: dict[str, Upload] = {}
    with house.metadata.snapshot() as unit:
        after = ""
        while page := unit.inspection.uploads(after, limit=PAGE):
            for upload in page:
                if _has_gap(unit, upload):
                    yield Finding(
                        f"{_named(upload)} lacks chunks that were acknowledged", partial(_mend, upload=upload)
                    )
                elif upload.received:
                    begun[upload.upload_key] = upload
            after = page[-1].upload_key
    if not begun:
        return
    for listed in house.blobs.list_uploads():
        upload_known = begun.get(listed.upload_id.upper())
        if upload_known is not None and listed.size >= upload_known.received:
            del begun[upload_known.upload_key]
    for upload in begun.values():
        if _still_stands(house, upload):
            yield Finding(f"{_named(upload)} has lost bytes that were acknowledged", partial(_mend, upload=upload))


def _has_gap(unit: Unit, upload: Upload) -> bool:
    parts = unit.uploads.parts(upload.account_id, upload.upload_key)
    ends = list(accumulate((part.size for part in parts), initial=0))
    return [part.start for part in parts] != ends[:-1] or ends[-1] != upload.received


def _still_stands(house: House, upload: Upload) -> bool:
    with suppress(Missing), house.metadata.read() as unit:
        return unit.uploads.get(upload.account_id, upload.upload_key).received == upload.received
    return False


def _mend(house: House, *, upload: Upload) -> str | None:
    """Given up while it is held, so that no chunk comes in between; its client begins anew."""
    with suppress(UploadBusy), house.blobs.uploading(upload.upload_key) as held:
        house.metadata.write(lambda unit: unit.uploads.discard(upload.account_id, upload.upload_key))
        held.discard()
        return f"gave up {_named(upload)}: its client begins anew"
    return None


def _named(upload: Upload) -> str:
    return f"the upload of “{upload.name}” ({upload.upload_key}) of account {upload.account_id}"
