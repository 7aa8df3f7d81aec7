"""Reading a copy again, byte by byte, to see whether it still is what was downloaded."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from skyshelf.client.download.bulk.state import DownloadState
from skyshelf.client.local.names import STATE_FOLDER

_READ_BYTES: Final = 1024 * 1024
_TOGETHER: Final = 500


def damaged_files(
    destination: Path, paths: Iterable[str], read: Callable[[str, int], None] | None = None
) -> Iterator[tuple[str, str]]:
    """Those of the files whose content is not what the server had, and why that is known.

    `read` hears of every file that was read, and how large it is.
    """
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders[folder].append(name)
    state = DownloadState(destination / STATE_FOLDER / "state.db")
    try:
        for folder, names in folders.items():
            for begin in range(0, len(names), _TOGETHER):
                some = names[begin : begin + _TOGETHER]
                known = state.known(folder, some)
                for name in some:
                    place = destination / folder / name
                    wrong = _damage(place, known[name].md5 if name in known else None)
                    if read is not None and name in known:
                        read(str(place), known[name].size)
                    if wrong is not None:
                        yield f"{folder}/{name}".lstrip("/"), wrong
    finally:
        state.close()


def _damage(path: Path, md5: str | None) -> str | None:
    if md5 is None:
        # A folder that lies somewhere else already is told of like a file, and is none.
        return "nothing is known about it" if path.is_file() else None
    digest = hashlib.md5(usedforsecurity=False)
    try:
        with path.open("rb") as content:
            while piece := content.read(_READ_BYTES):
                digest.update(piece)
    except OSError as problem:
        return f"it cannot be read: {problem.strerror}"
    return None if digest.hexdigest() == md5 else "its content is not what was downloaded"
