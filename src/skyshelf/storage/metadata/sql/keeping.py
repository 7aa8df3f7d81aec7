"""What history keeps besides changes: objects that a purge deletes, as they were, the contents of deleted versions, and
the tags, share links and boards that objects came into or left."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata import alarms
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import ACTIVE, TRASHED, StoredObject
from skyshelf.storage.metadata.history import records
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import count_signs
from skyshelf.storage.metadata.sql.held import is_held
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, key_text, raw, replacing

TAG, SHARE, BOARD = "tag", "share", "board"
_LINKS = (
    "SELECT i.object_key, 'tag', t.tag_key, t.name, i.created_at FROM object_tags i JOIN tags t"
    " ON t.tag_key = i.tag_key WHERE i.account_id = :account AND i.object_key = ANY_KEY(:keys)"
    " UNION ALL SELECT s.object_key, 'share', s.share_key, '', s.position FROM share_objects s"
    " WHERE s.account_id = :account AND s.object_key = ANY_KEY(:keys)"
    " UNION ALL SELECT b.object_key, 'board', b.board_key, '', b.added_at FROM board_items b"
    " WHERE b.account_id = :account AND b.object_key = ANY_KEY(:keys)"
)
_NO_LINKS = records.encode_links([])


def keep_contents(sql: Sql, account_id: int, gone: Sequence[Row], now: int) -> int:
    """Keep the contents of deleted versions for history: rows of (content, category, size, object_key, version).

    Returns how many bytes more it keeps.
    """
    kept = {
        (key, version): size
        for key, version, size in sql.all(
            "SELECT object_key, version, size FROM kept_contents WHERE account_id = :account"
            " AND object_key = ANY_KEY(:keys)",
            {"account": account_id, "keys": sorted({bytes(row[3]) for row in gone})},
        )
    }
    columns = ("account_id", "object_key", "version", "content", "size", "kept_at")
    rows = [
        dict(zip(columns, (account_id, key, version, content, size, now), strict=True))
        for content, _, size, key, version in gone
    ]
    sql.insert_rows("kept_contents", rows, replacing("account_id, object_key, version", "content", "size", "kept_at"))
    return sum(size - kept.get((key, version), 0) for _, _, size, key, version in gone)


def keep_purged(sql: Sql, account_id: int, purged: Mapping[int, Sequence[StoredObject]], now: int) -> None:
    """Keep objects that are being deleted, by the change that did so. One statement, however many they are."""
    objects = [one for group in purged.values() for one in group]
    if not objects:
        return
    links = _links_of(sql, account_id, objects)
    sql.insert_rows(
        "purged_objects",
        [
            {
                "account_id": account_id,
                "object_key": raw(one.object_key),
                "purged_seq": seq,
                "kept_at": now,
                "folder_key": raw(one.parent_key) if one.parent_key and own_status(one) == ACTIVE else None,
                "state": records.encode_purged(replace(one, status=own_status(one)), seq),
                "links": links.get(one.object_key, _NO_LINKS),
            }
            for seq, group in purged.items()
            for one in group
        ],
        replacing("account_id, object_key", "purged_seq", "kept_at", "folder_key", "state", "links"),
    )


def purged_states(sql: Sql, account_id: int, object_keys: Iterable[str]) -> dict[str, records.Past]:
    """Return objects that were deleted for good, as they were."""
    states = _column(sql, account_id, object_keys, "state")
    return {key: records.decode_past(account_id, key, state) for key, state in states.items()}


def links_when_purged(sql: Sql, account_id: int, object_keys: Iterable[str]) -> dict[str, list[records.Link]]:
    """Return what deleted objects were in."""
    links = _column(sql, account_id, object_keys, "links")
    return {key: found for key, stored in links.items() if (found := records.decode_links(stored))}


def _column(sql: Sql, account_id: int, object_keys: Iterable[str], column: str) -> dict[str, Any]:
    """Return a column of the objects among these that were deleted for good, by key."""
    keys = [raw(key) for key in object_keys]
    if not keys:
        return {}
    rows = sql.all(
        f"SELECT object_key, {column} FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
        " AND purged_seq > 0",
        {"account": account_id, "keys": keys},
    )
    return {key_text(key): value for key, value in rows}


def own_status(stored: StoredObject) -> str:
    """Return an object's status before the purge: only one that was trashed itself has a time of trashing."""
    return TRASHED if stored.trashed_at else ACTIVE


def _links_of(sql: Sql, account_id: int, objects: Sequence[StoredObject]) -> dict[str, bytes]:
    rows = sql.all(_LINKS, {"account": account_id, "keys": sorted(raw(one.object_key) for one in objects)})
    found: dict[str, list[records.Link]] = {}
    for key, kind, other, name, at in rows:
        found.setdefault(key_text(key), []).append(records.Link(kind, bytes(other), name, at))
    return {key: records.encode_links(links) for key, links in found.items()}


