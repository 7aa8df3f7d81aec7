"""Removing cuts that the rule does not keep, and everything that no other cut needs.

First the manifests move to dropped/, then objects that only they name are deleted, then the moved manifests: a run that
is interrupted at any point is continued by the next one, and no cut ever lacks what it names.

Objects that no manifest explains are left by interrupted runs, and are few. Many of them mean that something is wrong,
such as manifests that somebody removed: then they stay.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from skyshelf.backup.chunks import get_list, list_name, pack_name
from skyshelf.backup.cut import CUTS, DROPPED, Cut, iso, manifests
from skyshelf.backup.errors import BackupRefused, CutDamaged
from skyshelf.backup.inventory import entries_in, part_of
from skyshelf.backup.keep import Aged, Term, kept
from skyshelf.backup.places import Kept, Place

FEW_UNEXPLAINED: Final = 2000
SHARE_UNEXPLAINED: Final = 0.03
_PARTS: Final = 256


class Pruned(msgspec.Struct, rename="camel"):
    """What was removed."""

    at: str
    cuts: list[str]
    objects: int = 0
    bytes: int = 0
    unexplained: int = 0
    """Objects that no cut explains, and that were left because they are too many."""


def prune(
    place: Place, rule: Sequence[Term], *, now: Callable[[], int] = lambda: time.time_ns() // 1_000_000
) -> Pruned:
    """Remove what the rule does not keep. The caller holds the lock of the place, and no run is unfinished."""
    found = list(manifests(place))
    unreadable = [one.id for one in found if one.cut is None]
    if unreadable:
        raise BackupRefused(
            f"nothing was removed, because the manifest of {', '.join(unreadable)} cannot be read and it may need any"
            " object: restore that file, or delete it if it is lost"
        )
    cuts = [one.cut for one in found if one.cut is not None]
    staying = kept([Aged(cut.id, cut.at, cut.is_complete) for cut in cuts], rule, now())
    result = Pruned(iso(now()), [cut.id for cut in cuts if cut.id not in staying])
    for one in found:
        if one.id not in staying:
            place.put(f"{DROPPED}{one.id}.json", one.data)
            place.delete([f"{CUTS}{one.id}.json"])
    dropped = list(manifests(place, DROPPED))
    if not dropped:
        return result
    # All lists of the cuts that stay are read before anything is deleted; a damaged one ends it here.
    sweep = _Sweep(place, [cut for cut in cuts if cut.id in staying], [one.cut for one in dropped if one.cut], result)
    sweep.run()
    if result.objects or result.cuts:
        name = f"history/{result.at.replace(':', '')}-{secrets.token_hex(4)}.json"
        place.put(name, msgspec.json.encode(result))
    place.delete([f"{DROPPED}{one.id}.json" for one in dropped])
    return result


class _Sweep:
    def __init__(self, place: Place, staying: Sequence[Cut], dropped: Sequence[Cut], result: Pruned) -> None:
        self._place = place
        self._staying = staying
        self._dropped = dropped
        self._result = result
        self._check_lists()

    def _check_lists(self) -> None:
        seen: set[str] = set()
        for cut in self._staying:
            for stored in cut.contents:
                if stored.name not in seen:
                    seen.add(stored.name)
                    try:
                        get_list(self._place, stored)
                    except CutDamaged as error:
                        raise BackupRefused(
                            f"nothing was removed, because {error}: `admin verify` shows more"
                        ) from error

    def run(self) -> None:
        for part in range(_PARTS):
            self._sweep(
                list(self._place.list(f"blobs/{part:02x}/")),
                needed=self._names(self._staying, part),
                explained=lambda part=part: self._names(self._dropped, part, damaged_is_empty=True),  # type: ignore[misc]
            )
        self._sweep(
            [*self._place.list("packs/"), *self._place.list("lists/")],
            needed=set(_structure(self._staying)),
            explained=lambda: set(_structure(self._dropped)),
        )

    def _sweep(self, found: list[Kept], *, needed: set[str], explained: Callable[[], set[str]]) -> None:
        surplus = [kept for kept in found if kept.name not in needed]
        if not surplus:
            return
        known = explained()
        going = [kept for kept in surplus if kept.name in known]
        strays = [kept for kept in surplus if kept.name not in known]
        if len(strays) > max(FEW_UNEXPLAINED // _PARTS, SHARE_UNEXPLAINED * len(found)):
            self._result.unexplained += len(strays)
        else:
            going += strays
        self._place.delete([kept.name for kept in going])
        self._result.objects += len(going)
        self._result.bytes += sum(kept.size for kept in going)

    def _names(self, cuts: Sequence[Cut], part: int, *, damaged_is_empty: bool = False) -> set[str]:
        """The objects of these cuts whose names begin with that byte."""
        names: set[str] = set()
        seen: set[str] = set()
        for cut in cuts:
            stored = cut.contents[part_of(bytes((part,)), len(cut.contents))]
            if stored.name in seen:
                continue
            seen.add(stored.name)
            try:
                data = get_list(self._place, stored)
            except CutDamaged:
                if damaged_is_empty:
                    continue
                raise
            names.update(
                entry.object_name for entry in entries_in(data, encrypted=cut.encrypted) if entry.name[0] == part
            )
        return names


def _structure(cuts: Iterable[Cut]) -> Iterable[str]:
    for cut in cuts:
        yield list_name(cut.database.chunks.name)
        yield from (list_name(stored.name) for stored in cut.contents)
        yield from (pack_name(pack.name) for pack in cut.database.packs)
