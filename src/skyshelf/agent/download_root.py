"""The one folder of this machine that downloads may go to, and nothing outside of it."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from skyshelf.agent.errors import DestinationNotAllowedError
from skyshelf.client.local.files import LocalFolder

VARIABLE: Final = "SKYSHELF_DOWNLOAD_ROOT"


class DownloadRoot:
    """Turns what a model names into a path below the root, or refuses it."""

    def __init__(self, path: Path) -> None:
        # Links on the way to the root are the operator's own wish; below it none is followed.
        self.path = Path(os.path.realpath(path))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "DownloadRoot":
        """The root that the operator names; else the folder that the bridge runs in."""
        return cls(Path(environment.get(VARIABLE) or Path.cwd()))

    def place(self, destination: str) -> Path:
        """The path for a destination; relative ones begin at the root. Nothing is made.

        No name on the way may be a link; the last one may be free, a file or a folder. What changes after this is the
        download's to notice, which enters the same names one by one.
        """
        names = self._names(destination)
        if names and self.path.is_dir():
            self._refuse_links(names)
        return self.path.joinpath(*names)

    def _refuse_links(self, names: tuple[str, ...]) -> None:
        folder = LocalFolder.open(self.path)
        try:
            for place, name in enumerate(names, 1):
                found = folder.look(name)
                if found is None:
                    return
                if stat.S_ISLNK(found.st_mode):
                    raise DestinationNotAllowedError(
                        "a symbolic link is on the way to the destination, and none is followed"
                    )
                if place < len(names):
                    inner = folder.enter(name)
                    folder.close()
                    folder = inner
        finally:
            folder.close()

    def _names(self, destination: str) -> tuple[str, ...]:
        try:
            os.fsencode(destination)
        except UnicodeError:
            raise DestinationNotAllowedError("the destination is no valid text") from None
        if not destination.strip() or "\x00" in destination:
            raise DestinationNotAllowedError("the destination names no file")
        given = Path(destination)
        if ".." in given.parts or (os.name != "nt" and ".." in destination.split("\\")):
            raise DestinationNotAllowedError("the destination must not contain `..`")
        if destination.startswith("~"):
            raise DestinationNotAllowedError("the destination must not begin with `~`")
        absolute = given if given.is_absolute() else self.path / given
        try:
            return absolute.relative_to(self.path).parts
        except ValueError:
            raise DestinationNotAllowedError(
                "the destination is outside of the folder that downloads may go to: name a path relative to it"
            ) from None
