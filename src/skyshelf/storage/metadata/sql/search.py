"""Search in SQL: the index gives candidates, newest first, which are checked here."""

from collections.abc import Iterable, Iterator
from itertools import dropwhile, islice
from typing import Final, NamedTuple

from skyshelf.storage.metadata import search_index
from skyshelf.storage.metadata.contracts.tree import FoundPage, Range, SearchCursor, SearchFilter
from skyshelf.storage.metadata.sql.statements import Row, SqlNoun, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import BELOW, Lineage, named_folders
from skyshelf.wire.names import extension, order_key
from skyshelf.wire.search_rule import RANKS, Rank, SearchText

MOST_EXAMINED: Final = 4000
"""Candidates of one rank that one call examines, and objects below a folder that are examined without the index."""
SPARE: Final = 60
STEP_FACTOR: Final = 6

_COLUMNS = "e.entry, o.object_key, o.parent_key, o.name, o.source_folder, o.kind, o.mime_type"

_BELOW = f"{BELOW}, few AS MATERIALIZED (SELECT object_key FROM below LIMIT {MOST_EXAMINED + 1})"
_TAGGED = (
    "WITH few AS MATERIALIZED (SELECT i.object_key FROM tags t JOIN object_tags i ON i.tag_key = t.tag_key"
    f" WHERE t.account_id = :account AND t.name_folded = :tag LIMIT {MOST_EXAMINED + 1})"
)

_FAVORITES = (
    "WITH few AS MATERIALIZED (SELECT f.object_key FROM objects f WHERE f.account_id = :account AND f.status = 'A'"
    f" AND f.is_favorite = 1 LIMIT {MOST_EXAMINED + 1})"
)


class _Candidate(NamedTuple):
    rank: Rank
    entry: int
    object_key: bytes
    parent_key: str


class _IndexQuery(NamedTuple):
    """One query of the index: the objects of one rank, below an entry, up to a limit."""

    rank: Rank
    sought: search_index.Sought
    is_common: bool
    before: int
    limit: int


class _Query:
    """A search as a database needs it."""

    def __init__(self, wanted: SearchFilter) -> None:
        self.wanted = wanted
        self.text = SearchText(wanted.text)
        self.terms = [
            *([] if wanted.extension is None else [search_index.extension_term(wanted.extension)]),
            *([] if wanted.kind is None else [search_index.kind_term(wanted.kind)]),
        ]
        self.any_of = tuple(
            group
            for field in ("size", "modified", "created", "taken")
            if not (range_ := getattr(wanted, field)).is_open
            and (group := search_index.range_terms(field, range_.first, range_.last))
        )
        self.condition, self.params = _conditions(wanted)
        self.ranks = RANKS if self.text.words else (Rank.PART,)
        # The index may propose the same object for several ranks.
        self._ranks_found: dict[bytes, Rank | None] = {}

    def sought(self, rank: Rank) -> search_index.Sought:
        text = tuple(search_index.text_terms(self.text, rank))
        return search_index.Sought(
            tuple(self.terms), self.any_of, text, search_index.instead_of_text(rank) if text else None
        )

    def matching(self, rows: Iterable[Row]) -> Iterator[_Candidate]:
        """Yield the rows of _COLUMNS that really match: an index may give too many."""
        wanted = self.wanted
        for entry, key, parent, name, source_folder, kind, mime_type in rows:
            if wanted.extension is not None and (kind == 0 or extension(name) != wanted.extension):
                continue
            if (
                wanted.kind is not None
                and search_index.kind_of(is_folder=kind == 0, mime_type=mime_type) != wanted.kind
            ):
                continue
            if key not in self._ranks_found:
                self._ranks_found[key] = self.text.rank(name, source_folder)
            rank = self._ranks_found[key]
            if rank is not None and parent is not None:
                yield _Candidate(rank, entry, key, key_text(parent))


