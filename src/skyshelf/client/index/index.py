"""A local index of all objects of an account: listings without requests.

It is a SQLite file in the cache folder, readable by its owner alone, one per account and server. It is built once from
the server, and updated with the changes since before every use. A damaged file is deleted and rebuilt. Several
processes may share one: an update applies only to the cursor it started from.
"""

import asyncio
import errno
import hashlib
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import CursorTrail, ListingCount
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import BrokenListingError, EndlessListingError, RequestFailedError
from skyshelf.client.index.rows import SORTED_BY, IndexRows
from skyshelf.client.local.files import user_folder
from skyshelf.client.objects.changes import CHANGES_FEATURE, changes_since
from skyshelf.client.objects.remote_object import page_objects
from skyshelf.wire.endpoints.history import EVERYTHING
from skyshelf.wire.error_codes import BAD_CURSOR, CURSOR_TOO_OLD
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.changes import ChangesQuery, Everything
from skyshelf.wire.resources.objects import ObjectSort

_T = TypeVar("_T")
_SMALL_BYTES: Final = 64 * 1024 * 1024
_TRIES: Final = 20
_BUILDS: Final = 3


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    return user_folder("XDG_CACHE_HOME", ".cache", environment)


def index_path(engine: Engine, folder: Path | None = None) -> Path:
    """Return the index file of an account on a server."""
    account = engine.credentials.user_id.upper() if engine.credentials else ""
    name = hashlib.sha256(f"{engine.hosts.urls['metadata_url']}\n{account}".encode()).hexdigest()[:32]
    return (folder or cache_folder()) / f"{name}.db"


