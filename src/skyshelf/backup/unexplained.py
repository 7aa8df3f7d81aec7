"""Removing objects that no cut explains: what killed runs have left, with encryption above all.

Such an object is only noted when it is found first, and removed when it is still unexplained some days later: until
then, a manifest that somebody has removed by mistake can be put back. Many of them at once stop everything until an
operator releases that, because they mean lost manifests rather than killed runs.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

import msgspec

from skyshelf.backup.contents import Journal
from skyshelf.backup.cut import DROPPED, UNEXPLAINED, Cut, iso, manifests
from skyshelf.backup.places import BackupRefused, CutDamaged, Place, PlaceEntry
from skyshelf.backup.prune import (
    FEW_UNEXPLAINED,
    PARTS,
    SHARE_UNEXPLAINED,
    blob_names,
    readable_manifests,
    structure_names,
)

DELAY_DAYS: Final = 7
_DAY_MS: Final = 86_400_000
_SEEN: Final = f"{UNEXPLAINED}seen.json"
_OURS = re.compile(r"blobs/[0-9a-f]{2}/[0-9a-f]{64}(-[0-9a-f]{16})?|(packs|lists)/[0-9a-f]{64}")
"""Names that a backup gives: anything else is somebody else's, and stays."""


class UnexplainedResult(msgspec.Struct, rename="camel"):
    """The objects that were removed, and those that wait."""

    at: str
    removed: list[str] = []
    bytes: int = 0
    waiting: int = 0
    """Objects that are removed later, unless a cut explains them by then."""
    next_at: str | None = None
    """When the first of them is due."""


def remove_unexplained(
    place: Place,
    *,
    released: bool = False,
    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
) -> UnexplainedResult:
    """Remove what has been unexplained for some days. The caller holds the lock of the place."""
    moment = now()
    found, count = _unexplained(place)
    if len(found) > max(FEW_UNEXPLAINED, SHARE_UNEXPLAINED * count) and not released:
        raise BackupRefused(
            f"nothing was removed, because {len(found):,} of {count:,} objects belong to no cut, which is more than"
            " killed backups leave: put back lost manifests (cuts/*.json), or add --release if those cuts were removed"
            " on purpose"
        )
    before = _seen(place)
    since = {name: min(before.get(name, moment), moment) for name in found}
    due = sorted(name for name, at in since.items() if at + DELAY_DAYS * _DAY_MS <= moment)
    result = UnexplainedResult(iso(moment), due, sum(found[name] for name in due), len(since) - len(due))
    for name in due:
        del since[name]
    if since:
        result.next_at = iso(min(since.values()) + DELAY_DAYS * _DAY_MS)
    if due:
        # The record first: what is removed is always explained.
        name = f"history/{result.at.replace(':', '')}-{secrets.token_hex(4)}.json"
        place.put(name, msgspec.json.encode({"at": result.at, "unexplained": due, "bytes": result.bytes}))
        place.delete(due)
    if since != before:
        place.put(_SEEN, msgspec.json.encode(since))
    return result


def _seen(place: Place) -> dict[str, int]:
    """Return since when each object is known to be unexplained; a damaged record starts again."""
    try:
        return msgspec.json.decode(place.get(_SEEN), type=dict[str, int])
    except (FileNotFoundError, msgspec.MsgspecError):
        return {}


def _unexplained(place: Place) -> tuple[dict[str, int], int]:
    """Return names and sizes of what no cut and no unfinished run explains, and how many objects there are in all."""
    readable = readable_manifests(place)
    cuts = [one.cut for one in chain(readable, manifests(place, DROPPED)) if one.cut is not None]
    if not readable:
        raise BackupRefused("there is no cut at this destination: name the folder or bucket of a backup")
    noted = {entry.object_name for kind in (False, True) for entry in Journal(place, encrypted=kind).entries().values()}
    found: dict[str, int] = {}
    count = 0
    try:
        for listed, explained in _in_parts(place, cuts):
            count += len(listed)
            for one in listed:
                if one.name not in explained and one.name not in noted and _OURS.fullmatch(one.name):
                    found[one.name] = one.size
    except CutDamaged as error:
        raise BackupRefused(f"nothing was removed, because {error}: `admin verify` shows more") from error
    return found, count


def _in_parts(place: Place, cuts: Sequence[Cut]) -> Iterator[tuple[list[PlaceEntry], set[str]]]:
    """Yield what is stored, part by part, with what the cuts explain of it."""
    for part in range(PARTS):
        # Listed first: what a cut names was stored before.
        listed = list(place.list(f"blobs/{part:02x}/"))
        if listed:
            yield listed, blob_names(place, cuts, part)
    yield [*place.list("packs/"), *place.list("lists/")], set(structure_names(cuts))
