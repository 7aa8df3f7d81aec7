"""The parts of an export: how an account is divided, and what is in a part."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.service.archives.archive import Archive, etag_of
from skyshelf.service.archives.zip_writer import ZipEntry, zip_length
from skyshelf.service.context import ServiceContext
from skyshelf.service.exporting import FORMAT, VERSION, PartHead, documents, objects_name, part_name, sums_name
from skyshelf.service.exporting.objects import moment, read_objects
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.limits import EXPORT_PART_OBJECTS_MAX, EXPORT_PARTS_MAX
from skyshelf.wire.names import safe_name

CHANGES_AT_ONCE: Final = 10_000
"""Changes in one document of the history."""
_SIZES_AT_ONCE: Final = 5000
_README: Final = Path(__file__).with_name("readme.txt")
_DOCUMENT: Final = "document "
_UNNAMED: Final = re.compile("[^a-z0-9.-]+")
_line = msgspec.json.Encoder().encode


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Which objects and changes are in a part; both ends of the changes are included, and 0 is none."""

    account_key: str
    begun: int
    number: int
    count: int
    after: str | None = None
    until: str | None = None
    first_change: int = 0
    last_change: int = 0


class PartSize(msgspec.Struct, frozen=True):
    """A part, and what is in it at the time of the division."""

    part: Part
    objects: int
    size: int


class _Range(msgspec.Struct):
    after: str | None
    until: str | None = None
    contents: int = 0
    objects: int = 0
    size: int = 0


def divide(ctx: ServiceContext, account: Account, begun: int, part_bytes: int) -> list[PartSize]:
    """Divide an account into parts of about that size. An object with all its versions is in one part.

    A single object may be larger. An account with very much gets larger parts instead of very many.
    """
    with ctx.metadata.read() as unit:
        used = unit.quotas.get(account.account_id, begun).used
        bounds = unit.history.bounds(account.account_id)
    ranges = list(_ranges(ctx, account.account_id, max(part_bytes, used // EXPORT_PARTS_MAX)))
    changes = range(bounds.oldest + 1, bounds.newest + 1, CHANGES_AT_ONCE)
    count = max(len(ranges), len(changes))
    found = []
    for at in range(count):
        # Parts after the last objects have history alone.
        mine = ranges[at] if at < len(ranges) else _Range(after="F" * 32)
        first = changes[at] if at < len(changes) else 0
        part = Part(
            account_key=account.account_key,
            begun=begun,
            number=at + 1,
            count=count,
            after=mine.after,
            until=mine.until if at < len(ranges) - 1 else None,
            first_change=first,
            last_change=min(first + CHANGES_AT_ONCE - 1, bounds.newest) if first else 0,
        )
        found.append(PartSize(part, mine.objects, mine.size))
    return found


def _ranges(ctx: ServiceContext, account_id: int, part_bytes: int) -> Iterator[_Range]:
    now, after = _Range(after=None), None
    while True:
        with ctx.metadata.read() as unit:
            page = unit.exports.sizes(account_id, after=after, limit=_SIZES_AT_ONCE)
        for one in page:
            contents = max(1, one.versions)
            is_full = now.size + one.size > part_bytes or now.contents + contents > EXPORT_PART_OBJECTS_MAX
            if now.objects and is_full:
                now.until = after
                yield now
                now = _Range(after=after)
            now.objects, now.size, now.contents = now.objects + 1, now.size + one.size, now.contents + contents
            after = one.object_key
        if len(page) < _SIZES_AT_ONCE:
            yield now
            return


class PlannedPart(msgspec.Struct, frozen=True):
    """A part as a ZIP file, and how many contents are missing because they are damaged."""

    archive: Archive
    missing: int


def plan_part(ctx: ServiceContext, account: Account, part: Part) -> PlannedPart:
    """Plan a part as it is now. Its documents are held in memory, its contents are read when they are sent."""
    texts: dict[str, bytes] = {}
    with ctx.metadata.snapshot() as unit:
        found = read_objects(unit, account.account_id, part.after, part.until)
        if part.number == 1:
            texts |= {"README.txt": _readme(account, part), **documents.of_account(ctx, unit, account, part.begun)}
            texts["history/log.json"] = documents.log_head(ctx, account)
        if part.first_change:
            texts[f"history/{part.number:04d}.jsonl"] = documents.changes(
                ctx, unit, account, part.first_change, part.last_change
            )
    texts[part_name(part.number)] = msgspec.json.format(_line(_head(account, part))) + b"\n"
    texts[objects_name(part.number)] = b"".join(_line(one) + b"\n" for one in found.lines)
    digests = {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}
    contents = [(one.content, one.name) for one in found.entries if one.content]
    sums = "".join(f"{digest}  {name}\n" for digest, name in [*((digests[name], name) for name in texts), *contents])
    texts[sums_name(part.number)] = sums.encode()
    digests[sums_name(part.number)] = hashlib.sha256(sums.encode()).hexdigest()
    entries = [
        *(ZipEntry(name, len(text), part.begun, _DOCUMENT + digests[name]) for name, text in texts.items()),
        *found.entries,
    ]
    archive = Archive(
        archive_name(account.email, part),
        entries,
        zip_length(entries),
        etag_of(entries),
        {_DOCUMENT + digests[name]: text for name, text in texts.items()},
    )
    return PlannedPart(archive, found.missing)


def archive_name(email: str, part: Part) -> str:
    """Return the name of a part's ZIP file."""
    who = _UNNAMED.sub("-", email.lower()).strip("-.")
    return safe_name(f"skyshelf-{who}-{moment(part.begun)[:10]}-part-{part.number}-of-{part.count}.zip")


def _head(account: Account, part: Part) -> PartHead:
    return PartHead(
        format=FORMAT,
        version=VERSION,
        account=account.email,
        user_id=account.account_key,
        begun=moment(part.begun),
        part=part.number,
        parts=part.count,
    )


def _readme(account: Account, part: Part) -> bytes:
    begun = f"{moment(part.begun)[:16].replace('T', ' ')} UTC"
    text = _README.read_text("utf-8")
    return text.format(email=account.email, begun=begun, parts=part.count).encode()
