"""One verification of an account's history: its head, its keys, all heads that were kept, and the changes since."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError
from skyshelf.client.proofs.heads import (
    KeptHeads,
    KeptRecords,
    Key,
    MismatchError,
    chain_of,
    check_known,
    decoded,
    signer_of,
)
from skyshelf.wire.proofs.heads import Head, SignedHead, read_note
from skyshelf.wire.proofs.leaves import (
    Body,
    State,
    decode_before,
    decode_body,
    decode_state,
    hash_of_body,
    hash_of_leaf,
)
from skyshelf.wire.proofs.merkle import HASH_BYTES, GrowingTree, included_root, is_consistent
from skyshelf.wire.resources.history import (
    HistoryEntry,
    HistoryHead,
    HistoryLeaf,
    KeysOfHistory,
    PastState,
    RestoreOfServer,
)
from skyshelf.wire.times import from_epoch_ms

_PURGING = "P"
_DAY_MS = 24 * 60 * 60 * 1000
_LINK, _REWIND = "link", "rewind"
_OTHERS = {"", _LINK, _REWIND, "command"}
"""Who makes changes besides devices: the server, visitors of links, rewinds and commands of the operator."""


def body_of(leaf: HistoryLeaf) -> Body | None:
    """Return the record of a change from its leaf; None when it is no longer kept. MismatchError if it differs."""
    if leaf.record is None:
        return None
    record = decoded(leaf.record)
    if hash_of_leaf(leaf.number or 0, leaf.date or 0, hash_of_body(record)) != decoded(leaf.hash):
        raise MismatchError(f"The record of change {leaf.number} was altered: it is not the one that was logged.")
    try:
        return decode_body(record)
    except ValueError:
        raise MismatchError(
            f"The record of change {leaf.number} cannot be read: a newer client may be needed."
        ) from None


def compare(leaf: HistoryLeaf, body: Body, entry: HistoryEntry) -> None:
    """Raise MismatchError where the history differs from the log."""
    device, _, session = body.actor.partition("/")
    shown: dict[str, tuple[object, object]] = {
        "date": (entry.date, leaf.date),
        "kind": (entry.kind, body.kind),
        "object": (entry.object_key, None if body.kind == "emptied" else body.object_key.hex().upper()),
        "device": (entry.device_key, None if device in _OTHERS else device),
        "session": (entry.session_id, None if device in _OTHERS or not session else session),
        "link": (entry.share_key, session if device == _LINK else None),
        "rewind": (entry.rewind_key, session if device == _REWIND else None),
    }
    before = None if body.before is None else decode_before(body.before)
    after = None if body.after is None else decode_state(body.after)
    if before is not None or entry.before is not None:
        shown |= _differences("before", entry.before, before)
    # The state after a change is shown as it is now: it may be gone, or be purged together with a folder.
    if after is not None and entry.after is not None:
        shown |= _differences("after", entry.after, after)
    wrong = sorted(name for name, (listed, logged) in shown.items() if listed != logged)
    if wrong:
        raise MismatchError(f"The history shows change {leaf.number} otherwise than it was logged: {', '.join(wrong)}.")


def _differences(side: str, shown: PastState | None, logged: State | None) -> dict[str, tuple[object, object]]:
    if shown is None or logged is None:
        return {side: (shown, logged)}
    found: dict[str, tuple[object, object]] = {
        f"name {side}": (shown.object_name, logged.name),
        f"favourite {side}": (shown.is_favorite, logged.is_favorite),
        f"hash {side}": (shown.hash, None if logged.md5 is None else logged.md5.hex()),
    }
    if not logged.is_folder:
        found[f"version {side}"] = (shown.version, logged.version)
        found[f"size {side}"] = (shown.size_in_bytes, logged.size)
    if shown.status != _PURGING:
        found[f"status {side}"] = (shown.status, logged.status)
        found[f"folder {side}"] = (shown.parent_object_key, logged.parent_key)
    return found


class ProofSource(Protocol):
    """The calls that a verification makes."""

    async def head(self) -> HistoryHead: ...
    async def keys(self) -> KeysOfHistory: ...
    async def consistency(self, old_size: int, size: int) -> list[bytes]: ...
    async def inclusion(self, number: int, size: int) -> list[bytes]: ...
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]: ...
    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        """Return changes of the history before a number, newest first."""
        ...


class HistoryCheck(Struct, frozen=True, kw_only=True):
    """What a verification has found. It is intact if there are no problems, each of which is a sentence."""

    problems: list[str] = []
    note: str | None = None
    """The head, to be kept or timestamped elsewhere; None while the log has not begun."""
    key_id: str | None = None
    start: int = 0
    size: int = 0
    time: int = 0
    heads: int = 0
    """Heads that were kept or given, and that the log continues."""
    changes: int = 0
    """Changes that were read, and are in the log."""
    records: int = 0
    """Changes among them whose record is kept, and is the one that was logged."""
    waiting: int = 0
    """Changes that the server has not logged yet."""
    is_first: bool = False
    """No head was kept, so the past is the server's word alone."""
    restores: list[RestoreOfServer] = []

    @property
    def is_intact(self) -> bool:
        """Whether everything fits."""
        return not self.problems


