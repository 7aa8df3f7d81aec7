"""Which objects match a search, and how well: one rule for the server's index and for a client that walks the tree.

Text is folded first: letters lose their accents and their case, and compatibility forms become plain ones. A search
is a list of words. An object matches if its name contains all of them, or if the path of its backup source does. Only
the last SOURCE_FOLDER_CHARS_SEARCHED characters of a path count.
"""

import unicodedata
from enum import IntEnum
from functools import cached_property
from typing import Final

from skyshelf.wire.limits import SOURCE_FOLDER_CHARS_SEARCHED


def fold(text: str) -> str:
    """Return the text without accents and case.

    Each character is folded separately, so a part of a text stays a part of it when both are folded.
    """
    if text.isascii():
        return text.lower()
    # Twice: case folding gives a few characters new accents.
    return _without_accents(_without_accents(text).casefold())


def fold_source(source_folder: str) -> str:
    """Return the searched part of a backup source's path: its end, which says more than its beginning."""
    return fold(source_folder[-SOURCE_FOLDER_CHARS_SEARCHED:])


def _without_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


class Rank(IntEnum):
    """How well an object matches, from best to worst."""

    WHOLE_NAME = 0
    BEGINNING = 1
    WORD = 2
    """The query is at the beginning of a word of the name."""
    PART = 3
    SOURCE = 4
    """Only the path of its backup source contains the words."""


RANKS: Final = tuple(Rank)


class SearchText:
    """A search by words."""

    def __init__(self, text: str) -> None:
        self.words: Final = tuple(dict.fromkeys(fold(text).split()))

    @cached_property
    def phrase(self) -> str:
        """Return the words as written, joined by spaces."""
        return " ".join(self.words)

    def rank(self, name: str, source_folder: str = "") -> Rank | None:
        """Return how well an object matches; None if it does not. A query without words matches everything, as PART."""
        if not self.words:
            return Rank.PART
        folded = fold(name)
        if all(word in folded for word in self.words):
            return self._rank_of_name(folded)
        if source_folder:
            folded = fold_source(source_folder)
            if all(word in folded for word in self.words):
                return Rank.SOURCE
        return None

    def _rank_of_name(self, folded: str) -> Rank:
        if folded == self.phrase:
            return Rank.WHOLE_NAME
        if folded.startswith(self.phrase):
            return Rank.BEGINNING
        at = folded.find(self.phrase)
        while at > 0:
            if begins_a_word(folded, at):
                return Rank.WORD
            at = folded.find(self.phrase, at + 1)
        return Rank.PART


def begins_a_word(folded: str, at: int) -> bool:
    """Return whether a word begins at an index: at the start, or after anything but a letter or digit."""
    return at == 0 or not folded[at - 1].isalnum()


def later_words(folded: str) -> list[int]:
    """Return the indexes at which words begin, except the first."""
    return [at for at, before in enumerate(folded[:-1], 1) if not before.isalnum()]
