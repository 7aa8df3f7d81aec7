"""The log of an account's changes, which proves that none was altered later: leaves, hashes and a signed head.

The hashes of its tree are stored in tiles, 256 in a row of the database. Level 0 has the hashes of the leaves. An entry
of level n + 1 is the root of a full tile of level n. All other nodes are computed from one tile. So a change costs 32
bytes, and a proof reads a few rows whatever the size of the log.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from skyshelf.wire.proofs.leaves import Body
from skyshelf.wire.proofs.merkle import HASH_BYTES, Node, Range, fold, node_hash, perfect_nodes


class Log(NamedTuple):
    """A log that has begun. The newest change of the account may not be in it yet."""

    log_key: str
    start: int
    size: int
    head: str

    @property
    def next(self) -> int:
        """The first change that is not in it."""
        return self.start + self.size


class LoggedChange(NamedTuple):
    """A change as a leaf has it."""

    seq: int
    at: int
    body: Body


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """What is added to a log of a certain size, in one step. The states are those after the changes, in order."""

    log: Log
    """The log as it was: of size 0 if it begins."""
    size: int
    """The new one."""
    head: str
    key_id: str
    """The key that signed the head: it must still be in use."""
    tiles: Mapping[int, bytes]
    states: Sequence[bytes | None]


class HistoryKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key that signs heads; retired_at is 0 for the one in use, and the others' private keys are gone."""

    number: int
    key_id: str
    public_key: bytes
    private_key: bytes | None = None
    created_at: int
    retired_at: int = 0
    signature: bytes = b""
    """By the key before it; empty for the first."""

    def __repr__(self) -> str:
        return f"HistoryKey(number={self.number}, key_id={self.key_id!r})"


HEIGHT: Final = 8
WIDTH: Final = 1 << HEIGHT
_LEVEL_BITS: Final = 48


def place(level: int, tile: int) -> int:
    """Return the number under which a tile is stored."""
    return level << _LEVEL_BITS | tile


def open_places(size: int) -> list[int]:
    """Return the tiles that leaves are added to next; those that do not exist yet are left out."""
    found = []
    level = 0
    while size:
        if size % WIDTH:
            found.append(place(level, size // WIDTH))
        size //= WIDTH
        level += 1
    return found


def grown(size: int, tiles: Mapping[int, bytes], leaves: Sequence[bytes]) -> dict[int, bytes]:
    """Return the tiles that change when leaves are added to a log; `tiles` are those of open_places."""
    changed: dict[int, bytes] = {}
    level, entries = 0, list(leaves)
    while entries:
        number, full = size // WIDTH, []
        kept = tiles[place(level, number)] if size % WIDTH else b""
        assert len(kept) == size % WIDTH * HASH_BYTES, "the tile of that size"
        while entries or len(kept) == WIDTH * HASH_BYTES:
            free = WIDTH - len(kept) // HASH_BYTES
            kept += b"".join(entries[:free])
            entries = entries[free:]
            changed[place(level, number)] = kept
            if len(kept) < WIDTH * HASH_BYTES:
                break
            full.append(_root(kept, 0, WIDTH))
            number, kept = number + 1, b""
        level, size, entries = level + 1, size // WIDTH, full
    return changed


def needed_places(ranges: Iterable[Range]) -> list[int]:
    """Return the tiles that the hashes of ranges are computed from."""
    return sorted({_where(node)[0] for low, high in ranges for node in perfect_nodes(low, high)})


def range_hashes(tiles: Mapping[int, bytes], ranges: Iterable[Range]) -> list[bytes]:
    """Return the hash of each range."""
    return [fold([_hash(tiles, node) for node in perfect_nodes(low, high)]) for low, high in ranges]


def _where(node: Node) -> tuple[int, int, int]:
    """Return the tile of a node, and the entries of it that are below the node: the first, and how many."""
    level, above = divmod(node.height, HEIGHT)
    tile, first = divmod(node.number << above, WIDTH)
    return place(level, tile), first, 1 << above


def _hash(tiles: Mapping[int, bytes], node: Node) -> bytes:
    where, first, count = _where(node)
    return _root(tiles[where], first, count)


def _root(tile: bytes, first: int, count: int) -> bytes:
    """Return the root of some of a tile's entries, a power of two of them."""
    row = [tile[at : at + HASH_BYTES] for at in range(first * HASH_BYTES, (first + count) * HASH_BYTES, HASH_BYTES)]
    while len(row) > 1:
        row = [node_hash(left, right) for left, right in zip(row[::2], row[1::2], strict=True)]
    return row[0]
