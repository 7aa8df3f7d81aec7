"""The terms that the search index has of an object, the same for every database, and the index that each has.

A term is a mark and a text: one, two or three characters that follow each other somewhere in the folded name. To find
a word, all its trigrams are looked up together; the result is checked again, by the rule of
`wire/search_rule.py`, so an index can only propose and never decides. Words of one or two characters, whole names
in some scripts, have separate terms: that is why the trigrams are not left to a tokenizer of the database.

An object has a limited number of terms, and so has everything that one transaction indexes: others wait while an index
is written, and a term that it does not have yet costs it a hundred times as much as one that it has. An object some of
whose terms are left out has a term that says so, and is proposed to every search for text. Nothing is lost by that
but time, in the one account that has such names.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal, NamedTuple, Protocol

import msgspec

from skyshelf.wire.names import category, extension
from skyshelf.wire.search_rule import Rank, SearchText, fold, fold_source, later_words

ENTRIES_PER_ACCOUNT: Final = 1 << 40
"""An account is one range of entries, so no search reads other accounts' entries."""


class IndexedObject(msgspec.Struct, frozen=True):
    """An object and its terms."""

    account_id: int
    object_key: str
    terms: list[str]


class Sought(NamedTuple):
    """Terms that an entry must have: all of some, and of each group of others at least one; and those of a text,
    unless it has the term that stands for terms left out."""

    all_of: tuple[str, ...] = ()
    any_of: tuple[tuple[str, ...], ...] = ()
    text: tuple[str, ...] = ()
    instead_of_text: str | None = None


class Stretch(NamedTuple):
    """Entries of an account that one query of the index covers."""

    account_id: int
    low: int
    before: int
    """The first one that does not belong to it."""


class SearchIndex(Protocol):
    """Which entries have which terms. It is written in the transaction that writes the objects."""

    @property
    def stops_early(self) -> bool:
        """Whether newest_with may leave it at `enough` entries of common terms where there are more."""

    def add(self, objects: Sequence[IndexedObject]) -> None:
        """Give objects an entry, each newer than all that the account has, in this order."""

    def change(self, objects: Sequence[IndexedObject]) -> None:
        """Give objects other terms; their entries stay."""

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        """Take objects out; those that are not there are passed over."""

    def merge_some(self, pages: int) -> bool:
        """Do what writes have put off, about so many pages of it; whether there was anything."""

    def common(self, account_id: int, searches: Sequence[Sought], enough: int) -> list[bool]:
        """For each search, whether `enough` of the newest entries match it: where it matters, common and rare terms are
        searched for differently."""

    def stretches(self, account_id: int, before: int) -> Iterator[Stretch]:
        """Yield all entries of an account below `before`, newest first, in the pieces in which to search them."""

    def newest_with(self, sought: Sought, *, common: bool) -> str:
        """Return a SELECT of `entry`: entries that have what is sought, newest first.

        Its parameters are what `parameters` gives. It may give an entry that does not have them, and leaves out none
        that does and is newer than the last one given.
        """

    def parameters(self, sought: Sought, stretch: Stretch, most: int, enough: int) -> "IndexParams":
        """Return the parameters of newest_with: entries of a stretch, at most `most`; `enough` would do."""


IndexParams = dict[str, str | int | bytes | None]


SearchKind = Literal["photo", "video", "audio", "document", "folder"]

GRAM: Final = 3
# More make a statement slower and hardly ever a result smaller.
MOST_TERMS: Final = 32
# Of a name and of a path of a backup source: enough for 150 characters that are all different, or 200 of a title.
NAME_TERMS: Final = 448
SOURCE_TERMS: Final = 320
# What one transaction brings into the index: different terms, of which each may be new to it, and all.
DIFFERENT_TERMS: Final = 80_000
ALL_TERMS: Final = 400_000
_EXTENSION_CHARS: Final = 32
_IN_NAME, _IN_SOURCE, _BEGINNING, _WORD, _WHOLE, _EXTENSION, _KIND = "nspwxek"
# Terms of the name, or of the source, are missing. No other term is like it: y is no hexadecimal digit.
_MORE_IN_NAME, _MORE_IN_SOURCE = "ny", "sy"
_SIZE: Final = "z"
_TIME_MARKS: Final = {"modified": "m", "created": "c", "taken": "t"}

# What no object has: an end that lies before the beginning.
_NOTHING: Final = ("q",)
# Sizes are known by their order of magnitude and times by their month; what is beyond counts as the last.
_LARGEST: Final = 47
_FIRST_MONTH, _LAST_MONTH = 1970 * 12, 2099 * 12 + 11
# Orders of magnitude, and eight of them; months, years and decades.
_SIZE_STEPS: Final = (1, 8)
_TIME_STEPS: Final = (1, 12, 120)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_MS: Final = 86_400_000
_BEYOND: Final = int((datetime(2099, 12, 1, tzinfo=UTC) - _EPOCH).total_seconds() * 1000)


def kind_of(*, is_folder: bool, mime_type: str) -> SearchKind:
    """Return what an object counts as."""
    return "folder" if is_folder else category(mime_type)


class IndexedFields(NamedTuple):
    """The fields of an object that the search index covers."""

    name: str
    source_folder: str
    is_folder: bool
    mime_type: str
    size: int
    modified: int
    created: int
    taken: int | None


