"""All that an account holds, remembered on this machine: listings without a walk.

A SQLite file in the cache folder, private to its owner, one per account and server. It is filled from the server once
and then brought up to date by what has changed; it is never asked before that. Whatever is wrong with it, it is
thrown away and made anew. Several processes may use one at once: an update counts only from the cursor it began at.
"""

import asyncio
import hashlib
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import BrokenListingError, NotOfferedError, RequestFailedError
from skyshelf.client.index.rows import SORTED_BY, IndexRows
from skyshelf.client.objects.changes import CHANGES_FEATURE, changes_since
from skyshelf.client.objects.remote_object import page_objects
from skyshelf.wire.endpoints.changes import EVERYTHING
from skyshelf.wire.error_codes import BAD_CURSOR, CURSOR_TOO_OLD
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.changes import Everything, EverythingQuery
from skyshelf.wire.resources.objects import ObjectSort

_T = TypeVar("_T")
_TRIES: Final = 20
_FILLS: Final = 3


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where caches of this program are."""
    home = environment.get("XDG_CACHE_HOME")
    base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".cache"
    return base / "skyshelf"


def index_path(engine: Engine, folder: Path | None = None) -> Path:
    """The file of an account on a server."""
    account = engine.credentials.user_id.upper() if engine.credentials else ""
    name = hashlib.sha256(f"{engine.hosts.urls['metadata_url']}\n{account}".encode()).hexdigest()[:32]
    return (folder or cache_folder()) / f"{name}.db"


class LocalIndex:
    """One open index, as of its last refresh."""

    def __init__(self, engine: Engine, path: Path, root_key: str) -> None:
        self._engine = engine
        self._path = path
        self._root_key = root_key.upper()
        self._lock = threading.Lock()
        self._rows: IndexRows | None = None
        self._is_current = True

    async def refresh(self, *, build: bool) -> bool:
        """Bring it up to date; fill it where it is empty and that is wanted. Whether it can be used."""
        try:
            fills_left = _FILLS if build else 0
            for _ in range(_TRIES):
                cursor = await self._run(lambda rows: rows.cursor())
                if cursor is None:
                    if not fills_left:
                        return False
                    fills_left -= 1
                    await self._fill()
                elif await self._catch_up(cursor):
                    return True
        except NotOfferedError:
            return False
        except (sqlite3.Error, OSError):
            # A full disk, a folder that cannot be written to: then listings come from the server, as ever.
            return False
        return False

    async def pages(self, folder_key: str, kind: str, sort: ObjectSort, limit: int) -> AsyncIterator[bytes] | None:
        """The pages of a folder, as the server would send them; None for a folder that the index does not know."""
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
                raise BrokenListingError(f"the local index {self._path} cannot be read: {problem}") from problem
            if found is None:
                raise BrokenListingError("another program has made the local index anew meanwhile: run it again")
            if found:
                yield b'{"objects":[' + b",".join(found) + b"]}"
            if after is None:
                return

    def invalidate(self) -> None:
        """The server has changed since the last refresh: return no more pages."""
        self._is_current = False

    async def close(self) -> None:
        """Close the file."""
        await asyncio.to_thread(self._close)

    async def _catch_up(self, cursor: str) -> bool:
        """Take over what has changed; False where somebody else was faster, or it has to be made anew."""
        while True:
            try:
                told = await changes_since(self._engine, cursor, LISTING_LIMIT_MAX)
            except RequestFailedError as error:
                if error.code not in {CURSOR_TOO_OLD.code, BAD_CURSOR.code}:
                    raise
                await self._run(partial(IndexRows.forget, since=cursor))
                return False
            if not await self._run(partial(IndexRows.take_over, told=told, since=cursor)):
                return False
            if not told.has_more:
                return True
            cursor = told.cursor

    async def _fill(self) -> None:
        """Everything from the server, page by page, put into use at once when all of it is there."""
        generation = os.urandom(8).hex()
        page: str | None = None
        count = 0
        while True:
            request = self._engine.plan(EVERYTHING, query=EverythingQuery(cursor=page, limit=LISTING_LIMIT_MAX))
            with beyond(CHANGES_FEATURE):
                answer = await self._engine.send(request)
            envelope = decode(Everything, answer.body, request)
            found = page_objects(envelope.objects, answer.body)
            count += len(found)
            await self._run(partial(IndexRows.add, generation=generation, objects=found))
            page = envelope.next_cursor
            if page is None:
                since = envelope.changes_cursor
                await self._run(partial(IndexRows.put_into_use, generation=generation, cursor=since, count=count))
                return

    async def _run(self, work: Callable[[IndexRows], _T]) -> _T:
        return await asyncio.to_thread(self._locked, work)

    def _locked(self, work: Callable[[IndexRows], _T]) -> _T:
        with self._lock:
            if self._rows is None:
                self._rows = _opened(self._path)
            try:
                return work(self._rows)
            except sqlite3.OperationalError:
                raise  # locked for too long, or the disk is full: the file itself is not to blame
            except sqlite3.DatabaseError:
                self._rows.close()
                self._rows = None
                _throw_away(self._path)
                self._rows = _opened(self._path)
                return work(self._rows)

    def _close(self) -> None:
        with self._lock:
            if self._rows is not None:
                self._rows.close()
                self._rows = None


def _opened(path: Path) -> IndexRows:
    """The rows in the file, which is made if need be; one that is damaged or not ours is thrown away first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_private(path)
    try:
        return IndexRows(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        _throw_away(path)
        _make_private(path)
        return IndexRows(path)


def _make_private(path: Path) -> None:
    """A file that nobody else can read; a link, or somebody else's file, is not used."""
    with suppress(FileNotFoundError):
        found = path.lstat()
        others = os.name == "posix" and (found.st_uid != os.geteuid() or bool(stat.S_IMODE(found.st_mode) & 0o077))
        if not stat.S_ISREG(found.st_mode) or others:
            _throw_away(path)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _throw_away(path: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
