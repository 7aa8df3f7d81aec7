"""Items that were kept twice because both sides changed them, and how that is settled.

A conflict is known by the name that one of the two items got (`local_side.py`), on every device that has both. Settling
one is a change of the local folder like any other, and the next sync repeats it on the server.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from skyshelf.client.errors import LocalFileError
from skyshelf.desktop.sync.local_side import LocalSide, device_name
from skyshelf.desktop.sync.local_tree import LocalNode, LocalScan

Keep = Literal["mine", "theirs", "both"]

_MARK: Final = re.compile(r" \(conflict ([\w.-]+) ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{4})( [0-9]+)?\)")


class SyncConflict(Struct, frozen=True, kw_only=True):
    """An item that was kept twice: `copy` is the one that gave way, on `device`, and `path` the one with the name."""

    path: str
    copy: str
    device: str
    when: str
    has_both: bool
    """Whether there is still something with the name."""


def conflicts_in(root: LocalNode) -> list[SyncConflict]:
    """Return the conflicts in a folder and below, by path."""
    return sorted(_found(root), key=lambda one: (one.path, one.copy))


def _found(root: LocalNode) -> Iterator[SyncConflict]:
    for node in root.below():
        mark = _MARK.search(node.name)
        if mark is None or node.parent is None:
            continue
        name = node.name[: mark.start()] + node.name[mark.end() :]
        yield SyncConflict(
            path="/".join((*node.parent.parts, name)),
            copy=node.path,
            device=mark[1],
            when=mark[2],
            has_both=any(child.name == name for child in node.parent.children.values()),
        )


def settle(top: Path, path: str, keep: Keep, *, now: datetime | None = None) -> list[SyncConflict]:
    """Settle the conflicts of a file or folder; `path` is below `top`, with the name or with that of a copy.

    With `mine` the copy gets the name, with `theirs` it goes; what goes is moved to the local trash. With `both` the
    copy stays under a name that no longer is that of a conflict. Returns the conflicts that were settled.
    """
    root = LocalScan(top).read()
    found = [one for one in conflicts_in(root) if path in {one.path, one.copy}]
    if not found:
        raise LocalFileError(f"{path} has no conflict: `skyshelf sync conflicts` lists them")
    if keep == "mine" and len(found) > 1:
        copies = ", ".join(one.copy for one in found)
        raise LocalFileError(f"{path} has several copies: name the one to keep, of {copies}")
    nodes = {node.path: node for node in root.below()}
    side = LocalSide(top, device_name())
    side.note_disks(root)
    side.begin(now or datetime.now().astimezone())
    for one in found:
        copy = nodes[one.copy]
        if keep == "theirs":
            if not one.has_both:
                raise LocalFileError(f"{one.path} no longer exists, so the copy is the only one: keep mine or both")
            side.trash(copy.parts, copy)
        elif keep == "mine":
            if one.has_both:
                side.trash(nodes[one.path].parts, nodes[one.path])
            side.move(copy.parts, (*copy.parts[:-1], one.path.rpartition("/")[2]))
        else:
            names = {node.name for node in copy.parent.children.values()} if copy.parent is not None else set()
            side.move(copy.parts, (*copy.parts[:-1], _ordinary(copy.name, names)))
    return found


def _ordinary(name: str, used: set[str]) -> str:
    """Rename `report (conflict laptop 2026-11-17 0712).docx` to `report (laptop 2026-11-17 0712).docx`."""
    number = 1
    while True:
        again = f" {number}" if number > 1 else ""
        made = _MARK.sub(rf" (\1 \2\3{again})", name, count=1)
        if made not in used:
            return made
        number += 1
