"""Objects come back into tags, albums and links, or leave them, in SQL."""

from collections.abc import Mapping, Sequence

from skyshelf.storage.errors import Missing, NameTaken
from skyshelf.storage.metadata.contracts.boards import VIEWER
from skyshelf.storage.metadata.history.records import Link, decode_links
from skyshelf.storage.metadata.sql.boards.access import hold_board, mark_changed
from skyshelf.storage.metadata.sql.boards.events import record
from skyshelf.storage.metadata.sql.boards.items import OWN_ITEMS, SqlBoardItems
from skyshelf.storage.metadata.sql.bounds import count
from skyshelf.storage.metadata.sql.kept.links import BOARD, SHARE, TAG, record_links
from skyshelf.storage.metadata.sql.rewind.link_changes import LinkChange
from skyshelf.storage.metadata.sql.shares import SqlShares
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tags import SqlTags, folded_name
from skyshelf.wire.limits import BOARD_ITEMS_MAX


def links_when_purged(sql: Sql, account_id: int, object_keys: Sequence[str]) -> dict[str, list[Link]]:
    """What deleted objects were in."""
    rows = sql.all(
        "SELECT object_key, links FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": [raw(key) for key in object_keys]},
    )
    return {key_text(key): found for key, links in rows if (found := decode_links(links))}


def bring_links_back(sql: Sql, account_id: int, links: Mapping[str, Sequence[Link]], now: int) -> None:
    """Put objects that exist again where they were. As if they had never left: only what is not possible is noted."""
    albums: dict[bytes, list[tuple[str, int]]] = {}
    for key, found in links.items():
        for link in found:
            if link.kind == TAG:
                tag_key = _tag_named(sql, account_id, link.key, link.name, now)
                _attach(sql, account_id, key, tag_key, link.at)
            elif link.kind == BOARD:
                albums.setdefault(link.key, []).append((key, link.at))
            elif not _into_link(sql, account_id, key, link):
                record_links(sql, account_id, [(key, key_text(link.key), "")], now, kind=SHARE, added=False)
    # In the order of their keys, so two transactions cannot wait for each other.
    for board_key, items in sorted(albums.items()):
        back = set(_add_items(sql, account_id, board_key, items)) if _holds(sql, account_id, board_key) else set()
        left = [(key, key_text(board_key), "") for key, _ in items if key not in back]
        record_links(sql, account_id, left, now, kind=BOARD, added=False)


def _into_link(sql: Sql, account_id: int, object_key: str, link: Link) -> bool:
    """Whether the link is still open. Its objects never change, so the former position is free."""
    return bool(
        sql.run(
            "INSERT INTO share_objects (share_key, position, account_id, object_key)"
            " SELECT s.share_key, :position, s.account_id, :object FROM shares s WHERE s.share_key = :share"
            " AND s.account_id = :account AND s.revoked_at = 0 ON CONFLICT (share_key, position) DO NOTHING",
            {"position": link.at, "object": raw(object_key), "share": link.key, "account": account_id},
        )
    )


def set_links(
    sql: Sql, account_id: int, wanted: Mapping[str, Sequence[LinkChange]], now: int, *, rename_tags: bool
) -> list[str]:
    """Let objects be in tags and albums, or not, and close links; the kind of change of each object that changed."""
    changed: list[str] = []
    for key, changes in wanted.items():
        tags = [one for one in changes if one.kind == TAG]
        if tags and _set_tags(sql, account_id, key, tags, now, rename=rename_tags):
            changed.append(TAG)
    albums: dict[tuple[bytes, bool], list[str]] = {}
    for key, changes in wanted.items():
        for one in changes:
            if one.kind == BOARD:
                albums.setdefault((one.key, one.is_to_be), []).append(key)
    for (board_key, is_to_be), keys in sorted(albums.items()):
        put = _put_into_album if is_to_be else _take_from_album
        changed += [BOARD] * put(sql, account_id, board_key, sorted(keys), now)
    made = {one.key for changes in wanted.values() for one in changes if one.kind == SHARE}
    shares = SqlShares(sql)
    changed += [SHARE for share_key in sorted(made) if shares.revoke(account_id, key_text(share_key), now)]
    return changed