def purging_changes(sql: Sql, account_id: int, marked: Sequence[StoredObject], newest: int) -> dict[str, int]:
    """Return the change by which each of the marked objects was deleted for good."""
    found = _inherited(sql, account_id, marked)
    own = [one for one in marked if one.object_key not in found]
    found |= _explicit(sql, account_id, own)
    emptied = [one for one in own if one.object_key not in found]
    if emptied:
        found |= _by_emptying(sql, account_id, emptied)
    return {one.object_key: found.get(one.object_key, newest) for one in marked}


def _inherited(sql: Sql, account_id: int, marked: Sequence[StoredObject]) -> dict[str, int]:
    """Folders below a deleted one, which an earlier step has kept already and taken out of their places."""
    kept = _column(sql, account_id, [one.object_key for one in marked], "purged_seq")
    placeless = (one.object_key for one in marked if one.parent_key is None)
    return {key: kept[key] for key in placeless if key in kept}


def _explicit(sql: Sql, account_id: int, objects: Sequence[StoredObject]) -> dict[str, int]:
    """Objects that somebody chose to delete."""
    rows = sql.all(
        "SELECT c.object_key, c.seq, c.before FROM changes c WHERE c.account_id = :account"
        " AND c.object_key = ANY_KEY(:keys) AND c.before IS NOT NULL AND c.kind = :purged",
        {"account": account_id, "keys": [raw(one.object_key) for one in objects], "purged": feed.PURGED},
    )
    trashed_at = {one.object_key: one.trashed_at for one in objects}
    # An earlier purge, from which the object came back, had another time of trashing.
    return {
        key_text(key): seq
        for key, seq, before in sorted(rows, key=itemgetter(1))
        if records.decode_past(account_id, key_text(key), before).object.trashed_at == trashed_at[key_text(key)]
    }


def _by_emptying(sql: Sql, account_id: int, objects: Sequence[StoredObject]) -> dict[str, int]:
    """Objects that went with the whole trash: by the last emptying before which the watermark was below them."""
    rows = sql.all(
        "SELECT c.seq, c.before FROM changes c WHERE c.account_id = :account AND c.object_key ="
        " (SELECT a.root_key FROM accounts a WHERE a.account_id = :account) AND c.before IS NOT NULL"
        " AND c.kind = :emptied",
        {"account": account_id, "emptied": feed.EMPTIED},
    )
    marks = sorted((seq, records.decode_watermark(before)) for seq, before in rows)
    found = {}
    for one in objects:
        below = [seq for seq, watermark in marks if watermark < one.trashed_at]
        if below:
            found[one.object_key] = below[-1]
    return found


def record_links(
    sql: Sql, account_id: int, links: Iterable[tuple[str, str, str]], now: int, *, kind: str, added: bool
) -> None:
    """Note what objects came into or left: (object key, key of the other, its name). The account is locked."""
    rows = list(links)
    if rows and added and alarms.device_in(sql.actor) is not None:
        try:
            bounds.refuse(sql, account_id, "linkChanges", more=len(rows))
        except LimitReached:
            # A hold keeps all of them, which must not stop the person.
            if not is_held(sql, account_id):
                raise
    if rows and (kind == TAG or (kind == SHARE and not added)):
        count_signs(sql, account_id, [alarms.MARKED] * len(rows), now)
    mine: Params = {"account": account_id, **_noted(sql, now, kind=kind, added=added)}
    sql.insert_many(
        "INSERT INTO link_changes (account_id, after_seq, at, actor, kind, object_key, other_key, name, added) VALUES"
        " (:account, (SELECT change_seq FROM account_counters WHERE account_id = :account), :now, :actor, :kind,"
        " :object, :other, :name, :added)",
        [
            {**mine, "object": raw(object_key), "other": raw(other_key), "name": name}
            for object_key, other_key, name in rows
        ],
    )


def record_all(
    sql: Sql, rows: tuple[str, str, Params], now: int, *, kind: str, other_key: str, name: str = "", added: bool = False
) -> int:
    """Note that all objects of some rows came into something, or left it, in one statement; returns how many.

    The rows are a table `i`, a condition and its parameters, among them the account that acts: others do not learn
    who it was.
    """
    table, condition, params = rows
    return sql.run(
        "INSERT INTO link_changes (account_id, after_seq, at, actor, kind, object_key, other_key, name, added)"
        " SELECT i.account_id, n.change_seq, :now, CASE WHEN i.account_id = :acting THEN :actor ELSE '' END, :kind,"
        f" i.object_key, :other, :name, :added FROM {table} i JOIN account_counters n ON n.account_id = i.account_id"
        f" WHERE {condition} ORDER BY i.account_id, i.object_key",
        {**params, "other": raw(other_key), "name": name, **_noted(sql, now, kind=kind, added=added)},
    )


def _noted(sql: Sql, now: int, *, kind: str, added: bool) -> Params:
    return {"now": now, "actor": sql.actor, "kind": kind, "added": int(added)}