class Verification:
    """Compares what a server says with what is kept. Nothing is trusted but the first head."""

    def __init__(
        self, source: ProofSource, kept: KeptHeads, given: Sequence[str], *, accept_forgotten: bool = False
    ) -> None:
        self._source = source
        self._kept = kept
        self._accept_forgotten = accept_forgotten
        self.records = kept.records
        """What the server must keep from now on."""
        self._given = [(read_note(note), "the given head") for note in given]
        self.keys: list[Key] = []
        self._restores: list[RestoreOfServer] = []
        self._missing: list[int] = []
        """Changes without a record that must have one."""
        self._counts = {"heads": 0, "changes": 0, "records": 0}

    async def run(self, page: int, *, everything: bool, progress: Callable[[int], None] | None = None) -> HistoryCheck:
        """Verify everything. It stops at the first mismatch, except that all heads are compared."""
        known = [(one, f"the head of {_time(one.head.time)}") for one in self._kept.heads()] + self._given
        try:
            answer = await self._source.head()
        except NotOfferedError:
            if not known:
                raise
            return HistoryCheck(problems=["The server no longer proves its history, though it did before."])
        problems: list[str] = []
        signer = ""
        try:
            signed = self._signed(answer, known)
            if signed is None:
                return HistoryCheck(waiting=answer.newest_number or 0, is_first=True)
            signer = await self._check_keys(signed, known)
            problems += [problem async for problem in self._continued(signed.head, known)]
            if not problems:
                self._check_kept(answer)
                async for read in self._read(signed.head, answer, page, everything=everything):
                    if progress is not None:
                        progress(read)
        except MismatchError as wrong:
            problems.append(str(wrong))
            signed = _read(answer.note)
        head = None if signed is None else signed.head
        return HistoryCheck(
            problems=problems,
            note=answer.note,
            key_id=signer or None,
            start=0 if head is None else head.start,
            size=0 if head is None else head.size,
            time=0 if head is None else head.time,
            waiting=answer.waiting or 0,
            is_first=not known,
            restores=self._restores,
            **self._counts,
        )

    def _signed(self, answer: HistoryHead, known: Sequence[tuple[SignedHead, str]]) -> SignedHead | None:
        if answer.note is None:
            if known:
                raise MismatchError("The server says that there is no log, though you keep heads of one.")
            return None
        signed = _read(answer.note)
        if signed is None:
            raise MismatchError("The server's head is not a head of a history.")
        return signed

    async def _check_keys(self, signed: SignedHead, known: Sequence[tuple[SignedHead, str]]) -> str:
        answer = await self._source.keys()
        self._restores = answer.restores or []
        self.keys = chain_of(answer.keys or [])
        check_known(self._kept.keys, self.keys)
        numbers = [signer_of(one, self.keys, what.capitalize()) for one, what in known]
        number = signer_of(signed, self.keys, "The server's head")
        if number < max(numbers, default=0):
            raise MismatchError("The server's head is signed with an older key than heads that you keep.")
        return self.keys[number].id

    async def _continued(self, head: Head, known: Sequence[tuple[SignedHead, str]]) -> AsyncIterator[str]:
        """Yield a sentence for each head that the log does not continue."""
        for signed, what in known:
            older = signed.head
            if (older.log, older.start) != (head.log, head.start):
                yield f"The server shows another log than that of {what}: it was begun again.{self._restored(older)}"
            elif older.size > head.size:
                yield (
                    f"History was cut back: {what} has changes up to number {older.newest}, and the log now ends with"
                    f" {head.newest}.{self._restored(older)}"
                )
            elif not await self._continues(older, head):
                yield (
                    f"History was rewritten: what {what} has, up to change {older.newest}, is not in the log as it was."
                    f"{self._restored(older)}"
                )
            else:
                self._counts["heads"] += 1

    async def _continues(self, older: Head, head: Head) -> bool:
        if older.size == head.size:
            return older.root == head.root
        try:
            path = await self._source.consistency(older.size, head.size)
        except ObjectNotFoundError:
            return False
        return is_consistent((older.size, older.root), (head.size, head.root), path)

    def _restored(self, older: Head) -> str:
        """Return what the operator has recorded about a restore."""
        for one in self._restores:
            if (one.date or 0) >= older.time >= (one.state_date or 0):
                when = f" of {_time(one.state_date)}" if one.state_date else ""
                return (
                    f" The operator recorded that the server was restored on {_time(one.date)} from a backup{when}. Ask"
                    " them; if you agree with it, go on from the state of today with --accept-restore."
                )
        return " The server has recorded no restore that would explain it."

    def _check_kept(self, answer: HistoryHead) -> None:
        """Raise MismatchError unless the records that must still be kept are."""
        kept_from, days, known = answer.kept_from or 1, answer.days, self.records
        if self._accept_forgotten:
            known = KeptRecords(days=days, first_of_day=known.first_of_day, forgotten=kept_from)
        promised = days if known.days is None else known.days
        if promised is not None and (days is None or days < promised):
            raise MismatchError(
                f"History was kept for {promised} days when you last looked, and is now kept for"
                f" {'an unknown time' if days is None else f'{days} days'}.{_forgotten(answer)}"
            )
        today = int(time.time() * 1000) // _DAY_MS
        # The clocks of two machines may differ, and a record may go on the day on which its time ends.
        young = {day: number for day, number in known.first_of_day.items() if day > today - (promised or 0) + 1}
        # What a head does not have yet is younger than the head.
        later = {
            one.head.newest + 1 for one, _ in self._given if one.head.time // _DAY_MS > today - (promised or 0) + 1
        }
        missing = [number for number in {*young.values(), *later} if known.forgotten <= number < kept_from]
        if missing:
            raise MismatchError(
                f"The records of changes {min(missing)} to {kept_from - 1} are gone, though history is kept for"
                f" {promised} days, and they are younger.{_forgotten(answer)}"
            )
        first_of_day = {day: number for day, number in young.items() if number >= kept_from}
        self.records = replace(known, days=days, first_of_day=first_of_day)

    async def _read(self, head: Head, answer: HistoryHead, page: int, *, everything: bool) -> AsyncIterator[int]:
        """Read changes that were not checked before, up to the head; together they must make its root.

        Yields how many have been read.
        """
        index = 0 if everything else max(self._kept.checked, (answer.kept_from or 1) - head.start)
        index = max(0, index)
        if index >= head.size:
            return
        tree: GrowingTree | None = None
        while index < head.size:
            first = head.start + index
            try:
                leaves = (await self._source.leaves(first, page))[: head.size - index]
            except ObjectNotFoundError:
                leaves = []
            numbers = [leaf.number for leaf in leaves]
            if not leaves or numbers != list(range(first, first + len(leaves))):
                raise MismatchError(f"The server left out changes: number {first} or one soon after it is missing.")
            hashes = [decoded(leaf.hash) for leaf in leaves]
            if tree is None:
                tree = await self._tree_before(hashes[0], index, head)
            for one in hashes:
                if len(one) != HASH_BYTES:
                    raise MismatchError(f"The server sent a leaf that is no hash, after change {first}.")
                tree.add(one)
            await self._compare(leaves, answer)
            index += len(leaves)
            self._counts["changes"] += len(leaves)
            yield self._counts["changes"]
        assert tree is not None
        if tree.root() != head.root:
            raise MismatchError("The changes that the server shows are not those of its own signed head.")
        if self._missing:
            first, count = self._missing[0], len(self._missing)
            what = f"record of change {first} is" if count == 1 else f"records of {count} changes from {first} on are"
            raise MismatchError(
                f"The {what} missing, though the server says that it keeps all from {answer.kept_from} on."
            )

    async def _tree_before(self, leaf: bytes, index: int, head: Head) -> GrowingTree:
        number = head.start + index
        try:
            path = await self._source.inclusion(number, head.size)
        except ObjectNotFoundError:
            path = []
        if included_root(leaf, index, head.size, path) != head.root:
            raise MismatchError(f"The server cannot prove that change {number} is in its log.")
        return GrowingTree.before(index, head.size, path)

    async def _compare(self, leaves: Sequence[HistoryLeaf], answer: HistoryHead) -> None:
        """Compare records with their leaves, and with what the history lists."""
        bodies: list[tuple[HistoryLeaf, Body]] = []
        for leaf in leaves:
            if (body := body_of(leaf)) is not None:
                bodies.append((leaf, body))
                self.records.first_of_day.setdefault((leaf.date or 0) // _DAY_MS, leaf.number or 0)
            elif (leaf.number or 0) >= (answer.kept_from or 1) and await self._is_kept(leaf.number or 0):
                self._missing.append(leaf.number or 0)
        if not bodies or self._missing:
            # Where records are missing, the history cannot show what was logged.
            return
        last = bodies[-1][0].number or 0
        listed = {one.number: one for one in await self._source.listed(last + 1, len(leaves))}
        for leaf, body in bodies:
            entry = listed.get(leaf.number)
            if entry is not None:
                compare(leaf, body, entry)
            elif await self._is_kept(leaf.number or 0):
                raise MismatchError(f"Change {leaf.number} is in the log, but the history does not list it.")
            self._counts["records"] += 1

    async def _is_kept(self, number: int) -> bool:
        """Whether the record must still be there: its time may have ended between two calls."""
        again = await self._source.head()
        self._check_kept(again)
        return number >= (again.kept_from or 1)


def _read(note: str | None) -> SignedHead | None:
    try:
        return None if note is None else read_note(note)
    except ValueError:
        return None


def _forgotten(answer: HistoryHead) -> str:
    """Return what may explain that records are gone, and what to do."""
    said = "The server has recorded nothing that would explain it."
    if answer.forgotten_date:
        said = f"The server says that you had your history forgotten on {_time(answer.forgotten_date)}."
    return f" {said} If that was you, or your operator keeps history for fewer days, go on with --accept-forgotten."


def _time(ms: int | None) -> str:
    return f"{from_epoch_ms(ms or 0):%Y-%m-%d %H:%M} UTC"
