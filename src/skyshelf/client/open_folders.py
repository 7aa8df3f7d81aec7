"""The folders of a destination that are in use, open; the last ones used stay open for a while."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from skyshelf.client.local_files import LocalFolder

_KEPT: Final = 64


class OpenFolders:
    """Opens a folder below the destination name by name, so that no link on the way is followed. For any thread."""

    def __init__(self, destination: Path, within: Path | None = None) -> None:
        self.root = LocalFolder.open(destination, within)
        self._lock = threading.Lock()
        self._open: OrderedDict[str, LocalFolder] = OrderedDict()
        self._users: dict[str, int] = {}

    @contextmanager
    def using(self, path: str) -> Iterator[LocalFolder]:
        """The folder, for the length of a block."""
        folder = self.take(path)
        try:
            yield folder
        finally:
            self.give_back(path)

    def take(self, path: str) -> LocalFolder:
        """The folder, made where it is missing; it stays open until it is given back."""
        with self._lock:
            folder = self._open.get(path) or self._entered(path)
            self._open[path] = folder
            self._open.move_to_end(path)
            self._users[path] = self._users.get(path, 0) + 1
            return folder

    def give_back(self, path: str) -> None:
        """Done with it."""
        with self._lock:
            self._users[path] -= 1
            if len(self._open) > _KEPT:
                idle = [one for one in self._open if not self._users[one]]
                for one in idle[: len(self._open) - _KEPT]:
                    self._open.pop(one).close()
                    del self._users[one]

    def close(self) -> None:
        """Close all of them."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()
            self.root.close()

    def _entered(self, path: str) -> LocalFolder:
        folder = self.root.enter(".")
        for name in path.split("/") if path else ():
            try:
                below = folder.enter(name)
            finally:
                folder.close()
            folder = below
        return folder
