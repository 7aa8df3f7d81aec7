"""Both sides of a sync, as a test reads and changes them."""

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.rounds import SyncResult, TwoWaySync

TOP = "/there"
Tree = dict[str, bytes | None]
"""Contents by path; None for a folder."""

Put = Callable[[str, bytes], None]
"""Another device of the account writes a file."""


def sync(client: Client, here: Path, **options: Any) -> list[str]:
    """What one run did, such as `upload a.txt`; nothing may fail."""
    events, result = run(client, here, **options)
    assert result.failures == []
    return [f"{event.kind} {event.path}" for event in events]


def run(client: Client, here: Path, *, path: str = TOP, **options: Any) -> tuple[list[SyncEvent], SyncResult]:
    events: list[SyncEvent] = []
    syncing = TwoWaySync(client, here, path, workers=1, report=events.append, **options)
    try:
        result = syncing.run()
    finally:
        syncing.close()
    return [event for event in events if event.kind != "progress"], result


def local_tree(here: Path) -> Tree:
    found: Tree = {}
    for path in sorted(here.rglob("*")):
        below = path.relative_to(here)
        if below.parts[0] == STATE_FOLDER:
            continue
        if path.is_dir() and not path.is_symlink():
            found["/".join(below.parts)] = None
        elif path.is_file() and not path.is_symlink():
            found["/".join(below.parts)] = path.read_bytes()
    return found


def remote_hashes(client: Client) -> dict[str, str | None]:
    return {found.path.strip("/"): found.object.md5 for found in client.walk(TOP)}


def same(client: Client, here: Path) -> bool:
    return hashes(local_tree(here)) == remote_hashes(client)


def keys(client: Client) -> dict[str, str]:
    """The key of everything on the server, by path."""
    return {found.path.strip("/"): found.object.key for found in client.walk(TOP)}


def in_index(here: Path, statement: str, *values: object) -> None:
    """Let the last sync have recorded something else."""
    with closing(sqlite3.connect(here / STATE_FOLDER / "index.db")) as index, index:
        index.execute(statement, values)


def hashes(tree: Tree) -> dict[str, str | None]:
    return {path: None if content is None else md5(content) for path, content in tree.items()}


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def in_local_trash(here: Path) -> dict[str, bytes]:
    """What the sync's own trash keeps, by path."""
    days = here / STATE_FOLDER / "trash"
    return {"/".join(path.relative_to(days).parts[1:]): path.read_bytes() for path in days.rglob("*") if path.is_file()}


def trash_hashes(here: Path) -> set[str]:
    days = here / STATE_FOLDER / "trash"
    return {md5(path.read_bytes()) for path in days.rglob("*") if path.is_file()}


def put(client: Client, scratch: Path, path: str, content: bytes) -> None:
    """Another device writes a file."""
    folder, _, name = f"{TOP}/{path}".rpartition("/")
    source = scratch / "outgoing"
    source.write_bytes(content)
    client.upload(source, client.create_path(folder), name=name)
