"""Selects the files of a backup by globs on their paths, as in gitignore and rclone.

A glob without a slash matches names at any depth. One with a slash is a path relative to the folder that is backed up;
a trailing slash matches only folders. `*` and `?` match within a name, `**` across folders, `[…]` one of several
characters, and a backslash escapes the next character. A match on a folder includes everything below it.
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
            raise ValueError(f"'{text}' matches nothing: use a glob like '*.tmp', 'cache/' or '/Photos/2024'")
        self._is_path = SEPARATOR in glob.rstrip(SEPARATOR)
        self._parts = [part for part in bare.split(SEPARATOR) if part]
        below = "/.*" if glob.endswith(SEPARATOR) else "(?:/.*)?"
        start = "" if self._is_path else _ANY_FOLDERS
        itself = start + _path_expression(self._parts)
        self._expression = re.compile(itself + below, re.DOTALL)
        self._itself = re.compile(itself, re.DOTALL)
        self._is_folder = glob.endswith(SEPARATOR)
        self._names = [None if "**" in part else re.compile(_name_expression(part), re.DOTALL) for part in self._parts]

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether the path matches, or lies below a folder that does."""
        return self._expression.fullmatch(path + SEPARATOR if is_folder else path) is not None

    def names(self, path: str, *, is_folder: bool) -> bool:
        """Whether the item itself matches, not a folder that it is in."""
        return (is_folder or not self._is_folder) and self._itself.fullmatch(path) is not None

    def may_match_below(self, path: str) -> bool:
        """Whether anything below a folder may match."""
        if not self._is_path:
            return True
        for name, expected in zip(path.split(SEPARATOR), self._names, strict=False):
            if expected is None:
                return True
            if not expected.fullmatch(name):
                return False
        return True


class PathFilter:
    """Accepts what an include matches, or everything if there are none, but never what an exclude matches."""

    def __init__(self, include: Sequence[PathGlob], exclude: Sequence[PathGlob]) -> None:
        self._include = include
        self._exclude = exclude

    def __call__(self, path: str, found: RemoteObject) -> bool:
        """Whether to accept a file, or to descend into a folder."""
        return self.accepts(path, is_folder=found.is_folder)

    def accepts(self, path: str, *, is_folder: bool) -> bool:
        composed = normalize("NFC", path)
        if any(glob.matches(composed, is_folder=is_folder) for glob in self._exclude):
            return False
        if not self._include or any(glob.matches(composed, is_folder=is_folder) for glob in self._include):
            return True
        return is_folder and any(glob.may_match_below(composed) for glob in self._include)


def path_filter(include: Iterable[str], exclude: Iterable[str]) -> PathFilter | None:
    """The filter for these globs; None if there are none."""
    included, excluded = path_globs(include), path_globs(exclude)
    return PathFilter(included, excluded) if included or excluded else None


def path_globs(texts: Iterable[str]) -> list[PathGlob]:
    """Read globs; one that cannot be used is wrong usage."""
    try:
        return [PathGlob(text) for text in texts]
    except (ValueError, re.error) as error:
        raise click.UsageError(str(error) if isinstance(error, ValueError) else f"invalid glob: {error}") from None


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
    # Escape everything except the hyphen, which denotes a range, as in a shell.
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
    return f"(?!/)[{'^' if negated else ''}{escaped}]"
