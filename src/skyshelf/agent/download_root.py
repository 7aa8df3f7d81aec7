"""The one local folder that downloads may be written to."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from skyshelf.agent.errors import DestinationNotAllowedError
from skyshelf.client.local.files import LocalFolder

VARIABLE: Final = "SKYSHELF_DOWNLOAD_ROOT"


class DownloadRoot:
    """Turns a destination named by a model into a path below the root, or refuses it."""

    def __init__(self, path: Path) -> None:
        # Links in the root's own path are the operator's choice; below the root none is followed.
        self.path = Path(os.path.realpath(path))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "DownloadRoot":
        """The root set by SKYSHELF_DOWNLOAD_ROOT, otherwise the current folder."""
        return cls(Path(environment.get(VARIABLE) or Path.cwd()))

    def resolve(self, destination: str) -> Path:
        """The absolute path of a destination; relative ones start at the root. Nothing is created.

        No component may be a symbolic link; the last one may be free, a file or a folder. If that changes afterwards,
        the download notices: it opens the same components one by one.
        """
        components = self._components(destination)
        if components and self.path.is_dir():
            self._check_links(components)
        return self.path.joinpath(*components)

    def _check_links(self, components: tuple[str, ...]) -> None:
        folder = LocalFolder.open(self.path)
        try:
            for depth, name in enumerate(components, 1):
                found = folder.stat(name)
                if found is None:
                    return
                if stat.S_ISLNK(found.st_mode):
                    raise DestinationNotAllowedError(
                        "the destination's path contains a symbolic link, and links are not followed: "
                        "choose another path"
                    )
                if depth < len(components):
                    inner = folder.enter(name)
                    folder.close()
                    folder = inner
        finally:
            folder.close()

    def _components(self, destination: str) -> tuple[str, ...]:
        try:
            os.fsencode(destination)
        except UnicodeError:
            raise DestinationNotAllowedError("the destination is not valid text") from None
        if not destination.strip() or "\x00" in destination:
            raise DestinationNotAllowedError("the destination does not name a file")
        given = Path(destination)
        if ".." in given.parts or (os.name != "nt" and ".." in destination.split("\\")):
            raise DestinationNotAllowedError("the destination must not contain `..`")
        if destination.startswith("~"):
            raise DestinationNotAllowedError("the destination must not start with `~`")
        absolute = given if given.is_absolute() else self.path / given
        try:
            return absolute.relative_to(self.path).parts
        except ValueError:
            raise DestinationNotAllowedError(
                "the destination is outside the download folder: use a path relative to it"
            ) from None
