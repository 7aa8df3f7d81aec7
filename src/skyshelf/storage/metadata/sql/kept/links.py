"""Tags, share links and boards that objects came into or left, in SQL."""

from collections.abc import Iterable

from skyshelf.storage.metadata.history.records import decode_links
from skyshelf.storage.metadata.sql.kept.purged import BOARD, SHARE, TAG
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw

__all__ = ["BOARD", "SHARE", "TAG", "links_at", "record_all", "record_links"]

_CURRENT = (
    "SELECT 'tag', t.tag_key, t.name FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
    " WHERE i.account_id = :account AND i.object_key = :key"
    " UNION ALL SELECT 'share', s.share_key, '' FROM share_objects i JOIN shares s ON s.share_key = i.share_key"
    " WHERE i.account_id = :account AND i.object_key = :key AND s.revoked_at = 0"
    " UNION ALL SELECT 'board', b.board_key, '' FROM board_items b WHERE b.account_id = :account"
    " AND b.object_key = :key"
)


def record_links(
    sql: Sql,
    account_id: int,
    links: Iterable[tuple[str, str, str]],
    now: int,
    *,
    kind: str,
    added: bool,
) -> None:
    """Note what objects came into or left: (object key, key of the other, its name). The account is locked."""
    rows = list(links)
    if not rows:
        return
    sql.insert_many(
        "INSERT INTO link_changes (account_id, after_seq, at, actor, kind, object_key, other_key, name, added) VALUES"
        " (:account, (SELECT change_seq FROM account_counters WHERE account_id = :account), :now, :actor, :kind,"
        " :object, :other, :name, :added)",
        [
            {
                "account": account_id,
                "now": now,
                "actor": sql.actor,
                "kind": kind,
                "object": raw(object_key),
                "other": raw(other_key),
                "name": name,
                "added": int(added),
            }
            for object_key, other_key, name in rows
        ],
    )


def record_all(
    sql: Sql, rows: tuple[str, str, Params], now: int, *, kind: str, other_key: str, name: str = "", added: bool = False
) -> None:
    """Note that all objects of some rows came into something, or left it, in one statement.

    The rows are a table `i`, a condition and its parameters, among them the account that acts: others do not learn
    who it was.
    """
    table, condition, params = rows
    sql.run(
        "INSERT INTO link_changes (account_id, after_seq, at, actor, kind, object_key, other_key, name, added)"
        " SELECT i.account_id, n.change_seq, :now, CASE WHEN i.account_id = :acting THEN :actor ELSE '' END, :kind,"
        f" i.object_key, :other, :name, :added FROM {table} i JOIN account_counters n ON n.account_id = i.account_id"
        f" WHERE {condition} ORDER BY i.account_id, i.object_key",
        {
            **params,
            "now": now,
            "actor": sql.actor,
            "kind": kind,
            "other": raw(other_key),
            "name": name,
            "added": int(added),
        },
    )


def links_at(sql: Sql, account_id: int, object_key: str, seq: int, at: int) -> list[tuple[str, str, str]]:
    """What an object was in at a moment: what it is in now, or was when it was deleted, with later changes undone."""
    mine: Params = {"account": account_id, "key": raw(object_key)}
    row = sql.one("SELECT links FROM purged_objects WHERE account_id = :account AND object_key = :key", mine)
    if row is not None:
        found = {(link.kind, key_text(link.key)): link.name for link in decode_links(row[0])}
    else:
        found = {(kind, key_text(key)): name for kind, key, name in sql.all(_CURRENT, mine)}
    changes = sql.all(
        "SELECT link_id, kind, other_key, name, added FROM link_changes WHERE account_id = :account"
        " AND object_key = :key AND (after_seq > :seq OR after_seq = :seq AND at > :at)",
        {**mine, "seq": seq, "at": at},
    )
    # The order of the database would tempt it to read all links of the account in that order.
    for _, kind, other, name, added in sorted(changes, reverse=True):
        if added:
            found.pop((kind, key_text(other)), None)
        else:
            found[kind, key_text(other)] = name
    return sorted((kind, key, name) for (kind, key), name in found.items())
