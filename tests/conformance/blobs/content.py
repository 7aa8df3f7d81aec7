"""Bytes for tests: the same for the same seed, and unlike those of any other seed."""

import hashlib
import random
from collections.abc import Iterator

MIB = 1024 * 1024


def content(size: int, seed: int = 0) -> bytes:
    return random.Random(f"{seed}/{size}").randbytes(size)


def in_chunks(data: bytes, size: int = 64 * 1024) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class ClientGoneError(Exception):
    """What an iterator raises when the client behind it is gone."""


def dropped_after(data: bytes, size: int = 64 * 1024) -> Iterator[bytes]:
    yield from in_chunks(data, size)
    raise ClientGoneError
