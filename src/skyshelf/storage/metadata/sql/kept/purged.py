"""What leaves for good, as it was: objects that a purge deletes, and the contents of deleted versions."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import ACTIVE, TRASHED, StoredObject
from skyshelf.storage.metadata.history.records import (
    Link,
    decode_past,
    decode_watermark,
    encode_links,
    encode_past,
)
from skyshelf.storage.metadata.sql.statements import Row, Sql, key_text, raw

TAG, SHARE, BOARD = "tag", "share", "board"
_LINKS = (
    "SELECT i.object_key, 'tag', t.tag_key, t.name, i.created_at FROM object_tags i JOIN tags t"
    " ON t.tag_key = i.tag_key WHERE i.account_id = :account AND i.object_key = ANY_KEY(:keys)"
    " UNION ALL SELECT s.object_key, 'share', s.share_key, '', s.position FROM share_objects s"
    " WHERE s.account_id = :account AND s.object_key = ANY_KEY(:keys)"
    " UNION ALL SELECT b.object_key, 'board', b.board_key, '', b.added_at FROM board_items b"
    " WHERE b.account_id = :account AND b.object_key = ANY_KEY(:keys)"
)
_NO_LINKS = encode_links([])


def keep_contents(sql: Sql, account_id: int, gone: Iterable[Row], now: int) -> None:
    """Keep the contents of deleted versions for history: rows of (content, category, size, object_key, version)."""
    sql.insert_many(
        "INSERT INTO kept_contents (account_id, object_key, version, content, size, kept_at)"
        " VALUES (:account, :key, :version, :content, :size, :now)"
        " ON CONFLICT (account_id, object_key, version) DO UPDATE SET content = excluded.content,"
        " size = excluded.size, kept_at = excluded.kept_at",
        [
            {"account": account_id, "key": key, "version": version, "content": content, "size": size, "now": now}
            for content, _, size, key, version in gone
        ],
    )


def keep_purged(sql: Sql, account_id: int, purged: Mapping[int, Sequence[StoredObject]], now: int) -> None:
    """Keep objects that are being deleted, by the change that did so. One statement, however many they are."""
    objects = [one for group in purged.values() for one in group]
    if not objects:
        return
    links = _links_of(sql, account_id, objects)
    sql.insert_many(
        "INSERT INTO purged_objects (account_id, object_key, purged_seq, kept_at, folder_key, state, links)"
        " VALUES (:account, :key, :seq, :now, :folder, :state, :links)"
        " ON CONFLICT (account_id, object_key) DO UPDATE SET purged_seq = excluded.purged_seq,"
        " kept_at = excluded.kept_at, folder_key = excluded.folder_key, state = excluded.state, links = excluded.links",
        [
            {
                "account": account_id,
                "key": raw(one.object_key),
                "seq": seq,
                "now": now,
                "folder": raw(one.parent_key) if one.parent_key and own_status(one) == ACTIVE else None,
                "state": encode_past(replace(one, status=own_status(one)), purged_seq=seq),
                "links": links.get(one.object_key, _NO_LINKS),
            }
            for seq, group in purged.items()
            for one in group
        ],
    )


def own_status(stored: StoredObject) -> str:
    """What an object was before it was purged: nothing else has a time of trashing than what was trashed itself."""
    return TRASHED if stored.trashed_at else ACTIVE


def _links_of(sql: Sql, account_id: int, objects: Sequence[StoredObject]) -> dict[str, bytes]:
    rows = sql.all(_LINKS, {"account": account_id, "keys": sorted(raw(one.object_key) for one in objects)})
    found: dict[str, list[Link]] = {}
    for key, kind, other, name, at in rows:
        found.setdefault(key_text(key), []).append(Link(kind, bytes(other), name, at))
    return {key: encode_links(links) for key, links in found.items()}


def purging_changes(sql: Sql, account_id: int, marked: Sequence[StoredObject], newest: int) -> dict[str, int]:
    """The change by which each of the marked objects was deleted for good."""
    found = _inherited(sql, account_id, marked)
    own = [one for one in marked if one.object_key not in found]
    found |= _explicit(sql, account_id, own)
    emptied = [one for one in own if one.object_key not in found]
    if emptied:
        found |= _by_emptying(sql, account_id, emptied)
    return {one.object_key: found.get(one.object_key, newest) for one in marked}


def _inherited(sql: Sql, account_id: int, marked: Sequence[StoredObject]) -> dict[str, int]:
    """Folders below a deleted one, which an earlier step has kept already and taken out of their places."""
    rows = sql.all(
        "SELECT object_key, purged_seq FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": [raw(one.object_key) for one in marked]},
    )
    placeless = {one.object_key for one in marked if one.parent_key is None}
    return {key_text(key): seq for key, seq in rows if key_text(key) in placeless}


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
        if decode_past(account_id, key_text(key), before).object.trashed_at == trashed_at[key_text(key)]
    }


def _by_emptying(sql: Sql, account_id: int, objects: Sequence[StoredObject]) -> dict[str, int]:
    """Objects that went with the whole trash: by the last emptying before which the watermark was below them."""
    rows = sql.all(
        "SELECT c.seq, c.before FROM changes c WHERE c.account_id = :account AND c.object_key ="
        " (SELECT a.root_key FROM accounts a WHERE a.account_id = :account) AND c.before IS NOT NULL"
        " AND c.kind = :emptied",
        {"account": account_id, "emptied": feed.EMPTIED},
    )
    marks = sorted((seq, decode_watermark(before)) for seq, before in rows)
    found = {}
    for one in objects:
        below = [seq for seq, watermark in marks if watermark < one.trashed_at]
        if below:
            found[one.object_key] = below[-1]
    return found
