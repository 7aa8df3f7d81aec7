"""One verification of an account's history: its head, its keys, all heads that were kept, and the changes since."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from msgspec import Struct

from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError
from skyshelf.client.proofs.kept_heads import KeptHeads
from skyshelf.client.proofs.keys import Key, MismatchError, chain_of, check_known, decoded, signer_of
from skyshelf.client.proofs.records import body_of, compare
from skyshelf.wire.proofs.heads import Head, SignedHead, read_note
from skyshelf.wire.proofs.merkle import HASH_BYTES, GrowingTree, included_root, is_consistent
from skyshelf.wire.resources.history import (
    HistoryEntry,
    HistoryHead,
    HistoryLeaf,
    KeysOfHistory,
    RestoreOfServer,
)
from skyshelf.wire.times import from_epoch_ms


class ProofSource(Protocol):
    """The calls that a verification makes."""

    async def head(self) -> HistoryHead: ...
    async def keys(self) -> KeysOfHistory: ...
    async def consistency(self, old_size: int, size: int) -> list[bytes]: ...
    async def inclusion(self, number: int, size: int) -> list[bytes]: ...
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]: ...
    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        """Changes of the history before a number, newest first."""
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
    """Those of them whose record is kept, and is the one that was logged."""
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

    def __init__(self, source: ProofSource, kept: KeptHeads, given: Sequence[str]) -> None:
        self._source = source
        self._kept = kept
        self._given = [(read_note(note), "the given head") for note in given]
        self.keys: list[Key] = []
        self._restores: list[RestoreOfServer] = []
        self._counts = {"heads": 0, "changes": 0, "records": 0}

    async def run(self, page: int, *, everything: bool, progress: Callable[[int], None] | None = None) -> HistoryCheck:
        """The result; it stops at the first thing that does not fit, except that all heads are compared."""
        known = [(one, _of(one.head)) for one in self._kept.heads()] + self._given
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
        """A sentence for each head that the log does not continue."""
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
        """What the operator has recorded about it."""
        for one in self._restores:
            if (one.date or 0) >= older.time >= (one.state_date or 0):
                when = f" of {_time(one.state_date)}" if one.state_date else ""
                return (
                    f" The operator recorded that the server was restored on {_time(one.date)} from a backup{when}. Ask"
                    " them; if you agree with it, go on from the state of today with --accept-restore."
                )
        return " The server has recorded no restore that would explain it."

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
            leaves = (await self._source.leaves(head.start + index, page))[: head.size - index]
            numbers = [leaf.number for leaf in leaves]
            first = head.start + index
            if not leaves or numbers != list(range(first, first + len(leaves))):
                raise MismatchError(f"The server left out changes: number {first} or one soon after it is missing.")
            hashes = [decoded(leaf.hash) for leaf in leaves]
            if tree is None:
                tree = await self._tree_before(hashes[0], index, head)
            for one in hashes:
                if len(one) != HASH_BYTES:
                    raise MismatchError(f"The server sent a leaf that is no hash, after change {first}.")
                tree.add(one)
            await self._compare(leaves)
            index += len(leaves)
            self._counts["changes"] += len(leaves)
            yield self._counts["changes"]
        assert tree is not None
        if tree.root() != head.root:
            raise MismatchError("The changes that the server shows are not those of its own signed head.")

    async def _tree_before(self, leaf: bytes, index: int, head: Head) -> GrowingTree:
        number = head.start + index
        try:
            path = await self._source.inclusion(number, head.size)
        except ObjectNotFoundError:
            path = []
        if included_root(leaf, index, head.size, path) != head.root:
            raise MismatchError(f"The server cannot prove that change {number} is in its log.")
        return GrowingTree.before(index, head.size, path)

    async def _compare(self, leaves: Sequence[HistoryLeaf]) -> None:
        """Compare records with their leaves, and with what the history lists."""
        bodies = [(leaf, body) for leaf in leaves if (body := body_of(leaf)) is not None]
        if not bodies:
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
        """Its time may have ended between two calls."""
        again = await self._source.leaves(number, 1)
        return not again or again[0].record is not None


def _read(note: str | None) -> SignedHead | None:
    try:
        return None if note is None else read_note(note)
    except ValueError:
        return None


def _of(head: Head) -> str:
    return f"the head of {_time(head.time)}"


def _time(ms: int | None) -> str:
    return f"{from_epoch_ms(ms or 0):%Y-%m-%d %H:%M} UTC"
