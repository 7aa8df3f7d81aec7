"""Tags of objects that come back, in SQL. Share links and albums stay as they are: nothing is shared again."""

from collections.abc import Mapping, Sequence

from skyshelf.storage.metadata.history.records import Link, decode_links
from skyshelf.storage.metadata.sql.kept.links import TAG, record_links
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tags import folded_name


def links_when_purged(sql: Sql, account_id: int, object_keys: Sequence[str]) -> dict[str, list[Link]]:
    """What deleted objects were in."""
    rows = sql.all(
        "SELECT object_key, links FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": [raw(key) for key in object_keys]},
    )
    return {key_text(key): found for key, links in rows if (found := decode_links(links))}


def bring_links_back(sql: Sql, account_id: int, links: Mapping[str, Sequence[Link]], now: int) -> None:
    """Give objects that exist again their tags; note that they are no longer in links and albums."""
    for key, found in links.items():
        for link in found:
            if link.kind == TAG:
                # As if it had never left: nothing to note.
                tag_key = tag_named(sql, account_id, link.key, link.name, now)
                _attach(sql, account_id, key, tag_key, link.at)
            else:
                left = [(key, key_text(link.key), link.name)]
                record_links(sql, account_id, left, now, kind=link.kind, added=False)


def set_tags(sql: Sql, account_id: int, object_key: str, tags: Sequence[tuple[bytes, str, bool]], now: int) -> int:
    """Let an object have tags, or not: (tag, name, whether); how many of them have changed."""
    has = {
        bytes(tag): name
        for tag, name in sql.all(
            "SELECT i.tag_key, t.name FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
            " WHERE i.account_id = :account AND i.object_key = :key",
            {"account": account_id, "key": raw(object_key)},
        )
    }
    changed = 0
    for wanted, name, is_to_be in tags:
        # A tag that was deleted, and made again under its name, has another key.
        alike = [tag for tag, of_tag in has.items() if folded_name(of_tag) == folded_name(name)]
        if is_to_be:
            tag_key = tag_named(sql, account_id, wanted, name, now)
        else:
            tag_key = wanted if wanted in has else next(iter(alike), wanted)
        if (tag_key in has) == is_to_be:
            continue
        changed += 1
        note = [(object_key, key_text(tag_key), name)]
        record_links(sql, account_id, note, now, kind=TAG, added=is_to_be)
        if is_to_be:
            _attach(sql, account_id, object_key, tag_key, now)
        else:
            sql.run(
                "DELETE FROM object_tags WHERE account_id = :account AND object_key = :key AND tag_key = :tag",
                {"account": account_id, "key": raw(object_key), "tag": tag_key},
            )
    return changed


def tag_named(sql: Sql, account_id: int, tag_key: bytes, name: str, now: int) -> bytes:
    """The tag itself, or another one that has its name by now, or itself made again."""
    row = sql.one(
        "SELECT tag_key FROM tags WHERE account_id = :account AND (tag_key = :tag OR name_folded = :folded)"
        " ORDER BY CASE WHEN tag_key = :tag THEN 0 ELSE 1 END LIMIT 1",
        {"account": account_id, "tag": tag_key, "folded": folded_name(name)},
    )
    if row is not None:
        return bytes(row[0])
    sql.run(
        "INSERT INTO tags (tag_key, account_id, name, name_folded, created_at, used_at)"
        " VALUES (:tag, :account, :name, :folded, :now, :now)",
        {"tag": tag_key, "account": account_id, "name": name, "folded": folded_name(name), "now": now},
    )
    return tag_key


def _attach(sql: Sql, account_id: int, object_key: str, tag_key: bytes, at: int) -> None:
    sql.run(
        "INSERT INTO object_tags (account_id, object_key, tag_key, created_at) VALUES (:account, :object, :tag, :at)"
        " ON CONFLICT (account_id, object_key, tag_key) DO NOTHING",
        {"account": account_id, "object": raw(object_key), "tag": tag_key, "at": at},
    )
