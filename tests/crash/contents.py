"""Contents that follow from a few numbers, so a journal of thousands of writes holds no bytes."""

import functools
import hashlib
import struct
import zlib
from random import Random
from typing import NamedTuple

_SHARED = 6
_SIDE = 16


class Content(NamedTuple):
    seed: int
    size: int
    """0 for a small picture, whose size follows from its pixels."""


def fresh(rng: Random) -> Content:
    """Never seen before, and too long to be equal by chance. Most are small, so there are many operations."""
    return Content(rng.getrandbits(62), rng.randint(32, rng.choice((1_000, 4_000, 20_000, 120_000))))


def shared(rng: Random) -> Content:
    """One of a few that all accounts put, again and again."""
    number = rng.randrange(_SHARED)
    return Content(number, 700 + number * 9_000)


def picture(rng: Random) -> Content:
    return Content(rng.getrandbits(62), 0)


@functools.lru_cache(512)
def bytes_of(content: Content) -> bytes:
    rng = Random(content.seed)
    if content.size:
        return rng.randbytes(content.size)
    lines = b"".join(b"\0" + rng.randbytes(3 * _SIDE) for _ in range(_SIDE))
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def md5_of(content: Content) -> str:
    return hashlib.md5(bytes_of(content), usedforsecurity=False).hexdigest()
