"""The remaining work of a bulk download, in a database, so memory stays flat however large the tree is.

Local names can only be assigned when a whole folder is known (see local/names.py): its children are collected here,
read in the order that naming needs, and removed. The database lives as long as one run.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.engine.retries import RetryPolicy
from skyshelf.client.errors import SkyshelfError
from skyshelf.client.local.files import DiskFullError, translate_os_errors
from skyshelf.client.local.names import comparable, local_names, safe_name
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.sizes import format_size

_Item = TypeVar("_Item")

_TABLES: Final = Path(__file__).with_name("plan.sql")


_NAME_CHARS_MAX: Final = 1024
"""Characters of a name that are kept: more than any local name can have."""

_PLAN_BYTES_SMALL: Final = 64 * 1024 * 1024
_SECOND_CHANCES_MAX: Final = 10_000
"""How many folders, or files, get a second chance: when more of them fail, the cause is not temporary."""


class PlannedFolder(Struct, frozen=True):
    """A folder to list: `path` has the local names that lead to it, joined by slashes, `origin` the remote ones."""

    number: int
    key: str
    path: str
    origin: str


class Child(Struct, frozen=True):
    """An object in a folder, from a listing."""

    key: str
    name: str
    is_folder: bool
    wanted: bool = True
    size: int | None = None
    md5: str | None = None
    modified_ms: int | None = None


class Contradiction(Struct, frozen=True, kw_only=True):
    """An object of a folder whose key the server has given to another one in it."""

    key: str
    name: str
    first_name: str


class PlannedFile(Struct, frozen=True):
    """A file to download, and where it goes."""

    folder: str
    name: str
    key: str
    size: int | None
    md5: str | None
    modified_ms: int | None

    @classmethod
    def of(cls, child: Child, folder: str, name: str) -> "PlannedFile":
        """Plan to download a child of a listing, which gets that name in that folder."""
        return cls(folder, name, child.key, child.size, child.md5, child.modified_ms)

    @property
    def path(self) -> str:
        """The path below the destination."""
        return f"{self.folder}/{self.name}" if self.folder else self.name


class Choice(Struct, frozen=True, kw_only=True):
    """What is downloaded. `select` is called with the path on the server below the folder, for folders too.

    Files whose content cannot be verified count as failed, unless `allow_unverified`. With `stop_at_older`, many files
    that are older on the server than in the destination end the run.
    """

    overwrite: bool = False
    allow_unverified: bool = False
    stop_at_older: bool = False
    select: Callable[[str, RemoteObject], bool] | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self.select is None

    def takes(self, path: str, found: RemoteObject) -> bool:
        """Whether an object is selected; a folder that is not selected is not entered."""
        return self.select is None or self.select(path, found)


class DownloadJob(Struct, frozen=True, eq=False):
    """A file to fetch, and what its content must be."""

    file: PlannedFile
    replace: bool
    expected: ExpectedContent


class SecondChances(Generic[_Item]):
    """Items that failed and are tried once more when everything else has been tried.

    `is_over` says that the second attempts are running; there is no third.
    """

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._items: list[_Item] = []
        self.is_over = False

    def grant(self, item: _Item, error: SkyshelfError) -> bool:
        """Keep a failed item for later, if another attempt may succeed."""
        if self.is_over or len(self._items) >= _SECOND_CHANCES_MAX or not self._policy.covers(error):
            return False
        self._items.append(item)
        return True

    def take(self) -> list[_Item]:
        """Return the items to try once more; no further ones are kept."""
        items, self._items, self.is_over = self._items, [], True
        return items


class DownloadPlan:
    """The database of the remaining work. It is used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # Nothing in it is needed after a crash.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.executescript(_TABLES.read_text("utf-8"))
        self._path = path

    def close(self) -> None:
        self._database.close()
        self._path.unlink(missing_ok=True)

    def add_folder(self, key: str, path: str, origin: str) -> bool:
        """Add a folder to list; false when it is already known: a server may list a folder inside itself."""
        added = self._database.execute(
            "INSERT OR IGNORE INTO folder (key, path, origin) VALUES (?, ?, ?)", (key, path, origin)
        )
        return added.rowcount == 1

    def next_folder(self) -> PlannedFolder | None:
        """Return the next folder to list: the one found last, which keeps the queue short."""
        row = self._database.execute(
            "SELECT id, key, path, origin FROM folder WHERE waiting ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        self._database.execute("UPDATE folder SET waiting = 0 WHERE id = ?", (row[0],))
        return PlannedFolder(*row)

    def wait_again(self, folders: Iterable[PlannedFolder]) -> None:
        """Queue folders to be listed once more."""
        self._database.executemany(
            "UPDATE folder SET waiting = 1 WHERE id = ?", ((folder.number,) for folder in folders)
        )

    def add_children(self, folder: PlannedFolder, children: Sequence[Child]) -> list[Contradiction]:
        """Add objects of a folder; one that is listed twice counts once. Returns those that contradict an earlier one.

        DiskFullError where a listing takes more room than it leaves.
        """
        before = self._database.total_changes
        self._database.execute("BEGIN")
        self._database.executemany(
            "INSERT OR IGNORE INTO child VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (folder.number, comparable(safe_name(child.name)), *astuple(replace(child, name=_storable(child.name))))
                for child in children
            ),
        )
        self._database.execute("COMMIT")
        self._check_room()
        is_whole = self._database.total_changes - before == len(children)
        return [] if is_whole else self._contradictions(folder, children)

    def _contradictions(self, folder: PlannedFolder, children: Sequence[Child]) -> list[Contradiction]:
        found = []
        for child in children:
            name, is_folder = self._database.execute(
                "SELECT name, is_folder FROM child WHERE folder = ? AND key = ?", (folder.number, child.key)
            ).fetchone()
            shortened = _storable(child.name)
            if (name, bool(is_folder)) != (shortened, child.is_folder):
                found.append(Contradiction(key=child.key, name=shortened, first_name=name))
        return found

    def _check_room(self) -> None:
        """Make sure that an endless listing does not fill the disk."""
        with translate_os_errors("cannot read", self._path):
            size = self._path.stat().st_size
        if size > _PLAN_BYTES_SMALL and size > shutil.disk_usage(self._path.parent).free:
            raise DiskFullError(
                f"the list of what is on the server takes {format_size(size)} by now, and less than that is free:"
                " make room, or download single folders"
            )

    def forget_children(self, folder: PlannedFolder) -> None:
        """Remove the children of a folder: before it is listed again, and when all of them are handed out."""
        self._database.execute("DELETE FROM child WHERE folder = ?", (folder.number,))

    def named(self, folder: PlannedFolder) -> Iterator[tuple[Child, str]]:
        rows = self._database.execute(
            "SELECT key, name, is_folder, wanted, size, md5, modified FROM child WHERE folder = ?"
            " ORDER BY comparable, key",
            (folder.number,),
        )
        waiting: list[Child] = []

        def pairs() -> Iterator[tuple[str, str]]:
            for key, name, is_folder, wanted, *content in rows:
                waiting.append(Child(key, name, bool(is_folder), bool(wanted), *content))
                yield key, name

        for _, local in local_names(pairs()):
            yield waiting.pop(), local


def _storable(name: str) -> str:
    """Cut a name, and replace what cannot be stored: it would not be part of the local name either."""
    return name[:_NAME_CHARS_MAX].encode("utf-8", "replace").decode()
