"""Contents that both sides can generate from a few numbers, so no bytes travel between them."""

import hashlib
from random import Random

import msgspec

LARGEST = 300_000
_SHARED = 6


class Content(msgspec.Struct, frozen=True):
    """What a file holds; the digests are made from the bytes themselves, before any store has seen them."""

    seed: int
    size: int
    sha256: str
    md5: str


def content_of(seed: int, size: int) -> Content:
    data = Random(seed).randbytes(size)
    return Content(seed, size, hashlib.sha256(data).hexdigest(), hashlib.md5(data, usedforsecurity=False).hexdigest())


def bytes_of(content: Content) -> bytes:
    return Random(content.seed).randbytes(content.size)


def fresh_content(rng: Random) -> Content:
    """Unique content: its seed has 64 bits, and it is too long to be equal by chance."""
    return content_of(rng.getrandbits(64), _size(rng))


def any_content(rng: Random) -> Content:
    """Mostly fresh, sometimes one of a few that all workers and accounts share, sometimes nothing at all."""
    lot = rng.random()
    if lot < 0.05:
        return content_of(0, 0)
    if lot < 0.30:
        shared = rng.randrange(_SHARED)
        return content_of(shared, 1000 + shared * 17_000)
    return fresh_content(rng)


def _size(rng: Random) -> int:
    """Most are small, so there are many operations; large ones take long enough to be hit."""
    return rng.randint(32, rng.choice((2_000, 2_000, 20_000, 20_000, 70_000, LARGEST)))
