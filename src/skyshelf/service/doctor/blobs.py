"""Every content that a version has is in the blob store: of its size, and, in a deep look, of its digests.

The blob is looked for first and the row after it: a row goes before its blob does, so that a blob which is missing
while its row is still there afterwards is lost, whatever others did in between.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from skyshelf.service.doctor.promise import PAGE, Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing
from skyshelf.storage.metadata.contracts.content import StoredContent

_TOLD = 3


def look(house: House, visit: Visit) -> Iterator[Finding]:
    with ThreadPoolExecutor(visit.threads, "doctor-blobs") as pool:
        for page in _pages(house):
            for content, fault in zip(page, pool.map(partial(_fault, house, deep=visit.deep), page), strict=True):
                if fault is not None and _is_still_needed(house, content):
                    yield Finding(f"the bytes of {content.sha256} {fault}: {_who(house, content)}")


def _pages(house: House) -> Iterator[list[StoredContent]]:
    after = ""
    while True:
        with house.metadata.read() as unit:
            page = unit.inspection.contents(after, limit=PAGE)
        if not page:
            return
        yield [content for content in page if content.refs]
        after = page[-1].sha256


def _fault(house: House, content: StoredContent, *, deep: bool) -> str | None:
    """What is wrong with the bytes of a content; None when nothing is."""
    try:
        size = house.blobs.size(content.location)
        if size != content.size:
            return f"are {size:,} instead of {content.size:,}"
        if deep and _digests(house.blobs.read(content.location)) != (content.sha256, content.md5):
            return "are others than were stored"
    except BlobMissing:
        return "are gone"
    except (BlobCorrupt, BadLocation):
        return "are not as many as were stored"
    return None


def _digests(pieces: Iterable[bytes]) -> tuple[str, str]:
    content = ContentHash()
    for piece in pieces:
        content.update(piece)
    return content.sha256, content.md5


def _is_still_needed(house: House, content: StoredContent) -> bool:
    with house.metadata.read() as unit:
        known = unit.content.get(content.sha256)
    return known is not None and known.location == content.location and known.refs > 0


def _who(house: House, content: StoredContent) -> str:
    """Which files are without their bytes."""
    with house.metadata.read() as unit:
        holders = unit.inspection.holders(content.sha256, limit=_TOLD + 1)
    told = ", ".join(
        f"version {one.version} of “{one.name}” ({one.object_key}) of account {one.account_id}"
        for one in holders[:_TOLD]
    )
    return f"{told or 'a version that no file has'}{' and others' if len(holders) > _TOLD else ''}"
