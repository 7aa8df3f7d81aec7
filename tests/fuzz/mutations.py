"""Changes that make a new input of one or two known ones."""

from collections.abc import Callable, Sequence
from random import Random

NUMBERS = [b"0", b"-1", b"1", b"255", b"65536", b"4294967296", b"18446744073709551616", b"9" * 400, b"1e999", b"NaN"]
BYTES = [b"\0", b"\r\n", b"\n", b"\xff", b"\xc3\x28", b"\xe2\x80\xae", b"\xed\xa0\x80", b"%00", b"\\", b'"', b"'", b" "]


class Mutator:
    """Makes inputs, none longer than `most` bytes; the same seed makes the same ones."""

    def __init__(self, random: Random, tokens: Sequence[bytes], most: int) -> None:
        self._random = random
        self._tokens = [*tokens, *NUMBERS, *BYTES]
        self._most = most
        self._changes: list[Callable[[bytes], bytes]] = [
            self._flip,
            self._replace,
            self._insert,
            self._insert,
            self._delete,
            self._swap,
            self._repeat,
        ]

    def new(self, known: Sequence[bytes]) -> bytes:
        data = self._random.choice(known)
        if len(known) > 1 and self._random.random() < 0.2:
            data = self._spliced(data, self._random.choice(known))
        for _ in range(self._random.choice((1, 1, 1, 2, 2, 4, 8))):
            data = self._random.choice(self._changes)(data)[: self._most]
        return data

    def _slice(self, data: bytes) -> tuple[int, int]:
        start = self._random.randint(0, len(data))
        return start, min(len(data), start + self._random.choice((1, 1, 2, 4, 16, 64)))

    def _flip(self, data: bytes) -> bytes:
        if not data:
            return data
        at = self._random.randrange(len(data))
        return data[:at] + bytes([data[at] ^ (1 << self._random.randrange(8))]) + data[at + 1 :]

    def _replace(self, data: bytes) -> bytes:
        start, end = self._slice(data)
        return data[:start] + self._random.choice(self._tokens) + data[end:]

    def _insert(self, data: bytes) -> bytes:
        at = self._random.randint(0, len(data))
        new = self._random.choice(self._tokens) if self._random.random() < 0.7 else self._random.randbytes(2)
        return data[:at] + new + data[at:]

    def _delete(self, data: bytes) -> bytes:
        start, end = self._slice(data)
        return data[:start] + data[end:]

    def _swap(self, data: bytes) -> bytes:
        start, end = self._slice(data)
        at = self._random.randint(0, len(data))
        return data[:at] + data[start:end] + data[at:]

    def _repeat(self, data: bytes) -> bytes:
        """Many times the same: what a parser takes more than linear time for shows here."""
        start, end = self._slice(data)
        times = self._random.choice((2, 8, 64, 512, 4096))
        return data[:start] + data[start:end] * min(times, self._most // max(1, end - start)) + data[end:]

    def _spliced(self, one: bytes, other: bytes) -> bytes:
        return one[: self._random.randint(0, len(one))] + other[self._random.randint(0, len(other)) :]