# Albums.


def _holds(sql: Sql, account_id: int, board_key: bytes) -> bool:
    """Hold an album; false if it is gone, or the account may no longer put anything into it."""
    try:
        return hold_board(sql, account_id, key_text(board_key)) != VIEWER
    except Missing:
        return False


def _put_into_album(sql: Sql, account_id: int, board_key: bytes, object_keys: Sequence[str], now: int) -> int:
    if not _holds(sql, account_id, board_key):
        return 0
    board = key_text(board_key)
    added = _add_items(sql, account_id, board_key, [(key, now) for key in object_keys])
    record_links(sql, account_id, [(key, board, "") for key in added], now, kind=BOARD, added=True)
    if added:
        mark_changed(sql, board, now)
        record(sql, board, account_id, "added", now, files=len(added))
    return len(added)


def _take_from_album(sql: Sql, account_id: int, board_key: bytes, object_keys: Sequence[str], now: int) -> int:
    try:
        return len(SqlBoardItems(sql).remove(account_id, key_text(board_key), object_keys, now, only_own=True))
    except Missing:
        return 0


def _add_items(sql: Sql, account_id: int, board_key: bytes, items: Sequence[tuple[str, int]]) -> list[str]:
    """Put objects into an album that is held, as far as the account's limit allows; those that are new there."""
    mine: Params = {"board": board_key, "account": account_id, "keys": [raw(key) for key, _ in items]}
    rows = sql.all(
        "SELECT object_key FROM board_items WHERE board_key = :board AND account_id = :account"
        " AND object_key = ANY_KEY(:keys)",
        mine,
    )
    already = {key_text(key) for (key,) in rows}
    room = BOARD_ITEMS_MAX - count(sql, OWN_ITEMS, {"account": account_id}, BOARD_ITEMS_MAX)
    new = [(key, at) for key, at in items if key not in already][:room]
    sql.run_many(
        "INSERT INTO board_items (board_key, account_id, object_key, added_at) VALUES (:board, :account, :object, :at)",
        [{"board": board_key, "account": account_id, "object": raw(key), "at": at} for key, at in new],
    )
    return [key for key, _ in new]


# Tags.


def _set_tags(
    sql: Sql, account_id: int, object_key: str, changes: Sequence[LinkChange], now: int, *, rename: bool
) -> bool:
    """Let an object have tags, or not; whether anything has changed."""
    has = {
        bytes(tag): name
        for tag, name in sql.all(
            "SELECT i.tag_key, t.name FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
            " WHERE i.account_id = :account AND i.object_key = :key",
            {"account": account_id, "key": raw(object_key)},
        )
    }
    is_changed = False
    for _, wanted, name, is_to_be in changes:
        # A tag that was deleted, and made again under its name, has another key.
        alike = [tag for tag, of_tag in has.items() if folded_name(of_tag) == folded_name(name)]
        if is_to_be:
            if rename and _rename_back(sql, account_id, wanted, name, now):
                is_changed = True
            tag_key = _tag_named(sql, account_id, wanted, name, now)
        else:
            tag_key = wanted if wanted in has else next(iter(alike), wanted)
        if (tag_key in has) == is_to_be:
            continue
        is_changed = True
        note = [(object_key, key_text(tag_key), name)]
        record_links(sql, account_id, note, now, kind=TAG, added=is_to_be)
        if is_to_be:
            _attach(sql, account_id, object_key, tag_key, now)
        else:
            sql.run(
                "DELETE FROM object_tags WHERE account_id = :account AND object_key = :key AND tag_key = :tag",
                {"account": account_id, "key": raw(object_key), "tag": tag_key},
            )
    return is_changed


def _rename_back(sql: Sql, account_id: int, tag_key: bytes, name: str, now: int) -> bool:
    """Give a tag its former name, unless another one has it by now."""
    tags = SqlTags(sql)
    try:
        if tags.get(account_id, key_text(tag_key)).name == name:
            return False
        tags.rename(account_id, key_text(tag_key), name, now)
    except (Missing, NameTaken):
        return False
    return True


def _tag_named(sql: Sql, account_id: int, tag_key: bytes, name: str, now: int) -> bytes:
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
