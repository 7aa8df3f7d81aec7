"""Verifying a backup: every manifest and list, the presence and size of every object and, on demand, every byte.

Nothing is written. A cut that is removed while it runs is left out.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

import msgspec

from skyshelf.backup.contents import UNFINISHED
from skyshelf.backup.cut import CUTS, DROPPED, UNEXPLAINED, Manifest, ObjectRef, check_key, manifests
from skyshelf.backup.inventory import Entry, Inspection, part_of, stored_entries
from skyshelf.backup.packs import list_name, pack_name
from skyshelf.backup.places import BackupRefused, CutDamaged, Place, Progress
from skyshelf.backup.sealing import KEY_BYTES, Names, Opener, Plain

_PARTS: Final = 256


class Damage(msgspec.Struct, frozen=True):
    """An object or a manifest with which something is wrong, and the cuts that need it."""

    object: str
    problem: str
    cuts: list[str]


class VerifyResult(msgspec.Struct, rename="camel"):
    """The findings of a verification."""

    cuts: int = 0
    objects: int = 0
    bytes: int = 0
    deep: bool = False
    damage: list[Damage] = []
    lacking: list[str] = []
    """Cuts that are incomplete, because the store itself had lost contents."""
    unknown: list[str] = []
    """Objects that no cut needs: left by interrupted runs, or by somebody else. They do no harm."""

    @property
    def passed(self) -> bool:
        return not self.damage


def names_of(found: Manifest, opener: Opener | None) -> tuple[Names, Opener]:
    """Return what a cut's contents are called and how they are opened; needs the identity of an encrypted one."""
    assert found.cut is not None
    if not found.cut.encrypted:
        return Names(None), Plain()
    if opener is None:
        raise BackupRefused("this backup is encrypted: name the file with its identity (--identity)")
    try:
        key = b"".join(opener.open((found.cut.key,)))
    except CutDamaged as error:
        raise BackupRefused(f"none of the identities opens the cut {found.id}: {error}") from error
    if len(key) != KEY_BYTES:
        raise CutDamaged(f"the key of the cut {found.id} is damaged")
    check_key(found.data, key)
    return Names(key), opener


def verify(place: Place, *, deep: bool, opener: Opener | None = None, progress: Progress | None = None) -> VerifyResult:
    """Check all cuts of a place."""
    return _Verification(place, opener, progress or Progress(), deep=deep).run()


class _Verification:
    def __init__(self, place: Place, opener: Opener | None, progress: Progress, *, deep: bool) -> None:
        self._place = place
        self._opener = opener
        self._progress = progress
        self._found = list(manifests(place))
        self._cuts = [one.cut for one in self._found if one.cut is not None]
        self.result = VerifyResult(len(self._found), deep=deep)
        if not self._found:
            raise BackupRefused("there is no cut at this destination: name the folder or bucket of a backup")

    def run(self) -> VerifyResult:
        result = self.result
        for one in self._found:
            if one.cut is None:
                self._damaged(f"{CUTS}{one.id}.json", one.problem or "cannot be read", [one.id])
            else:
                self._check_seal(one)
                if one.cut.lacking:
                    result.lacking.append(f"{one.id} lacks {one.cut.lacking} contents that the store had lost")
        self._progress.step("checking lists and packs")
        with Inspection(self._place, self._progress) as inspection:
            self._check_structure(inspection)
            self._progress.step("reading contents" if result.deep else "checking contents")
            for part in range(_PARTS):
                self._check_part(part, inspection)
        result.unknown += [name for name in _outside(self._place) if name not in self._known]
        gone = {one.id for one in self._found} - {one.id for one in manifests(self._place)}
        result.damage = [damage for damage in result.damage if not set(damage.cuts) <= gone]
        return result

    def _check_seal(self, found: Manifest) -> None:
        if self._opener is None:
            return
        try:
            names_of(found, self._opener)
        except CutDamaged as error:
            self._damaged(f"{CUTS}{found.id}.json", str(error), [found.id])

    def _check_structure(self, inspection: Inspection) -> None:
        packs: dict[str, ObjectRef] = {}
        users: dict[str, list[str]] = {}
        lists: dict[str, ObjectRef] = {}
        for cut in self._cuts:
            for pack in cut.database.packs:
                packs[pack.name] = pack
                users.setdefault(pack_name(pack.name), []).append(cut.id)
            for stored in (cut.database.chunks, *cut.contents):
                lists[stored.name] = stored
                users.setdefault(list_name(stored.name), []).append(cut.id)
        present = {kept.name: kept.size for kept in chain(self._place.list("packs/"), self._place.list("lists/"))}
        self._known = set(users)
        needed = [(pack_name(one.name), one) for one in packs.values()]
        needed += [(list_name(one.name), one) for one in lists.values()]
        for name, stored in needed:
            self._count(stored.size)
            problem = _fault(present.get(name), stored.size)
            if problem is not None:
                self._damaged(name, problem, users[name])
        # Lists are read in any case; damaged ones are reported here, and their entries are unknown.
        whole = [one for one in needed if present.get(one[0]) == one[1].size]
        to_read = whole if self.result.deep else [one for one in whole if one[0].startswith("lists/")]
        digests = inspection.objects((name, stored.size) for name, stored in to_read)
        for (name, _), digest in zip(to_read, digests, strict=True):
            if digest != name.partition("/")[2]:
                self._damaged(name, "is damaged" if digest else "is missing", users[name])

    def _check_part(self, part: int, inspection: Inspection) -> None:
        entries: dict[str, Entry] = {}
        users: dict[str, list[str]] = {}
        read: dict[str, list[Entry]] = {}
        for cut in self._cuts:
            stored = cut.contents[part_of(bytes((part,)), len(cut.contents))]
            if stored.name not in read:
                read[stored.name] = stored_entries(self._place, stored, encrypted=cut.encrypted)
            for entry in read[stored.name]:
                if entry.name[0] == part:
                    entries[entry.object_name] = entry
                    users.setdefault(entry.object_name, []).append(cut.id)
        present = {kept.name: kept.size for kept in self._place.list(f"blobs/{part:02x}/")}
        whole: list[Entry] = []
        for name, entry in entries.items():
            self._count(entry.size)
            problem = _fault(present.get(name), entry.size)
            if problem is not None:
                self._damaged(name, problem, users[name])
            elif self.result.deep:
                self._progress.queued(entry.size)
                whole.append(entry)
        self.result.unknown += sorted(present.keys() - entries.keys())
        for entry, digest in inspection.contents(whole):
            if digest != entry.digest.hex():
                self._damaged(entry.object_name, "is damaged" if digest else "is missing", users[entry.object_name])

    def _count(self, size: int) -> None:
        self.result.objects += 1
        self.result.bytes += size

    def _damaged(self, name: str, problem: str, cuts: list[str]) -> None:
        self.result.damage.append(Damage(name, problem, sorted(set(cuts))))


def _outside(place: Place) -> Iterator[str]:
    """Yield everything but contents, manifests and what runs keep for themselves."""
    own = ("blobs/", CUTS, DROPPED, UNFINISHED, "history/", UNEXPLAINED)
    for kept in place.list(""):
        if not kept.name.startswith(own) or (kept.name.startswith(CUTS) and not kept.name.endswith(".json")):
            yield kept.name


def _fault(size: int | None, expected: int) -> str | None:
    if size is None:
        return "is missing"
    return None if size == expected else f"has {size:,} bytes instead of {expected:,}"