class LocalIndex:
    """An open index, as of its last refresh."""

    def __init__(self, engine: Engine, path: Path, root_key: str) -> None:
        self._engine = engine
        self._path = path
        self._root_key = root_key.upper()
        self._lock = threading.Lock()
        self._rows: IndexRows | None = None
        self._is_current = True

    async def refresh(self, *, build: bool) -> bool:
        """Update it, and build it first if it is empty and `build` is set; whether it can be used."""
        try:
            builds_left = _BUILDS if build else 0
            for _ in range(_TRIES):
                cursor = await self._run(lambda rows: rows.cursor())
                if cursor is None:
                    if not builds_left:
                        return False
                    builds_left -= 1
                    await self._build()
                elif await self._catch_up(cursor):
                    return True
        except (BrokenListingError, EndlessListingError):
            # A half-built index is useless and may be large; listings come from the server.
            await asyncio.to_thread(self._discard)
            return False
        except RequestFailedError:
            # The index only saves requests: listings work without it, whatever went wrong.
            return False
        except (sqlite3.Error, OSError) as problem:
            # A full disk, or a folder that is not writable: listings come from the server.
            if getattr(problem, "errno", None) == errno.ENOSPC:
                await asyncio.to_thread(self._discard)
            return False
        return False

    async def pages(self, folder_key: str, kind: str, sort: ObjectSort, limit: int) -> AsyncIterator[bytes] | None:
        """Return the pages of a folder, as the server would send them; None if the index does not know the folder."""
        folder_key = folder_key.upper()
        if not self._is_current or sort[1:] not in SORTED_BY:
            return None
        try:
            if not await self._run(lambda rows: rows.is_visible(folder_key, self._root_key)):
                return None
        except (sqlite3.Error, OSError):
            return None
        return self._pages(folder_key, kind == "w", sort, limit)

    async def _pages(self, folder_key: str, folders: bool, sort: ObjectSort, limit: int) -> AsyncIterator[bytes]:
        after: tuple[object, str] | None = None
        while True:
            try:
                reading = partial(
                    IndexRows.page, folder_key=folder_key, folders=folders, sort=sort, limit=limit, after=after
                )
                found, after = await self._run(reading)
            except (sqlite3.Error, OSError) as problem:
                raise BrokenListingError(
                    f"the local index {self._path} cannot be read: {problem}; delete it, and run the command again"
                ) from problem
            if found is None:
                raise BrokenListingError(
                    "another program has rebuilt the local index during this listing: run the command again"
                )
            if found:
                yield b'{"objects":[' + b",".join(found) + b"]}"
            if after is None:
                return

    def invalidate(self) -> None:
        """Return no more pages: the server has changed since the last refresh."""
        self._is_current = False

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    async def _catch_up(self, cursor: str) -> bool:
        """Apply the changes since a cursor; False where another process was faster, or the index must be rebuilt."""
        trail = CursorTrail(ListingCount(self._engine.bounds.objects))
        while True:
            try:
                changes = await changes_since(self._engine, cursor, LISTING_LIMIT_MAX)
            except RequestFailedError as error:
                if error.code not in {CURSOR_TOO_OLD.code, BAD_CURSOR.code}:
                    raise
                await self._run(partial(IndexRows.clear, since=cursor))
                return False
            if not await self._run(partial(IndexRows.apply, changes=changes, since=cursor)):
                return False
            if not changes.has_more:
                return True
            trail.follow(changes.cursor, len(changes.changes))
            cursor = changes.cursor

    async def _build(self) -> None:
        """Fetch everything from the server, page by page, and activate it when it is complete."""
        generation = os.urandom(8).hex()
        page: str | None = None
        count = 0
        trail = CursorTrail(ListingCount(self._engine.bounds.objects))
        while True:
            request = self._engine.plan(EVERYTHING, query=ChangesQuery(cursor=page, limit=LISTING_LIMIT_MAX))
            with require_extension(CHANGES_FEATURE):
                response = await self._engine.send(request)
            envelope = decode(Everything, response.body, request)
            found = page_objects(envelope.objects, response.body)
            count += len(found)
            await self._run(partial(IndexRows.add, generation=generation, objects=found))
            page = envelope.next_cursor
            if page is None:
                activate = partial(
                    IndexRows.activate,
                    generation=generation,
                    cursor=envelope.changes_cursor,
                    count=count,
                    root_key=self._root_key,
                )
                await self._run(activate)
                return
            trail.follow(page, len(found))
            self._check_room()

    def _check_room(self) -> None:
        """Make sure that an endless account does not fill the disk."""
        size = self._path.stat().st_size
        if size > _SMALL_BYTES and size > shutil.disk_usage(self._path.parent).free:
            raise OSError(errno.ENOSPC, "the index would fill the disk")

    async def _run(self, work: Callable[[IndexRows], _T]) -> _T:
        return await asyncio.to_thread(self._locked, work)

    def _locked(self, work: Callable[[IndexRows], _T]) -> _T:
        with self._lock:
            if self._rows is None:
                self._rows = _open(self._path)
            try:
                return work(self._rows)
            except sqlite3.OperationalError:
                raise  # locked for too long, or the disk is full: the file itself is intact
            except sqlite3.DatabaseError:
                self._rows.close()
                self._rows = None
                _delete(self._path)
                self._rows = _open(self._path)
                return work(self._rows)

    def _discard(self) -> None:
        self._close()
        with suppress(OSError):
            _delete(self._path)

    def _close(self) -> None:
        with self._lock:
            if self._rows is not None:
                self._rows.close()
                self._rows = None


def _open(path: Path) -> IndexRows:
    """Open the file, creating it if needed; a damaged or foreign one is deleted first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_private(path)
    try:
        return IndexRows(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        _delete(path)
        _make_private(path)
        return IndexRows(path)


def _make_private(path: Path) -> None:
    """Make sure that only the owner can read the file; a link or another user's file is deleted."""
    with suppress(FileNotFoundError):
        found = path.lstat()
        is_shared = os.name == "posix" and (found.st_uid != os.geteuid() or bool(stat.S_IMODE(found.st_mode) & 0o077))
        if not stat.S_ISREG(found.st_mode) or is_shared:
            _delete(path)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _delete(path: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
