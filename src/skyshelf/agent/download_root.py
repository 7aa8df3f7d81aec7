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
        components = names_below(self.path, destination)
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


def names_below(root: Path, named: str, what: str = "destination") -> tuple[str, ...]:
    """The names that lead from a root to a path named by a model; DestinationNotAllowedError if it leaves the root."""
    try:
        os.fsencode(named)
    except UnicodeError:
        raise DestinationNotAllowedError(f"the {what} is not valid text") from None
    if not named.strip() or "\x00" in named:
        raise DestinationNotAllowedError(f"the {what} does not name a file")
    given = Path(named)
    if ".." in given.parts or (os.name != "nt" and ".." in named.split("\\")):
        raise DestinationNotAllowedError(f"the {what} must not contain `..`")
    if named.startswith("~"):
        raise DestinationNotAllowedError(f"the {what} must not start with `~`")
    absolute = given if given.is_absolute() else root / given
    try:
        return absolute.relative_to(root).parts
    except ValueError:
        folder = "download folder" if what == "destination" else "upload folder"
        raise DestinationNotAllowedError(f"the {what} is outside the {folder}: use a path relative to it") from None
