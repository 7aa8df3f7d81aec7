"""Files that a bulk download replaces: kept in a folder at the top of the destination, one folder per run.

A file keeps its path there. A run removes the folders of runs that are older than the caller wants to keep them, and
nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from skyshelf.client.download.bulk.plan import PlannedFile
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import LocalFolder
from skyshelf.client.local.names import REPLACED_FOLDER

FOREVER: Final = timedelta.max
_RUN_FORM: Final = "%Y-%m-%dT%H%M%SZ"
_RUN: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d{6}Z)(?: \(\d+\))?", re.ASCII)


class ReplacedFiles:
    """The replaced files of one run, whose folder is created with the first of them. Used by one thread at a time."""

    def __init__(self, root: LocalFolder, now: datetime) -> None:
        self.count = 0
        self._root = root
        self._began = now.astimezone(UTC).strftime(_RUN_FORM)
        self._run: str | None = None
        self._synced: set[str] = set()

    def keep(self, files: Sequence[tuple[PlannedFile, LocalFolder]]) -> dict[str, LocalFileError]:
        """Keep what files will replace, each given with its folder; returns the failures by path.

        When this returns, the kept files are on disk under their new names; a file that could not be kept must not be
        replaced.
        """
        failures: dict[str, LocalFileError] = {}
        for path in {file.folder for file, _ in files}:
            batch = [(file, folder) for file, folder in files if file.folder == path]
            try:
                with closing(self._enter(path)) as kept:
                    for file, folder in batch:
                        folder.keep_as(file.name, kept, file.name)
                    kept.sync()
            except LocalFileError as error:
                failures |= {file.path: error for file, _ in batch}
            else:
                self.count += len(batch)
        return failures

    def _enter(self, path: str) -> LocalFolder:
        """Open the folder that keeps the files of a folder, and sync every new name on the way to it."""
        if self._run is None:
            with closing(self._root.enter(REPLACED_FOLDER)) as folder:
                self._run = next(name for name in _numbered(self._began) if folder.stat(name) is None)
        folder, known = self._root.enter("."), ""
        for name in (REPLACED_FOLDER, self._run, *(path.split("/") if path else ())):
            known = f"{known}/{name}"
            with closing(folder):
                below = folder.enter(name)
                if known not in self._synced:
                    folder.sync()
                    self._synced.add(known)
            folder = below
        return folder


def _numbered(name: str) -> Iterator[str]:
    """Yield a name, and then the same with numbers."""
    yield name
    number = 2
    while True:
        yield f"{name} ({number})"
        number += 1


def remove_old(root: LocalFolder, keep: timedelta, now: datetime) -> None:
    """Remove the folders of runs that began longer ago than that. Whatever has another name stays."""
    if keep == FOREVER or root.stat(REPLACED_FOLDER) is None:
        return
    with closing(root.enter(REPLACED_FOLDER)) as folder:
        for name in folder.names():
            # A folder of somebody else may look like ours and have an impossible date.
            with suppress(ValueError):
                if (run := _RUN.fullmatch(name)) is not None:
                    began = datetime.strptime(run[1], _RUN_FORM).replace(tzinfo=UTC)
                    if now - began > keep:
                        folder.remove_tree(name)