class SqlSearch(SqlNoun):
    """Finds what can be seen of an account, by an index that is written with the objects."""

    def page(
        self, account_id: int, wanted: SearchFilter, *, limit: int, after: SearchCursor | None = None
    ) -> FoundPage:
        """Return the best matches first (wire.search_rule.Rank), and of equal rank the newest arrival first.

        One call does a bounded amount of work. So a page may be short, or even empty, where much has to be passed
        over (what is below a trashed folder, or outside of a range), and the search continues from `next` all the same.
        Over all pages, an object that fits and stays as it is comes exactly once.
        """
        query = _Query(wanted)
        few = self._few(account_id, query)
        if few is None:
            found, next_ = self._from_index(account_id, query, limit, after)
        else:
            found, next_ = _ranked(few, limit, after)
        lineage = Lineage(self._sql, account_id, {one.parent_key for one in found})
        visible = [
            one
            for one in found
            if lineage.is_visible(one.parent_key)
            and (wanted.folder_key is None or wanted.folder_key in lineage.up_from(one.parent_key))
        ]
        above = {key for one in visible for key in lineage.up_from(one.parent_key)}
        return FoundPage(self._encoded(account_id, visible), named_folders(self._sql, account_id, above), next_)

    def merge_some(self, pages: int) -> bool:
        """Merge some of what writes have added to the index; whether there was anything to merge.

        Until then searches look into more places. It is for the background: others wait while it works.
        """
        return self._sql.search_index.merge_some(pages)

    def _few(self, account_id: int, query: _Query) -> list[_Candidate] | None:
        """Return all matches, where a tag, the favourites or a folder leave few objects to examine; otherwise None."""
        wanted = query.wanted
        params: dict[str, Value] = {"account": account_id, **query.params}
        if wanted.tag is not None:
            few = _TAGGED
        elif wanted.favorite:
            few = _FAVORITES
        elif wanted.folder_key is not None:
            few, params["folder"] = _BELOW, raw(wanted.folder_key)
        else:
            return None
        rows = self._sql.all(
            f"{few} SELECT {_COLUMNS} FROM few CROSS JOIN search_entries e JOIN objects o"
            " ON o.account_id = e.account_id AND o.object_key = e.object_key"
            " WHERE e.account_id = :account AND e.object_key = few.object_key AND o.status = 'A'"
            f"{query.condition} UNION ALL SELECT count(*), NULL, NULL, NULL, NULL, NULL, NULL FROM few",
            params,
        )
        count = next(row[0] for row in rows if row[1] is None)
        if count > MOST_EXAMINED:
            return None
        return sorted(query.matching(row for row in rows if row[1] is not None), key=lambda one: (one.rank, -one.entry))

    def _from_index(
        self, account_id: int, query: _Query, limit: int, after: SearchCursor | None
    ) -> tuple[list[_Candidate], SearchCursor | None]:
        found: list[_Candidate] = []
        beyond = (account_id + 1) * search_index.ENTRIES_PER_ACCOUNT
        start = after or SearchCursor(query.ranks[0], beyond)
        ranks = list(dropwhile(lambda rank: rank < start.rank, query.ranks))
        searches = [query.sought(rank) for rank in ranks]
        common = self._sql.search_index.common(account_id, searches, limit)
        for rank, sought, is_common in zip(ranks, searches, common, strict=True):
            before = start.entry if rank == start.rank else beyond
            index_query = _IndexQuery(rank, sought, is_common, before, limit - len(found))
            candidates, goes_on_at = self._of_rank(account_id, query, index_query)
            found += candidates
            if goes_on_at is not None:
                return found, SearchCursor(rank, goes_on_at)
            if len(found) == limit:
                following = [later for later in query.ranks if later > rank]
                return found, SearchCursor(following[0], beyond) if following else None
        return found, None

    def _of_rank(self, account_id: int, query: _Query, index_query: _IndexQuery) -> tuple[list[_Candidate], int | None]:
        """Return the next candidates of a rank, and the entry below which there are more, if any.

        Nearly everything that the index gives matches. Otherwise, because many are of a better rank, which came
        before, or because of a condition that the index does not know, it is queried again, for more each time.
        """
        found: list[_Candidate] = []
        for rows_wanted in _steps(index_query.limit + SPARE):
            matching, goes_on_at = self._examine(account_id, query, index_query, rows_wanted)
            limit = index_query.limit - len(found)
            found += matching[:limit]
            if len(matching) > limit:
                return found, found[-1].entry
            if goes_on_at is None or len(found) == index_query.limit:
                return found, goes_on_at
            index_query = index_query._replace(before=goes_on_at)
        return found, index_query.before

    def _examine(
        self, account_id: int, query: _Query, index_query: _IndexQuery, rows_wanted: int
    ) -> tuple[list[_Candidate], int | None]:
        """Return the matches among so many candidates, and the entry below which there may be more, if any."""
        index = self._sql.search_index
        real: list[Row] = []
        examine, goes_on_at = min(rows_wanted, MOST_EXAMINED), None
        for stretch in index.stretches(account_id, index_query.before):
            rows, examined, lowest = self._candidates(query, index_query, stretch, examine, rows_wanted - len(real))
            real += rows
            if len(real) == rows_wanted:
                goes_on_at = real[-1][0]
                break
            stopped_early = index.stops_early and index_query.is_common
            if examined >= (min(index_query.limit, examine) if stopped_early else examine):
                goes_on_at = lowest
                break
            examine -= examined
        of_rank = (one for one in query.matching(real) if one.rank == index_query.rank)
        # One more than are wanted says that there are more.
        return list(islice(of_rank, index_query.limit + 1)), goes_on_at

    def _candidates(
        self, query: _Query, index_query: _IndexQuery, stretch: search_index.Stretch, examine: int, rows_wanted: int
    ) -> tuple[list[Row], int, int | None]:
        """Return what a stretch has: rows of _COLUMNS, how many entries the index gave for them, and the lowest of
        these."""
        index = self._sql.search_index
        rows = self._sql.all(
            f"WITH candidate AS MATERIALIZED ({index.newest_with(index_query.sought, common=index_query.is_common)})"
            f" SELECT * FROM (SELECT {_COLUMNS} FROM candidate c CROSS JOIN search_entries e JOIN objects o"
            " ON o.account_id = e.account_id AND o.object_key = e.object_key"
            f" WHERE e.entry = c.entry AND e.account_id = :account AND o.status = 'A'{query.condition}"
            " ORDER BY e.entry DESC LIMIT :most_rows) page"
            " UNION ALL SELECT min(entry), NULL, NULL, CAST(count(*) AS TEXT), NULL, NULL, NULL FROM candidate",
            {
                **index.parameters(index_query.sought, stretch, examine, index_query.limit),
                **query.params,
                "account": stretch.account_id,
                "most_rows": rows_wanted,
            },
        )
        (lowest, examined) = next((row[0], int(row[3])) for row in rows if row[1] is None)
        return [row for row in rows if row[1] is not None], examined, lowest

    def _encoded(self, account_id: int, found: list[_Candidate]) -> list[bytes]:
        rows = self._sql.all(
            f"SELECT o.object_key, {stored_wire('o')} FROM objects o WHERE o.account_id = :account"
            " AND o.object_key = ANY_KEY(:keys) AND o.status = 'A'",
            {"account": account_id, "keys": [one.object_key for one in found], **encoding()},
        )
        wires: dict[bytes, bytes] = dict(current_rows(self._sql, account_id, rows, at=1))
        return [wires[one.object_key] for one in found if one.object_key in wires]


