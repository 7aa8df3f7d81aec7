"""What a search finds: one rule for a server that has an index and for a client that walks, so that both agree.

Text is folded first: letters lose their accents and their case, and compatibility forms become plain ones. A search
is a list of words. An object is found when its name has all of them, or when the path that a backup took it from does.
"""

import unicodedata
from enum import IntEnum
from functools import cached_property
from typing import Final


def fold(text: str) -> str:
    """The text without accents and case.

    Every character is folded by itself, so that what is part of a text stays part of it when both are folded.
    """
    if text.isascii():
        return text.lower()
    # Twice: the case folding of a few characters is one that has accents again.
    return _without_accents(_without_accents(text).casefold())


def _without_accents(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


class Rank(IntEnum):
    """How well an object fits; the best first."""

    WHOLE_NAME = 0
    BEGINNING = 1
    WORD = 2
    """The search begins a word of the name."""
    PART = 3
    SOURCE = 4
    """The name does not have the words, and the path that a backup took it from has them."""


RANKS: Final = tuple(Rank)


class SearchText:
    """A search by words."""

    def __init__(self, text: str) -> None:
        self.words: Final = tuple(dict.fromkeys(fold(text).split()))

    @cached_property
    def phrase(self) -> str:
        """The words as they were written, side by side."""
        return " ".join(self.words)

    def rank(self, name: str, source_folder: str = "") -> Rank | None:
        """How well an object fits, or None where it does not. No words at all fit everything, as a part."""
        if not self.words:
            return Rank.PART
        folded = fold(name)
        if all(word in folded for word in self.words):
            return self._rank_of_name(folded)
        if source_folder:
            folded = fold(source_folder)
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
    """Whether a word begins at a place of a text: where it begins, and after what is neither letter nor digit."""
    return at == 0 or not folded[at - 1].isalnum()


def later_words(folded: str) -> list[int]:
    """Where the words of a text begin, after its beginning."""
    return [at for at, before in enumerate(folded[:-1], 1) if not before.isalnum()]
