"""Which files a backup takes, by globs over their paths, as people know them from gitignore and rclone.

A glob without a slash is compared with the name, at any depth. One with a slash is a path from the top of what is
backed up; a slash at the end means a folder. `*` and `?` stay within a name, `**` does not, `[…]` is one of several
characters, and a backslash takes the next character as it is. What fits a folder fits everything below it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final
from unicodedata import normalize

import click

from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject

_ANY_FOLDERS: Final = "(?:[^/]+/)*"


class PathGlob:
    """One glob."""

    def __init__(self, text: str) -> None:
        glob = normalize("NFC", text)
        bare = glob.strip(SEPARATOR)
        if not bare:
            raise ValueError(f"'{text}' fits nothing: write it like '*.tmp', 'cache/' or '/Photos/2024'")
        self._is_path = SEPARATOR in glob.rstrip(SEPARATOR)
        self._parts = [part for part in bare.split(SEPARATOR) if part]
        below = "/.*" if glob.endswith(SEPARATOR) else "(?:/.*)?"
        start = "" if self._is_path else _ANY_FOLDERS
        self._expression = re.compile(start + _path_expression(self._parts) + below, re.DOTALL)
        self._names = [None if "**" in part else re.compile(_name_expression(part), re.DOTALL) for part in self._parts]

    def fits(self, path: str, *, is_folder: bool) -> bool:
        """Whether the path fits, or lies below a folder that does."""
        return self._expression.fullmatch(path + SEPARATOR if is_folder else path) is not None

    def may_fit_below(self, path: str) -> bool:
        """Whether something below a folder may fit."""
        if not self._is_path:
            return True
        for name, expected in zip(path.split(SEPARATOR), self._names, strict=False):
            if expected is None:
                return True
            if not expected.fullmatch(name):
                return False
        return True


class PathFilter:
    """Takes what some include fits, or everything where there is none, but never what an exclude fits."""

    def __init__(self, include: Sequence[PathGlob], exclude: Sequence[PathGlob]) -> None:
        self._include = include
        self._exclude = exclude

    def __call__(self, path: str, found: RemoteObject) -> bool:
        """Whether to take a file, or to look into a folder."""
        return self.takes(path, is_folder=found.is_folder)

    def takes(self, path: str, *, is_folder: bool) -> bool:
        """The same of a path alone."""
        composed = normalize("NFC", path)
        if any(glob.fits(composed, is_folder=is_folder) for glob in self._exclude):
            return False
        if not self._include or any(glob.fits(composed, is_folder=is_folder) for glob in self._include):
            return True
        return is_folder and any(glob.may_fit_below(composed) for glob in self._include)


def path_filter(include: Iterable[str], exclude: Iterable[str]) -> PathFilter | None:
    """The filter of these globs; None where everything is taken."""
    try:
        included, excluded = [PathGlob(one) for one in include], [PathGlob(one) for one in exclude]
    except (ValueError, re.error) as wrong:
        raise click.UsageError(
            str(wrong) if isinstance(wrong, ValueError) else f"a glob is not right: {wrong}"
        ) from None
    return PathFilter(included, excluded) if included or excluded else None


def _path_expression(parts: Sequence[str]) -> str:
    expression = ""
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        if part == "**":
            expression += ".+" if last else _ANY_FOLDERS
        else:
            expression += _name_expression(part) + ("" if last else "/")
    return expression


def _name_expression(part: str) -> str:
    expression = ""
    position = 0
    while position < len(part):
        character = part[position]
        position += 1
        if character == "*":
            deep = part[position : position + 1] == "*"
            position += deep
            expression += ".*" if deep else "[^/]*"
        elif character == "?":
            expression += "[^/]"
        elif character == "\\" and position < len(part):
            expression += re.escape(part[position])
            position += 1
        elif character == "[" and (end := part.find("]", position + 1 + (part[position : position + 1] in "!^"))) > 0:
            expression += _set_expression(part[position:end])
            position = end + 1
        else:
            expression += re.escape(character)
    return expression


def _set_expression(inside: str) -> str:
    negated = inside[:1] in {"!", "^"}
    members = inside[negated:]
    # Escaped but for the hyphen, which means a range here as in a shell.
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
    return f"(?!/)[{'^' if negated else ''}{escaped}]"
