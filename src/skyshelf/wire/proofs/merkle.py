"""Merkle trees as in RFC 6962: hashes, proofs, and what a proof consists of.

A tree of n leaves is split at the largest power of two below n. A range of leaves is made of perfect subtrees: the one
of height h and number i has the leaves from i * 2^h up to (i + 1) * 2^h.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

HASH_BYTES: Final = 32
EMPTY: Final = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""
PATH_MAX: Final = 64
"""Longer than any proof of a tree of less than 2^63 leaves can be, by one."""

Range: TypeAlias = tuple[int, int]


class Node(NamedTuple):
    """A perfect subtree."""

    height: int
    number: int


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def fold(hashes: Sequence[bytes]) -> bytes:
    """Return the hash of a range of leaves from those of its perfect subtrees, from left to right."""
    if not hashes:
        return EMPTY
    joined = hashes[-1]
    for left in reversed(hashes[:-1]):
        joined = node_hash(left, joined)
    return joined


def perfect_nodes(low: int, high: int) -> list[Node]:
    """Return the perfect subtrees of a range that a tree was split into, from left to right."""
    found = []
    while low < high:
        height = (high - low).bit_length() - 1
        found.append(Node(height, low >> height))
        low += 1 << height
    return found


# The ranges whose hashes make up a proof.


def inclusion_ranges(index: int, size: int) -> list[Range]:
    low, high = 0, size
    ranges: list[Range] = []
    while high - low > 1:
        middle = low + _half(high - low)
        if index < middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low = middle
    return ranges[::-1]


def consistency_ranges(old: int, new: int) -> list[Range]:
    """Return the ranges that prove that the first `new` leaves continue the first `old`; none if equal or empty."""
    if not 0 < old < new:
        return []
    low, high, is_whole = 0, new, True
    ranges: list[Range] = []
    while old < high:
        middle = low + _half(high - low)
        if old <= middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low, is_whole = middle, False
    if not is_whole:
        ranges.append((low, high))
    return ranges[::-1]


def _half(count: int) -> int:
    """Return the largest power of two below a number of leaves."""
    return 1 << (count - 1).bit_length() - 1


# Verification, as in RFC 9162, sections 2.1.3.2 and 2.1.4.2.


def included_root(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root of the tree that a path belongs to; None if the path is not valid."""
    if not 0 <= index < size or len(path) >= PATH_MAX:
        return None
    first, last, root = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if first & 1 or first == last:
            root = node_hash(sibling, root)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        first, last = first >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(old: tuple[int, bytes], new: tuple[int, bytes], path: Sequence[bytes]) -> bool:
    """Return whether a tree (its size and root) continues an older one."""
    (old_size, old_root), (new_size, new_root) = old, new
    if old_size > new_size or len(path) >= PATH_MAX:
        return False
    if old_size == new_size:
        return not path and old_root == new_root
    if old_size == 0:
        return not path and old_root == EMPTY
    hashes = [old_root, *path] if old_size & (old_size - 1) == 0 else list(path)
    if not hashes:
        return False
    first, last = old_size - 1, new_size - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    older = newer = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        first, last = first >> 1, last >> 1
    return last == 0 and older == old_root and newer == new_root


class GrowingTree:
    """The root of a tree to which leaves are added; it keeps only the perfect subtrees."""

    def __init__(self, size: int = 0, nodes: Sequence[bytes] = ()) -> None:
        assert size.bit_count() == len(nodes), "the perfect subtrees of that many leaves"
        self.size = size
        self._nodes = list(nodes)

    @classmethod
    def before(cls, index: int, size: int, path: Sequence[bytes]) -> "GrowingTree":
        """Rebuild the tree of all leaves before one, from the parts to its left in the proof of its inclusion."""
        ranges = inclusion_ranges(index, size)
        left = [one for one, (low, _) in zip(path, ranges, strict=True) if low < index]
        return cls(index, left[::-1])

    def add(self, leaf: bytes) -> None:
        joined, size = leaf, self.size
        while size & 1:
            joined, size = node_hash(self._nodes.pop(), joined), size >> 1
        self._nodes.append(joined)
        self.size += 1

    def root(self) -> bytes:
        return fold(self._nodes)
