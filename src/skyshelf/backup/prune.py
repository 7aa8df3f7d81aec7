"""Removing cuts that the rule does not keep, and everything that no other cut needs.

First the manifests move to dropped/, then objects that only they name are deleted, then the moved manifests: a run that
is interrupted at any point is continued by the next one, and no cut ever lacks what it names.

Objects that no manifest explains are left by interrupted runs, and are few. Many of them mean that something is wrong,
such as manifests that somebody removed: then they stay.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import msgspec

from skyshelf.backup.cut import CUTS, DROPPED, Cut, Manifest, iso, manifests
from skyshelf.backup.inventory import entries_in, part_of
from skyshelf.backup.packs import get_list, list_name, pack_name
from skyshelf.backup.places import BackupRefused, CutDamaged, Place, PlaceEntry

_TERM = re.compile(r"([1-9][0-9]{0,3})([hdwmy])")
_HOUR_MS: Final = 3_600_000


class Term(NamedTuple):
    """One cut per period, for so many periods, the current one included."""

    periods: int
    unit: str


class Aged(NamedTuple):
    """What the rule looks at."""

    id: str
    at: int
    is_complete: bool


def parse_rule(text: str) -> list[Term]:
    """`7d,4w,12m`: hours, days, weeks, months and years."""
    terms = []
    for part in text.replace(" ", "").split(","):
        match = _TERM.fullmatch(part)
        if match is None:
            raise BackupRefused(f"'{text}' is not a rule: write for example 7d,4w,12m (h, d, w, m or y)")
        terms.append(Term(int(match[1]), match[2]))
    return terms


def kept(cuts: Sequence[Aged], rule: Sequence[Term], now: int) -> set[str]:
    """Return the ids of those that stay. Periods are those of the calendar, in UTC; the newest complete cut of one
    stays.

    An incomplete cut stays only while it is the newest of all. Cuts of the future stay: a clock was wrong.
    """
    if not cuts:
        return set()
    ordered = sorted(cuts, key=lambda cut: (cut.at, cut.id))
    complete = [cut for cut in ordered if cut.is_complete]
    staying = {ordered[-1].id, *(cut.id for cut in complete[-1:]), *(cut.id for cut in ordered if cut.at > now)}
    for periods, unit in rule:
        newest = {_period(cut.at, unit): cut.id for cut in complete}
        current = _period(now, unit)
        staying |= {identifier for period, identifier in newest.items() if current - periods < period <= current}
    return staying


def _period(at: int, unit: str) -> int:
    """Return the number of the hour, day, week (from Monday), month or year."""
    if unit == "h":
        return at // _HOUR_MS
    day = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    if unit == "d":
        return day.toordinal()
    if unit == "w":
        return (day.toordinal() - 1) // 7
    return day.year * 12 + day.month if unit == "m" else day.year


FEW_UNEXPLAINED: Final = 2000
SHARE_UNEXPLAINED: Final = 0.03
PARTS: Final = 256


class PruneResult(msgspec.Struct, rename="camel"):
    """The cuts and objects that a pruning removed."""

    at: str
    cuts: list[str]
    objects: int = 0
    bytes: int = 0
    unexplained: int = 0
    """Objects that no cut explains, and that were left because they are too many."""


def prune(
    place: Place, rule: Sequence[Term], *, now: Callable[[], int] = lambda: time.time_ns() // 1_000_000
) -> PruneResult:
    """Remove what the rule does not keep. The caller holds the lock of the place, and no run is unfinished."""
    found = readable_manifests(place)
    cuts = [one.cut for one in found if one.cut is not None]
    staying = kept([Aged(cut.id, cut.at, cut.is_complete) for cut in cuts], rule, now())
    result = PruneResult(iso(now()), [cut.id for cut in cuts if cut.id not in staying])
    for one in found:
        if one.id not in staying:
            place.put(f"{DROPPED}{one.id}.json", one.data)
            place.delete([f"{CUTS}{one.id}.json"])
    dropped = list(manifests(place, DROPPED))
    if not dropped:
        return result
    _Sweep(place, [cut for cut in cuts if cut.id in staying], [one.cut for one in dropped if one.cut], result).run()
    if result.objects or result.cuts:
        name = f"history/{result.at.replace(':', '')}-{secrets.token_hex(4)}.json"
        place.put(name, msgspec.json.encode(result))
    place.delete([f"{DROPPED}{one.id}.json" for one in dropped])
    return result


def readable_manifests(place: Place) -> list[Manifest]:
    """Return the manifests of all cuts; BackupRefused when one cannot be read."""
    found = list(manifests(place))
    unreadable = [one.id for one in found if one.cut is None]
    if unreadable:
        raise BackupRefused(
            f"nothing was removed, because the manifest of {', '.join(unreadable)} cannot be read and it may need any"
            " object: restore that file, or delete it if it is lost"
        )
    return found


@dataclass
class _Sweep:
    place: Place
    staying: Sequence[Cut]
    dropped: Sequence[Cut]
    result: PruneResult

    def run(self) -> None:
        # All lists of the cuts that stay are read before anything is deleted; a damaged one ends it here.
        for stored in {one.name: one for cut in self.staying for one in cut.contents}.values():
            try:
                get_list(self.place, stored)
            except CutDamaged as error:
                raise BackupRefused(f"nothing was removed, because {error}: `admin verify` shows more") from error
        for part in range(PARTS):
            self._sweep(
                list(self.place.list(f"blobs/{part:02x}/")),
                needed=blob_names(self.place, self.staying, part),
                explained=lambda part=part: blob_names(self.place, self.dropped, part, damaged_is_empty=True),  # type: ignore[misc]
            )
        self._sweep(
            [*self.place.list("packs/"), *self.place.list("lists/")],
            needed=set(structure_names(self.staying)),
            explained=lambda: set(structure_names(self.dropped)),
        )

    def _sweep(self, found: list[PlaceEntry], *, needed: set[str], explained: Callable[[], set[str]]) -> None:
        surplus = [kept for kept in found if kept.name not in needed]
        if not surplus:
            return
        known = explained()
        going = [kept for kept in surplus if kept.name in known]
        strays = [kept for kept in surplus if kept.name not in known]
        if len(strays) > max(FEW_UNEXPLAINED // PARTS, SHARE_UNEXPLAINED * len(found)):
            self.result.unexplained += len(strays)
        else:
            going += strays
        self.place.delete([kept.name for kept in going])
        self.result.objects += len(going)
        self.result.bytes += sum(kept.size for kept in going)


def blob_names(place: Place, cuts: Iterable[Cut], part: int, *, damaged_is_empty: bool = False) -> set[str]:
    """Return the objects of these cuts whose names begin with that byte."""
    names: set[str] = set()
    seen: set[str] = set()
    for cut in cuts:
        stored = cut.contents[part_of(bytes((part,)), len(cut.contents))]
        if stored.name in seen:
            continue
        seen.add(stored.name)
        try:
            data = get_list(place, stored)
        except CutDamaged:
            if damaged_is_empty:
                continue
            raise
        names.update(entry.object_name for entry in entries_in(data, encrypted=cut.encrypted) if entry.name[0] == part)
    return names


def structure_names(cuts: Iterable[Cut]) -> Iterable[str]:
    """Yield the lists and packs of these cuts."""
    for cut in cuts:
        yield list_name(cut.database.chunks.name)
        yield from (list_name(stored.name) for stored in cut.contents)
        yield from (pack_name(pack.name) for pack in cut.database.packs)
