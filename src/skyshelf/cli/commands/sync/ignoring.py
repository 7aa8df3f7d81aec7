"""What a sync leaves alone because the user says so: `--exclude`, and the file `.skyshelfignore`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from unicodedata import normalize

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.commands.path_filters import PathGlob, path_globs

IGNORE_FILE: Final = ".skyshelfignore"
_COMMENT: Final = "#"
_NOT: Final = "!"


class IgnoreRules:
    """Paths to leave alone: the globs of the command line, and those of the file, which may change during a watch.

    In the file, `!` before a glob cancels what an earlier line leaves alone, as in gitignore: the last line that
    matches decides, and nothing in a folder that is left alone is looked at.
    """

    def __init__(self, local: Path, exclude: Sequence[str]) -> None:
        self.local = local
        self._file = local / IGNORE_FILE
        self._exclude = path_globs(exclude)
        self._rules: list[tuple[PathGlob, bool]] = []
        self.read()

    def read(self) -> None:
        """Read the file again."""
        try:
            lines = self._file.read_text(encoding="utf-8-sig").splitlines()
        except FileNotFoundError:
            lines = []
        except (OSError, UnicodeDecodeError) as error:
            raise CommandFailed(f"cannot read {self._file}: {error}") from None
        texts = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith(_COMMENT)]
        globs = path_globs(text.removeprefix(_NOT) for text in texts)
        self._rules = [(glob, not text.startswith(_NOT)) for glob, text in zip(globs, texts, strict=True)]

    def select(self, path: str, is_folder: bool) -> bool:
        """Whether to sync an item in a folder that is synced."""
        composed = normalize("NFC", path)
        if any(glob.names(composed, is_folder=is_folder) for glob in self._exclude):
            return False
        decided = (leaves for glob, leaves in reversed(self._rules) if glob.names(composed, is_folder=is_folder))
        return not next(decided, False)