def _steps(first: int) -> Iterator[int]:
    """Yield how many rows to ask an index for, one query after the other."""
    rows, examined = first, 0
    while examined < MOST_EXAMINED:
        yield rows
        examined += rows
        rows = min(rows * STEP_FACTOR, MOST_EXAMINED)


def _ranked(
    few: list[_Candidate], limit: int, after: SearchCursor | None
) -> tuple[list[_Candidate], SearchCursor | None]:
    left = [one for one in few if after is None or (one.rank, -one.entry) > (after.rank, -after.entry)]
    page = left[:limit]
    return page, SearchCursor(page[-1].rank, page[-1].entry) if len(left) > limit else None


def _conditions(wanted: SearchFilter) -> tuple[str, dict[str, Value]]:
    """Return what the columns of an object `o` must hold, besides what the index knows of it."""
    parts: list[str] = []
    params: dict[str, Value] = {}
    ranges: dict[str, Range] = {
        "size": wanted.size,
        "last_modified_at": wanted.modified,
        "file_created_at": wanted.created,
        "taken_at": wanted.taken,
    }
    for column, range_ in ranges.items():
        if range_.first is not None:
            parts.append(f"o.{column} >= :{column}_first")
            params[f"{column}_first"] = range_.first
        if range_.last is not None:
            parts.append(f"o.{column} <= :{column}_last")
            params[f"{column}_last"] = range_.last
    if not wanted.size.is_open:
        parts.append("o.kind = 1")
    if wanted.favorite is not None:
        parts.append(f"o.is_favorite = {int(wanted.favorite)}")
    if wanted.tag is not None:
        parts.append(
            "EXISTS (SELECT 1 FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
            " WHERE i.account_id = o.account_id AND i.object_key = o.object_key AND t.name_folded = :tag)"
        )
        # What makes two spellings one name makes two spellings one tag.
        params["tag"] = order_key(wanted.tag).decode()
    return "".join(f" AND {part}" for part in parts), params
