"""Every thumbnail that was made is in the blob store."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from skyshelf.service.doctor.promise import PAGE, Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing
from skyshelf.storage.metadata.contracts.inspection import ThumbnailRow


def look(house: House, visit: Visit) -> Iterator[Finding]:
    after: ThumbnailRow | None = None
    with ThreadPoolExecutor(visit.threads, "doctor-thumbnails") as pool:
        while True:
            with house.metadata.read() as unit:
                page = unit.inspection.thumbnails(after, limit=PAGE)
            if not page:
                return
            for row, there in zip(page, pool.map(partial(_is_there, house), page), strict=True):
                if not there and _is_still_kept(house, row):
                    what = f"a thumbnail of {row.sha256} ({row.size} pixels, {row.form}) is gone"
                    yield Finding(what, partial(_mend, row=row))
            after = page[-1]


def _is_there(house: House, row: ThumbnailRow) -> bool:
    try:
        return house.blobs.size(row.location) == row.bytes
    except (BlobMissing, BlobCorrupt, BadLocation):
        return False


def _is_still_kept(house: House, row: ThumbnailRow) -> bool:
    with house.metadata.read() as unit:
        kept = unit.thumbnails.get(row.sha256, row.size, row.form)
    return kept is not None and kept.location == row.location


def _mend(house: House, *, row: ThumbnailRow) -> str | None:
    house.metadata.write(lambda unit: unit.mending.forget_thumbnail(row))
    house.blobs.delete(row.location)
    return f"forgot a thumbnail of {row.sha256}; it is made again when somebody asks for it"
