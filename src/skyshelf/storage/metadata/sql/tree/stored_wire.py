"""Reading the wire JSON that objects are stored with, and rewriting what another release encoded.

A row says which encoding its JSON is in. A statement that serves JSON selects `stored_wire`: the JSON of a current row,
the key of a stale one. Stale rows are then encoded from their columns in memory, so a listing shows the current form
from the first request after an upgrade, and a page of current rows costs no more than a comparison per row.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.inspection import WalkPosition
from skyshelf.storage.metadata.contracts.tree import CursorRow, Page, PageCursor
from skyshelf.storage.metadata.sql.statements import STALE, Params, Row, Sql, SqlNoun, key_text, raw, replacing
from skyshelf.storage.metadata.sql.tree.objects import objects_where
from skyshelf.storage.metadata.wire_cache import EncodedObjects, encode_object

_SETTLED: Final = "wire_encoding"


def stored_wire(alias: str) -> str:
    """Return an object's wire JSON as an expression, or STALE_KEY if it is in another encoding than `:encoding`."""
    return f"CASE WHEN {alias}.wire_version = :encoding THEN {alias}.wire ELSE STALE_KEY({alias}.object_key) END"


def encoding() -> dict[str, int]:
    """Return the parameter of stored_wire."""
    return {"encoding": wire_cache.ENCODING_VERSION}


def encoded_page(sql: Sql, account_id: int, text: str, params: Params) -> EncodedObjects:
    """Return the objects of one account, by a statement that selects stored_wire as `wire` and nothing else."""
    values = sql.encoded(text, params)
    if STALE not in values.joined:
        return values
    return EncodedObjects.of(wire for (wire,) in current_rows(sql, account_id, [(value,) for value in values]))


def current_rows(sql: Sql, account_id: int | None, rows: list[Row], *, at: int = 0) -> list[Row]:
    """Rows with the JSON of a stored_wire in column `at`; objects that no longer exist are left out.

    Without an account, the first column of a row is the account of its object.
    """
    stale: dict[int, set[bytes]] = {}
    for row in rows:
        if row[at].startswith(STALE):
            stale.setdefault(row[0] if account_id is None else account_id, set()).add(row[at])
    if not stale:
        return rows
    fresh = {owner: _encode_now(sql, owner, values) for owner, values in stale.items()}
    result: list[Row] = []
    for row in rows:
        wire = row[at]
        if wire.startswith(STALE):
            wire = fresh[row[0] if account_id is None else account_id].get(wire)
        if wire is not None:
            result.append((*row[:at], wire, *row[at + 1 :]))
    return result


def cursor_rows(sql: Sql, account_id: int, rows: list[Row]) -> list[CursorRow]:
    """Return rows of a stored_wire, a sort value and a key as objects with their places in a list."""
    return [
        CursorRow(wire, PageCursor(value, key_text(key))) for wire, value, key in current_rows(sql, account_id, rows)
    ]


def _encode_now(sql: Sql, account_id: int, values: Iterable[bytes]) -> dict[bytes, bytes]:
    """Wire JSON by the value that was read instead of it."""
    keys = sorted(raw(value.removeprefix(STALE).decode()) for value in values)
    found = objects_where(sql, account_id, "o.object_key = ANY_KEY(:keys)", {"keys": keys})
    return {STALE + one.object_key.encode(): encode_object(one) for one in found}


class SqlWireCache(SqlNoun):
    """Releases may run side by side during a rolling upgrade. Each rewrites older rows only, so they never undo each
    other's work, and each shows every object in its own encoding."""

    def settled_encoding(self) -> int:
        """Return the encoding that every row was last seen to be in; zero before the first time."""
        return int(self._sql.value("SELECT value FROM settings WHERE name = :name", {"name": _SETTLED}) or 0)

    def settle(self) -> None:
        """Note that no row is in an older encoding than this release's."""
        encoding = str(wire_cache.ENCODING_VERSION).encode()
        self._sql.insert("settings", replacing("name", "value"), name=_SETTLED, value=encoding)

    def stale(self, after: WalkPosition | None, *, limit: int) -> Page[WalkPosition, WalkPosition]:
        """Return objects among the next ones that an older release encoded."""
        account_id, key = after or (0, "")
        rows = self._sql.all(
            "SELECT o.account_id, o.object_key, o.wire_version FROM objects o"
            " WHERE (o.account_id, o.object_key) > (:account, :key)"
            " ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"account": account_id, "key": raw(key), "limit": limit},
        )
        found = [(row[0], key_text(row[1])) for row in rows if row[2] < wire_cache.ENCODING_VERSION]
        return Page(found, (rows[-1][0], key_text(rows[-1][1])) if len(rows) == limit else None)

    def re_encode(self, stale: Sequence[WalkPosition]) -> int:
        """Encode these objects again and return how many were.

        Objects that are gone or current are left out, and so are those that somebody is writing at the moment.
        """
        keys: dict[int, list[bytes]] = {}
        for account_id, key in stale:
            keys.setdefault(account_id, []).append(raw(key))
        done = 0
        for account_id, of_account in keys.items():
            # Nothing is waited for, so this cannot be part of a deadlock: a row that is locked is being rewritten.
            found = objects_where(
                self._sql,
                account_id,
                "o.object_key = ANY_KEY(:keys) AND o.wire_version < :encoding FOR NO KEY UPDATE OF o SKIP LOCKED",
                {"keys": of_account, **encoding()},
            )
            self._sql.run_many(
                "UPDATE objects SET wire = :wire, wire_version = :encoding"
                " WHERE account_id = :account AND object_key = :key",
                [
                    {"account": account_id, "key": raw(one.object_key), "wire": encode_object(one), **encoding()}
                    for one in found
                ],
            )
            done += len(found)
        return done
