"""What a client has just written: a server's listings, feeds and trash may show it only after a few seconds.

Listings of the same client are corrected by it for that long, or until they show it. A server that can look up keys is
asked which of the two is right. On any other one, a change that somebody else makes to the same object in this time is
seen a few seconds later.
"""

import time
from collections.abc import Callable, Iterable
from typing import Final, Generic, Protocol, TypeVar

from msgspec import Struct

LAG_SECONDS: Final = 5.0
"""How long a server may take to list what was written; the interface says about two seconds."""

_REMEMBERED_MAX: Final = 10_000


class WrittenObject(Protocol):
    """An object as it was written."""

    @property
    def key(self) -> str: ...

    @property
    def is_folder(self) -> bool: ...


_Object = TypeVar("_Object", bound=WrittenObject)


class _Write(Struct, Generic[_Object], frozen=True):
    object: _Object
    folder_key: str
    is_trashed: bool
    until: float


class RecentWrites(Generic[_Object]):
    """The last state of every object that this client has written in the last few seconds."""

    def __init__(self, seconds: float = LAG_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._writes: dict[str, _Write[_Object]] = {}
        # The same by folder: an upload writes thousands of files in a few seconds.
        self._in_folders: dict[str, dict[str, _Write[_Object]]] = {}

    def put(self, written: _Object, folder_key: str | None, *, is_trashed: bool = False) -> None:
        """Note that an object is in that folder now, or was trashed from it."""
        self.forget(written.key)
        if folder_key is None or not self.seconds:
            return
        if len(self._writes) >= _REMEMBERED_MAX:
            self.forget(next(iter(self._writes)))
        key, folder = written.key.upper(), folder_key.upper()
        write = _Write(written, folder, is_trashed, self._clock() + self.seconds)
        self._writes[key] = self._in_folders.setdefault(folder, {})[key] = write

    def forget(self, key: str) -> None:
        """Trust what the server shows of an object again."""
        write = self._writes.pop(key.upper(), None)
        if write is not None:
            siblings = self._in_folders[write.folder_key]
            del siblings[key.upper()]
            if not siblings:
                del self._in_folders[write.folder_key]

    def forget_trash(self) -> None:
        """Note that the trash is empty."""
        for key in self.trashed():
            self.forget(key)

    def trashed(self) -> dict[str, _Object]:
        """Return the objects that were trashed, most recent first, by key."""
        recent = {key: write.object for key, write in self._current().items() if write.is_trashed}
        return dict(reversed(recent.items()))

    def state(self, key: str) -> _Object | None:
        """Return an object as it was written; None where it was not."""
        write = self._current().get(key.upper())
        return None if write is None else write.object

    def is_restored(self, key: str) -> bool:
        """Whether an object was written outside the trash: it is no longer in it, whatever the trash shows."""
        write = self._current().get(key.upper())
        return write is not None and not write.is_trashed

    def confirm(self, listed: _Object, folder_key: str, *, same: Callable[[_Object, _Object], bool]) -> bool:
        """Whether a listed object is as it was written, or was not written; a write that is listed is forgotten."""
        write = self._current().get(listed.key.upper())
        if write is None:
            return True
        if write.is_trashed or write.folder_key != folder_key.upper() or not same(write.object, listed):
            return False
        self.forget(listed.key)
        return True

    def state_in(self, key: str, folder_key: str) -> _Object | None:
        """Return an object as it was written; None where it is no longer in the folder."""
        write = self._current().get(key.upper())
        is_here = write is not None and not write.is_trashed and write.folder_key == folder_key.upper()
        return write.object if write is not None and is_here else None

    def missing(self, listed: Iterable[str], folder_key: str, *, folders: bool) -> list[_Object]:
        """Return the objects of a folder that a complete listing does not show yet."""
        writes = self._in_folders.get(folder_key.upper()) if self._current() else None
        if not writes:
            return []
        known = {key.upper() for key in listed}
        return [
            write.object
            for key, write in writes.items()
            if key not in known and not write.is_trashed and write.object.is_folder is folders
        ]

    def __bool__(self) -> bool:
        return bool(self._current())

    def _current(self) -> dict[str, _Write[_Object]]:
        if self._writes:
            now = self._clock()
            # In the order in which they were written, so the old ones come first.
            while self._writes and next(iter(self._writes.values())).until <= now:
                self.forget(next(iter(self._writes)))
        return self._writes
