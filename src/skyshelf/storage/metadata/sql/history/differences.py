"""What is different between two moments, in SQL: one entry per object, found through its first change in between."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.tree import Page
from skyshelf.storage.metadata.history.contract import Difference, PlacedObject
from skyshelf.storage.metadata.history.records import decode_past
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT, PastTree
from skyshelf.storage.metadata.sql.keeping import purged_states
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw

_COMPARED = ("parent_key", "name", "sha256", "is_favorite", "is_executable")
_OWN = "e.account_id = k.account_id AND e.object_key = k.object_key AND e.before IS NOT NULL AND e.kind <> 'emptied'"
# The first change of each object after a moment, and the number of its last one up to the other moment.
_FIRST = (
    "SELECT k.seq, k.object_key, k.before, coalesce((SELECT e.seq FROM changes e"
    f" WHERE {_OWN} AND e.seq <= :until ORDER BY e.seq DESC LIMIT 1), k.seq)"
    " FROM (SELECT c.account_id, c.seq, c.object_key, c.before FROM changes c WHERE c.account_id = :account"
    " AND c.seq > :after AND c.seq <= :scanned AND c.kind <> 'emptied') k"
    f" WHERE k.before IS NULL OR NOT EXISTS (SELECT 1 FROM changes e WHERE {_OWN} AND e.seq > :since AND e.seq < k.seq)"
    " ORDER BY k.seq LIMIT :limit"
)


class DifferenceReader:
    """Compares an account's tree at two moments, page by page. A page costs the same however large the tree is."""

    def __init__(self, sql: Sql, account_id: int, since: int, until: int) -> None:
        self._sql = sql
        self._account_id = account_id
        self._since, self._until = since, until
        self._old, self._new = PastTree(sql, account_id, since), PastTree(sql, account_id, until)

    def page(self, after: int, *, below: str | None, limit: int, among: int) -> Page[Difference, int]:
        """Differences of objects that first changed after `after`; a page looks through `among` changes at most."""
        scanned = min(after + among, self._until)
        rows = self._sql.all(
            _FIRST,
            {
                "account": self._account_id,
                "since": self._since,
                "until": self._until,
                "after": after,
                "scanned": scanned,
                "limit": limit,
            },
        )
        last = {key_text(key): seq for _, key, before, seq in rows if self._is_first(key_text(key), before)}
        reached = rows[-1][0] if len(rows) == limit else scanned
        found = self._differences(last, below)
        return Page(found, reached if reached < self._until else None)

    def _is_first(self, object_key: str, before: bytes | None) -> bool:
        """Not so for a later change of an object that was created in between: its creation is the first one."""
        return before is None or decode_past(self._account_id, object_key, before).object.created_seq <= self._since

    def _differences(self, last: dict[str, int], below: str | None) -> list[Difference]:
        keys = list(last)
        old, new = self._old.placed(keys), self._new.placed(keys)
        changed = [key for key in keys if _differs(old.get(key), new.get(key))]
        if below is not None:
            changed = [key for key in changed if _is_below(old.get(key), below) or _is_below(new.get(key), below)]
        made = self._made([last[key] for key in changed])
        return [Difference(key, old.get(key), new.get(key), *made[last[key]]) for key in changed]

    def _made(self, numbers: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Return when changes were made, and by whom."""
        rows = self._sql.all(
            "SELECT seq, at, actor FROM changes WHERE account_id = :account AND seq = ANY(:numbers)",
            {"account": self._account_id, "numbers": list(numbers)},
        )
        return {seq: (at, actor) for seq, at, actor in rows}


def _differs(old: PlacedObject | None, new: PlacedObject | None) -> bool:
    if old is None or new is None:
        return old is not new
    was, became = old.object, new.object
    if was.parent_key is None:
        return False  # the root is in no folder
    return any(getattr(was, name) != getattr(became, name) for name in _COMPARED)


def _is_below(placed: PlacedObject | None, folder_key: str) -> bool:
    return placed is not None and folder_key in placed.keys


class Surroundings:
    """The folders above objects at the time of changes, for a page of changes.

    Folders move rarely: their moves since the oldest of the changes are read once per level, and undone in memory.
    """

    def __init__(self, sql: Sql, account_id: int, since: int) -> None:
        self._sql = sql
        self._account_id = account_id
        self._since = since
        self._current: dict[str, str | None] = {}
        self._moves: dict[str, list[tuple[int, str | None]]] = {}

    def load(self, folder_keys: Sequence[str]) -> None:
        """Read everything above folders, a level at a time."""
        wanted = {key for key in folder_keys if key not in self._current}
        while wanted:
            self._current |= dict.fromkeys(wanted)
            keys = [raw(key) for key in sorted(wanted)]
            purged = purged_states(self._sql, self._account_id, wanted)
            self._current |= {key: past.object.parent_key for key, past in purged.items()}
            rows = self._sql.all(
                "SELECT o.object_key, o.parent_key FROM objects o WHERE o.account_id = :account"
                " AND o.object_key = ANY_KEY(:keys) AND o.parent_key IS NOT NULL",
                {"account": self._account_id, "keys": keys},
            )
            self._current |= {key_text(key): key_text(parent) for key, parent in rows}
            moves = self._sql.all(
                "SELECT c.object_key, c.seq, c.before FROM changes c WHERE c.account_id = :account"
                f" AND c.object_key = ANY_KEY(:keys) AND c.seq > :since AND {OF_OBJECT}"
                " AND c.kind <> 'favorite'",
                {"account": self._account_id, "keys": keys, "since": self._since},
            )
            for raw_key, seq, before in moves:
                key = key_text(raw_key)
                self._moves.setdefault(key, []).append(
                    (seq, decode_past(self._account_id, key, before).object.parent_key)
                )
            parents = {self._current[key] for key in wanted} | {
                parent for key in wanted for _, parent in self._moves.get(key, ())
            }
            wanted = {parent for parent in parents if parent is not None and parent not in self._current}
        for known in self._moves.values():
            known.sort()

    def is_below(self, folder_key: str | None, top: str, seq: int) -> bool:
        """Return whether a folder was `top` or anywhere below it right after the change `seq`."""
        met: set[str] = set()
        while folder_key is not None and folder_key not in met:
            if folder_key == top:
                return True
            met.add(folder_key)
            later = [parent for number, parent in self._moves.get(folder_key, ()) if number > seq]
            folder_key = later[0] if later else self._current.get(folder_key)
        return False
