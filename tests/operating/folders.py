"""Folders of this machine to import, and what of them is in a drive."""

import os
from pathlib import Path

from tests.operating.shelves import Shelf

from skyshelf.service.importing import Event, ImportOptions, Summary
from skyshelf.service.importing.run import TreeImport

MODIFIED_NS = 1_600_000_000_123_456_789
Tree = dict[str, bytes | None]
"""Content by path; None is a folder."""


def plant(folder: Path, tree: Tree) -> Path:
    """Make the files, all of one age."""
    folder.mkdir(exist_ok=True)
    for path, content in tree.items():
        target = folder / path
        if content is None:
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            os.utime(target, ns=(MODIFIED_NS, MODIFIED_NS))
    return folder


def bring_in(shelf: Shelf, folder: Path, **options: object) -> Summary:
    asked = ImportOptions(**({"threads": 2} | options))  # type: ignore[arg-type]
    return TreeImport(shelf.stack.ctx, shelf.account, asked, _nobody).run(folder)


def drive(shelf: Shelf) -> Tree:
    """Everything that can be seen in a drive."""
    return _below(shelf, shelf.account.root_key, "")


def _below(shelf: Shelf, folder_key: str, above: str) -> Tree:
    ctx, found = shelf.stack.ctx, Tree()
    with ctx.metadata.read() as unit:
        children = unit.tree.children(shelf.id, folder_key, limit=100_000)
    for one in children:
        path = above + one.name
        if one.is_folder:
            below = _below(shelf, one.object_key, f"{path}/")
            found |= below or {path: None}
        else:
            found[path] = b"".join(ctx.blobs.read(shelf.location(one)))
    return found


def versions(shelf: Shelf, path: str) -> list[bytes]:
    """The contents that a file of the root has had, newest first."""
    ctx = shelf.stack.ctx
    with ctx.metadata.read() as unit:
        stored = unit.tree.child_named(shelf.id, shelf.account.root_key, path)
        assert stored is not None
        found = unit.files.versions(shelf.id, stored.object_key)
    return [b"".join(ctx.blobs.read(one.location)) for one in found]


def _nobody(_event: Event) -> None:
    """Nobody listens."""
