"""Verifying a backup: every manifest and list, the presence and size of every object and, on demand, every byte.

Nothing is written. A cut that is removed while it runs is left out.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import Final

import msgspec

from skyshelf.backup.chunks import get_list, list_name, pack_name
from skyshelf.backup.contents import UNFINISHED
from skyshelf.backup.cut import CUTS, DROPPED, Cut, Found, Stored, check_key, manifests
from skyshelf.backup.errors import BackupRefused, CutDamaged
from skyshelf.backup.inventory import Entry, entries_in, part_of
from skyshelf.backup.places import Place, digest_of
from skyshelf.backup.progress import Progress, Silent
from skyshelf.backup.sealing import KEY_BYTES, Names, Opener, Plain

_PARTS: Final = 256
_GROUP: Final = 256


class Damage(msgspec.Struct, frozen=True):
    """An object or a manifest with which something is wrong, and the cuts that need it."""

    object: str
    problem: str
    cuts: list[str]


class Verified(msgspec.Struct, rename="camel"):
    """What a verification has found."""

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


def names_of(found: Found, opener: Opener | None) -> tuple[Names, Opener]:
    """What a cut's contents are called and how they are opened; needs the identity of an encrypted one."""
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


def verify(place: Place, *, deep: bool, opener: Opener | None = None, progress: Progress | None = None) -> Verified:
    """Check all cuts of a place."""
    return _Verification(place, opener, progress or Silent(), deep=deep).run()


class _Verification:
    def __init__(self, place: Place, opener: Opener | None, progress: Progress, *, deep: bool) -> None:
        self._place = place
        self._opener = opener
        self._progress = progress
        self._stopped = threading.Event()
        self._found = list(manifests(place))
        self._cuts = [one.cut for one in self._found if one.cut is not None]
        self.result = Verified(len(self._found), deep=deep)
        if not self._found:
            raise BackupRefused("there is no cut at this destination: name the folder or bucket of a backup")

    def run(self) -> Verified:
        result = self.result
        for one in self._found:
            if one.cut is None:
                self._damaged(f"{CUTS}{one.id}.json", one.problem or "cannot be read", [one.id])
            else:
                self._check_seal(one)
                if one.cut.lacking:
                    result.lacking.append(f"{one.id} lacks {one.cut.lacking} contents that the store had lost")
        self._progress.step("checking lists and packs")
        with ThreadPoolExecutor(self._place.writers, "verify") as threads:
            self._threads = threads
            try:
                self._check_structure()
                self._progress.step("reading contents" if result.deep else "checking contents")
                for part in range(_PARTS):
                    self._check_part(part)
            except BaseException:
                self._stopped.set()
                raise
        self._list_unknown()
        gone = {one.id for one in self._found} - {one.id for one in manifests(self._place)}
        result.damage = [damage for damage in result.damage if not set(damage.cuts) <= gone]
        return result

    def _check_seal(self, found: Found) -> None:
        if self._opener is None:
            return
        try:
            names_of(found, self._opener)
        except CutDamaged as error:
            self._damaged(f"{CUTS}{found.id}.json", str(error), [found.id])

    def _check_structure(self) -> None:
        packs: dict[str, Stored] = {}
        users: dict[str, list[str]] = {}
        lists: dict[str, Stored] = {}
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
        for (name, _), digest in zip(
            to_read, self._threads.map(lambda one: self._digest(one[0], one[1].size), to_read), strict=True
        ):
            if digest != name.partition("/")[2]:
                self._damaged(name, "is damaged" if digest else "is missing", users[name])

    def _check_part(self, part: int) -> None:
        entries: dict[str, tuple[Entry, Cut]] = {}
        users: dict[str, list[str]] = {}
        read: dict[str, list[Entry]] = {}
        for cut in self._cuts:
            stored = cut.contents[part_of(bytes((part,)), len(cut.contents))]
            if stored.name not in read:
                try:
                    data = get_list(self._place, stored)
                    read[stored.name] = list(entries_in(data, encrypted=cut.encrypted))
                except (CutDamaged, ValueError):
                    read[stored.name] = []
            for entry in read[stored.name]:
                if entry.name[0] == part:
                    entries[entry.object_name] = entry, cut
                    users.setdefault(entry.object_name, []).append(cut.id)
        present = {kept.name: kept.size for kept in self._place.list(f"blobs/{part:02x}/")}
        whole: list[Entry] = []
        for name, (entry, _) in entries.items():
            self._count(entry.size)
            problem = _fault(present.get(name), entry.size)
            if problem is not None:
                self._damaged(name, problem, users[name])
            elif self.result.deep:
                self._progress.queued(entry.size)
                whole.append(entry)
        self._unknown_of_part(present, entries)
        remaining = iter(whole)
        while some := list(islice(remaining, _GROUP)):
            for entry, digest in zip(some, self._threads.map(self._content_digest, some), strict=True):
                if digest != entry.digest.hex():
                    self._damaged(entry.object_name, "is damaged" if digest else "is missing", users[entry.object_name])

    def _content_digest(self, entry: Entry) -> str | None:
        digest = self._digest(entry.object_name, entry.size)
        self._progress.finished(entry.name.hex()[:12], entry.size)
        return digest

    def _digest(self, name: str, size: int) -> str | None:
        return digest_of(self._place, name, size, self._stopped.is_set)

    def _unknown_of_part(self, present: dict[str, int], entries: dict[str, tuple[Entry, Cut]]) -> None:
        self.result.unknown += sorted(present.keys() - entries.keys())

    def _list_unknown(self) -> None:
        for kept in _outside(self._place):
            if kept not in self._known:
                self.result.unknown.append(kept)

    def _count(self, size: int) -> None:
        self.result.objects += 1
        self.result.bytes += size

    def _damaged(self, name: str, problem: str, cuts: list[str]) -> None:
        self.result.damage.append(Damage(name, problem, sorted(set(cuts))))
        self._progress.failed(name, problem)


def _outside(place: Place) -> Iterator[str]:
    """Everything but contents, manifests and what runs keep for themselves."""
    own = ("blobs/", CUTS, DROPPED, UNFINISHED, "history/")
    for kept in place.list(""):
        if not kept.name.startswith(own) or (kept.name.startswith(CUTS) and not kept.name.endswith(".json")):
            yield kept.name


def _fault(size: int | None, expected: int) -> str | None:
    if size is None:
        return "is missing"
    return None if size == expected else f"has {size:,} bytes instead of {expected:,}"
