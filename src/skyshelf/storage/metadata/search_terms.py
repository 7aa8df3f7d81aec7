"""The terms that the search index has of an object, the same for every database.

A term is a mark and a text: one, two or three characters that follow each other somewhere in the folded name. To find
a word, all its trigrams are looked up together; what comes out is looked at once more, by the rule of
`wire/matching.py`, so that an index can only miss nothing and never decide. Words of one or two characters, whole names
in some scripts, have terms of their own: that is why the trigrams are not left to a tokenizer of the database.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final, Literal

from skyshelf.wire.matching import Rank, SearchText, begins_a_word, fold
from skyshelf.wire.names import category, extension

SearchKind = Literal["photo", "video", "audio", "document", "folder"]

GRAM: Final = 3
# More make a statement slower and hardly ever an answer smaller.
MOST_TERMS: Final = 32
_IN_NAME, _IN_SOURCE, _BEGINNING, _WORD, _WHOLE, _EXTENSION, _KIND, _FAVORITE = "nspwxekf"


def kind_of(*, is_folder: bool, mime_type: str) -> SearchKind:
    """What an object counts as."""
    return "folder" if is_folder else category(mime_type)


def object_terms(*, name: str, source_folder: str, is_folder: bool, mime_type: str, is_favorite: bool) -> list[str]:
    """All terms of an object, each once, in one order."""
    folded = fold(name)
    codes = _codes(folded)
    terms = _all_grams(_IN_NAME, codes)
    if source_folder:
        terms |= _all_grams(_IN_SOURCE, _codes(fold(source_folder)))
    terms.update(_starting(_BEGINNING, codes, 0))
    for at in range(1, len(folded)):  # the first word is the beginning
        if begins_a_word(folded, at):
            terms.update(_starting(_WORD, codes, at))
    terms.add(_whole(folded))
    terms.add(kind_term(kind_of(is_folder=is_folder, mime_type=mime_type)))
    if not is_folder:
        terms.add(extension_term(extension(name)))
    if is_favorite:
        terms.add(favorite_term())
    return sorted(terms)


def text_terms(text: SearchText, rank: Rank) -> list[str]:
    """Terms that every object of that rank has."""
    if not text.words:
        return []
    if rank is Rank.WHOLE_NAME:
        return [_whole(text.phrase)]
    if rank is Rank.BEGINNING:
        return [_term(_BEGINNING, text.phrase[:GRAM]), *_wanted(_IN_NAME, [text.phrase])]
    if rank is Rank.WORD:
        return [_term(_WORD, text.phrase[:GRAM]), *_wanted(_IN_NAME, [text.phrase])]
    return list(_wanted(_IN_NAME if rank is Rank.PART else _IN_SOURCE, text.words))


def extension_term(ending: str) -> str:
    return _term(_EXTENSION, ending)


def kind_term(kind: SearchKind) -> str:
    return _term(_KIND, kind)


def favorite_term() -> str:
    return _FAVORITE


def _codes(folded: str) -> list[str]:
    """Each character as it stands in a term."""
    return [one.encode("utf-8", "surrogatepass").hex() for one in folded]


def _all_grams(mark: str, codes: list[str]) -> set[str]:
    ones = [mark + one for one in codes]
    twos = list(map(str.__add__, ones, codes[1:]))
    return {*ones, *twos, *map(str.__add__, twos, codes[2:])}


def _starting(mark: str, codes: list[str], at: int) -> list[str]:
    return [mark + "".join(codes[at : at + size]) for size in range(1, GRAM + 1)]


def _wanted(mark: str, texts: Iterable[str]) -> Iterator[str]:
    grams = (
        text[at : at + GRAM] if len(text) > GRAM else text
        for text in texts
        for at in range(max(1, len(text) - GRAM + 1))
    )
    for number, gram in enumerate(dict.fromkeys(grams)):
        if number == MOST_TERMS:
            return
        yield _term(mark, gram)


def _whole(folded: str) -> str:
    return _WHOLE + blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _term(mark: str, text: str) -> str:
    """Letters and digits alone: no tokenizer can take it apart or for something else."""
    return mark + text.encode("utf-8", "surrogatepass").hex()