def object_terms(indexed: IndexedFields, *, texts: bool = True) -> list[str]:
    """Return the terms of an object, each once, in one order."""
    name, is_folder = indexed.name, indexed.is_folder
    folded = fold(name)
    terms = _of_texts(folded, indexed.source_folder) if texts else [_MORE_IN_NAME, _MORE_IN_SOURCE]
    terms += (_whole(folded), kind_term(kind_of(is_folder=is_folder, mime_type=indexed.mime_type)))
    if not is_folder:
        terms.append(extension_term(extension(name)))
        terms += _terms_at(_SIZE, _SIZE_STEPS, _magnitude(indexed.size))
    moments = indexed.modified, indexed.created, indexed.taken
    for mark, moment in zip(_TIME_MARKS.values(), moments, strict=True):
        if moment is not None:
            terms += _terms_at(mark, _TIME_STEPS, _month(moment))
    return terms


def _of_texts(folded: str, source_folder: str) -> list[str]:
    of_name = _all_grams(_IN_NAME, folded)
    of_name += _starting(_BEGINNING, folded[:GRAM])
    for at in later_words(folded):  # the first word is the beginning
        of_name += _starting(_WORD, folded[at : at + GRAM])
    terms = _limited(of_name, NAME_TERMS, _MORE_IN_NAME)
    if source_folder:
        of_source = _all_grams(_IN_SOURCE, fold_source(source_folder))
        terms += _limited(of_source, SOURCE_TERMS, _MORE_IN_SOURCE)
    return terms


def _limited(terms: list[str], most: int, and_more: str) -> list[str]:
    """Return the terms, each once, and at most so many."""
    different = list(dict.fromkeys(terms))
    return different if len(different) <= most else [*sorted(different)[:most], and_more]


class TermBudget:
    """What one transaction may bring into the index."""

    def __init__(self) -> None:
        self._different: set[str] = set()
        self._all = 0
        self._uncounted: list[list[str]] = []

    def terms_of(self, indexed: IndexedFields) -> list[str]:
        """Return the terms that an object gets; once the budget is used up, those of its texts are left out."""
        # Fewer terms cannot be too many different ones.
        if self._all >= DIFFERENT_TERMS:
            self._different.update(*self._uncounted)
            self._uncounted.clear()
            if self._all >= ALL_TERMS or len(self._different) >= DIFFERENT_TERMS:
                return object_terms(indexed, texts=False)
        terms = object_terms(indexed)
        self._all += len(terms)
        self._uncounted.append(terms)
        return terms


def range_terms(field: str, first: int | None, last: int | None) -> tuple[str, ...]:
    """Return terms of which every object has one whose size, or time, is in a range; none if nearly every one is."""
    if field != "size":
        begin = _FIRST_MONTH if first is None else _month(first)
        end = _LAST_MONTH if last is None else _month(last)
        return _covering(_TIME_MARKS[field], _TIME_STEPS, begin, end)
    smallest = _magnitude(first or 0)
    largest = _LARGEST if last is None else _magnitude(last)
    return () if smallest <= 1 and last is None else _covering(_SIZE, _SIZE_STEPS, smallest, largest)


@lru_cache(4096)
def _terms_at(mark: str, steps: tuple[int, ...], at: int) -> tuple[str, ...]:
    """Return a place on a scale: by its finest step, and by each coarser one."""
    return tuple(f"{mark}{level}x{at // step}" for level, step in enumerate(steps))


def _covering(mark: str, steps: tuple[int, ...], begin: int, end: int) -> tuple[str, ...]:
    """Terms of which every place from begin to end has one, and few of them: coarse ones where a whole step fits."""
    terms: list[str] = []
    while begin <= end:
        level = max(
            level for level, step in enumerate(steps) if begin % step == 0 and begin + step - 1 <= max(end, begin)
        )
        terms.append(f"{mark}{level}x{begin // steps[level]}")
        begin += steps[level]
    return tuple(terms) or _NOTHING


def _magnitude(size: int) -> int:
    return min(size.bit_length(), _LARGEST)


def _month(moment: int) -> int:
    """Return the month of a time, counted from year 0; never later for an earlier time."""
    if moment < 0:
        return _FIRST_MONTH
    if moment >= _BEYOND:
        return _LAST_MONTH
    return _month_of_day(moment // _DAY_MS)


@lru_cache(4096)
def _month_of_day(day: int) -> int:
    date = _EPOCH + timedelta(days=day)
    return date.year * 12 + date.month - 1


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


def instead_of_text(rank: Rank) -> str | None:
    """Return the term of objects that may be of that rank without having the terms of a text."""
    if rank is Rank.WHOLE_NAME:
        return None
    return _MORE_IN_SOURCE if rank is Rank.SOURCE else _MORE_IN_NAME


def extension_term(ending: str) -> str:
    return _term(_EXTENSION, ending[:_EXTENSION_CHARS])


def kind_term(kind: SearchKind) -> str:
    return _term(_KIND, kind)


def _all_grams(mark: str, folded: str) -> list[str]:
    terms: list[str] = []
    for at in range(len(folded)):
        terms += _starting(mark, folded[at : at + GRAM])
    return terms


@lru_cache(8192)
def _starting(mark: str, gram: str) -> tuple[str, ...]:
    """Return the terms of the first character of a gram, of the first two, and of all three.

    Names are alike: nearly every gram of a new one has occurred in others.
    """
    return tuple(_term(mark, gram[:size]) for size in range(1, len(gram) + 1)) or (mark,)


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


@lru_cache(4096)
def _term(mark: str, text: str) -> str:
    """Letters and digits alone: no tokenizer can take it apart or for something else."""
    return mark + text.encode("utf-8", "surrogatepass").hex()
