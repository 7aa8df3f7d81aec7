"""A page of stored objects, as it comes from the database: one piece of bytes.

A page of thousands is read and sent without being taken apart: that would take as long as reading it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, overload

BETWEEN: Final = b",\n"
"""Stands between two objects. JSON escapes a line break, so there is none within an object."""


class EncodedObjects(Sequence[bytes]):
    """The JSON of each object, in order."""

    __slots__ = ("_count", "_objects", "joined")

    def __init__(self, joined: bytes, count: int) -> None:
        self.joined = joined
        self._count = count
        self._objects: list[bytes] | None = None

    @classmethod
    def of(cls, objects: Iterable[bytes]) -> "EncodedObjects":
        each = list(objects)
        return cls(BETWEEN.join(each), len(each))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if self._objects is None:
            self._objects = self.joined.split(BETWEEN) if self._count else []
        return self._objects[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"EncodedObjects({list(self)!r})"

    __hash__ = None  # type: ignore[assignment]

    @property
    def last(self) -> bytes:
        """The last object; there must be one."""
        return self.joined.rpartition(BETWEEN)[2]

    def without_last(self) -> "EncodedObjects":
        return EncodedObjects(self.joined[: max(0, self.joined.rfind(BETWEEN))], self._count - 1)

    @property
    def json(self) -> bytes:
        """All of them as a JSON array."""
        return b"".join((b"[", self.joined, b"]"))


NO_OBJECTS: Final = EncodedObjects(b"", 0)
