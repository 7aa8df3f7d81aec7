"""The invariant: what became of every content that somebody wrote."""

import hashlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path


class Violation(AssertionError):
    """The invariant does not hold."""


def md5_of(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def contents_below(folder: Path, left_out: frozenset[str] = frozenset()) -> set[str]:
    """Return the hashes of all files in a folder, except for what is in folders of some names."""
    return {md5_of(Path(file).read_bytes()) for file in _files_below(os.fspath(folder), left_out)}


def _files_below(folder: str, left_out: frozenset[str]) -> Iterator[str]:
    with os.scandir(folder) as found:
        listed = list(found)
    for one in listed:
        if one.is_file(follow_symlinks=False):
            yield one.path
        elif one.is_dir(follow_symlinks=False) and one.name not in left_out:
            yield from _files_below(one.path, left_out)


class Ledger:
    """Contents by their hashes; each is written once, at one place.

    A content is *current* until somebody replaces or deletes it: until then a side that has it keeps it, and in the end
    every side has it. It is *kept* once the server has acknowledged it: from then on it has to be somewhere for good.
    """

    def __init__(self, seed: int) -> None:
        self.current: set[str] = set()
        self.kept: set[str] = set()
        self.what: dict[str, str] = {}
        """What was done with each content, for the message."""
        self.followed = 0
        self._on: defaultdict[str, set[str]] = defaultdict(set)
        """What each side had at the last look at it, and what its user has written since then."""
        self._moved: set[str] = set()
        self._seed = seed

    def content(self, size: int | None = None, filler: str = "") -> bytes:
        """Return a content that nobody has written before; of that size if it fits."""
        self.followed += 1
        words = f"{self._seed}-{self.followed}{filler} "
        return words.encode() if size is None or size < len(words) else words.encode().ljust(size, b".")

    def wrote(self, content: bytes, what: str, *, side: str, acknowledged: bool = False) -> None:
        found = md5_of(content)
        self.current.add(found)
        self._on[side].add(found)
        self.what[found] = what
        if acknowledged:
            self.kept.add(found)

    def ended(self, found: str | None, what: str) -> None:
        """Note that somebody has replaced or deleted a content."""
        if found is not None:
            self.current.discard(found)
            self.what[found] = f"{self.what.get(found, '')}; {what}"

    def moved(self, contents: Iterable[str]) -> None:
        """Note that somebody gave files other names, and so perhaps their former names to other contents."""
        self._moved.update(contents)

    def acknowledge(self, contents: Iterable[str]) -> None:
        """Note contents that the server has: whoever deletes or replaces them from now on finds them again."""
        self.kept.update(one for one in contents if one in self.what)

    def check_kept(self, everywhere: set[str]) -> None:
        """Raise Violation where a content is nowhere."""
        self._check(self.kept - everywhere, "is nowhere")

    def check_side(self, side: str, contents: set[str], *elsewhere: set[str]) -> None:
        """Raise Violation where a side has lost a content that nobody has replaced or deleted.

        A run that is cut off may leave a file that was moved on another side alone: its name has a new content by then.
        """
        missing = (self._on[side] & self.current) - contents
        missing -= self._moved & set[str]().union(*elsewhere)
        self._check(missing, f"is no longer on {side}, and nobody has deleted it")
        self._on[side] = contents

    def look_at(self, side: str, contents: set[str]) -> None:
        """Note what a side has after an operator has put it back."""
        self._on[side] = contents

    def check_current(self, contents: set[str], where: str) -> None:
        """Raise Violation where a content that nobody has replaced or deleted is missing."""
        self._check(self.current - contents, f"is not {where}, and nobody has replaced or deleted it")

    def forget(self, is_left: Callable[[str], bool]) -> None:
        """Forget what an operator gave up."""
        self.current = {one for one in self.current if is_left(one)}

    def _check(self, missing: set[str], problem: str) -> None:
        for one in sorted(missing, key=lambda each: self.what.get(each, "")):
            raise Violation(f"a content {problem}: {self.what.get(one, one)}")
