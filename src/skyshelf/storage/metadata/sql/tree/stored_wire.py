"""Reading the wire JSON that objects are stored with, and rewriting what another release encoded.

A row says which encoding its JSON is in. A statement that serves JSON selects `stored_wire`: the JSON of a current row,
the key of a stale one. Stale rows are then encoded from their columns in memory, so a listing shows the current form
from the first request after an upgrade, and a page of current rows costs no more than a comparison per row.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.inspection import Walked, WalkPosition
from skyshelf.storage.metadata.encoded_objects import EncodedObjects
from skyshelf.storage.metadata.sql.statements import STALE, Params, Row, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from
from skyshelf.storage.metadata.wire_cache import encode_object

_SETTLED: Final = "wire_encoding"
_LOAD: Final = f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account"


def stored_wire(alias: str) -> str:
    """An object's wire JSON as an expression, or STALE_KEY if it is in another encoding than `:encoding`."""
    return f"CASE WHEN {alias}.wire_version = :encoding THEN {alias}.wire ELSE STALE_KEY({alias}.object_key) END"


def encoding() -> dict[str, int]:
    """The parameter of stored_wire."""
    return {"encoding": wire_cache.ENCODING_VERSION}


def encoded_page(sql: Sql, account_id: int, text: str, params: Params) -> EncodedObjects:
    """The objects of one account, by a statement that selects stored_wire as `wire` and nothing else."""
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


def _encode_now(sql: Sql, account_id: int, values: Iterable[bytes]) -> dict[bytes, bytes]:
    """Wire JSON by the value that was read instead of it."""
    keys = sorted(raw(value.removeprefix(STALE).decode()) for value in values)
    rows = sql.all(f"{_LOAD} AND o.object_key = ANY_KEY(:keys)", {"account": account_id, "keys": keys})
    return {STALE + key_text(row[1]).encode(): encode_object(object_from(row)) for row in rows}


class SqlWireCache:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def settled_encoding(self) -> int:
        row = self._sql.one("SELECT value FROM settings WHERE name = :name", {"name": _SETTLED})
        return int(row[0]) if row else 0

    def settle(self) -> None:
        self._sql.run(
            "INSERT INTO settings (name, value) VALUES (:name, :value)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            {"name": _SETTLED, "value": str(wire_cache.ENCODING_VERSION).encode()},
        )

    def stale(self, after: WalkPosition | None, *, limit: int) -> Walked[WalkPosition]:
        account_id, key = after or (0, "")
        rows = self._sql.all(
            "SELECT o.account_id, o.object_key, o.wire_version FROM objects o"
            " WHERE (o.account_id, o.object_key) > (:account, :key)"
            " ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"account": account_id, "key": raw(key), "limit": limit},
        )
        found = [(row[0], key_text(row[1])) for row in rows if row[2] < wire_cache.ENCODING_VERSION]
        return Walked(found, (rows[-1][0], key_text(rows[-1][1])) if len(rows) == limit else None)

    def re_encode(self, stale: Sequence[WalkPosition]) -> int:
        keys: dict[int, list[bytes]] = {}
        for account_id, key in stale:
            keys.setdefault(account_id, []).append(raw(key))
        done = 0
        for account_id, of_account in keys.items():
            # Nothing is waited for, so this cannot be part of a deadlock: a row that is locked is being rewritten.
            rows = self._sql.all(
                f"{_LOAD} AND o.object_key = ANY_KEY(:keys) AND o.wire_version < :encoding"
                " FOR NO KEY UPDATE OF o SKIP LOCKED",
                {"account": account_id, "keys": of_account, **encoding()},
            )
            self._sql.run_many(
                "UPDATE objects SET wire = :wire, wire_version = :encoding"
                " WHERE account_id = :account AND object_key = :key",
                [
                    {"account": account_id, "key": row[1], "wire": encode_object(object_from(row)), **encoding()}
                    for row in rows
                ],
            )
            done += len(rows)
        return done
