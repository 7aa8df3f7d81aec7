"""What a rewind changes of the tags, boards and links that objects are in, in SQL."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skyshelf.storage.errors import Missing, NameTaken
from skyshelf.storage.metadata.contracts.boards import VIEWER
from skyshelf.storage.metadata.history.records import Link
from skyshelf.storage.metadata.history.rewinds import ACTOR, Scope
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.boards.access import hold_board, mark_changed, record
from skyshelf.storage.metadata.sql.boards.items import SqlBoardItems
from skyshelf.storage.metadata.sql.history.past import is_by
from skyshelf.storage.metadata.sql.keeping import BOARD, SHARE, TAG, record_links
from skyshelf.storage.metadata.sql.shares import SqlShares
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tags import SqlTags, folded_name, tag_row

SINCE = "(l.after_seq > :seq OR l.after_seq = :seq AND l.at > :at) AND l.after_seq <= :upto"
"""A condition on a change `l` of what an object is in: it happened after the moment."""
LINK_ACTIONS = {TAG: "tags", BOARD: "boards", SHARE: "links"}
"""What a plan calls them."""


class LinkChange(NamedTuple):
    """Something that an object is to be in, or not."""

    kind: str
    key: bytes
    name: str
    is_to_be: bool


def since(scope: Scope) -> dict[str, Value]:
    """Return the parameters of SINCE."""
    return {"seq": scope.seq, "at": scope.at, "upto": scope.upto}


def renames_tags(scope: Scope) -> bool:
    """Return whether tags get their former names: not for the sake of one folder or session, since they are
    everybody's."""
    return scope.folder_key is None and (not scope.actor or scope.actor.startswith(f"{ACTOR}/"))


def link_changes(
    sql: Sql, account_id: int, scope: Scope, keys: Sequence[str], *, but_by: str = ""
) -> dict[str, list[LinkChange]]:
    """Return what is to be done to objects, for each tag, album and link that has changed since the moment.

    What others have changed since the moment, too, stays as it is. A link that was closed is never opened again; one
    that somebody made is closed if that somebody's doings are undone.
    """
    rows = sql.all(
        "SELECT l.object_key, l.kind, l.other_key, l.name, l.added, l.actor FROM link_changes l"
        f" WHERE l.account_id = :account AND l.object_key = ANY_KEY(:keys) AND {SINCE} ORDER BY l.link_id",
        {"account": account_id, "keys": [raw(key) for key in keys], **since(scope)},
    )
    first: dict[tuple[str, str, bytes], LinkChange] = {}
    last: dict[tuple[str, str, bytes], tuple[str, bool]] = {}
    foreign = set()
    for key, kind, other, name, added, actor in rows:
        pair = (key_text(key), kind, bytes(other))
        if but_by and actor == but_by:
            continue
        first.setdefault(pair, LinkChange(kind, bytes(other), name, not added))
        last[pair] = (name, bool(added))
        if scope.actor and not is_by(actor, scope.actor):
            foreign.add(pair)
    wanted = {
        pair: change
        for pair, change in first.items()
        if pair not in foreign and _is_other(scope, change, *last[pair]) and _is_possible(scope, change)
    }
    boards = _own_boards(sql, account_id, {one.key for one in wanted.values() if one.kind == BOARD and one.is_to_be})
    found: dict[str, list[LinkChange]] = {}
    for (key, _, _), change in wanted.items():
        if change.kind != BOARD or not change.is_to_be or change.key in boards:
            found.setdefault(key, []).append(change)
    return found


def _is_other(scope: Scope, change: LinkChange, name: str, is_there: bool) -> bool:
    return is_there != change.is_to_be or (change.kind == TAG and name != change.name and renames_tags(scope))


def _is_possible(scope: Scope, change: LinkChange) -> bool:
    return change.kind != SHARE or (bool(scope.actor) and not change.is_to_be)


def _own_boards(sql: Sql, account_id: int, board_keys: set[bytes]) -> set[bytes]:
    """Return the boards among these that still exist and that the account may add to."""
    if not board_keys:
        return set()
    rows = sql.all(
        "SELECT board_key FROM board_members WHERE account_id = :account AND status = 'A'"
        " AND role <> :viewer AND board_key = ANY_KEY(:boards)",
        {"account": account_id, "viewer": VIEWER, "boards": sorted(board_keys)},
    )
    return {bytes(key) for (key,) in rows}


def bring_links_back(sql: Sql, account_id: int, links: Mapping[str, Sequence[Link]], now: int) -> None:
    """Put objects that exist again where they were. As if they had never left: only what is not possible is noted."""
    boards: dict[bytes, list[tuple[str, int]]] = {}
    for key, found in links.items():
        for link in found:
            if link.kind == TAG:
                tag_key = _tag_named(sql, account_id, link.key, link.name, now)
                _attach(sql, account_id, key, tag_key, link.at)
            elif link.kind == BOARD:
                boards.setdefault(link.key, []).append((key, link.at))
            elif not _into_link(sql, account_id, key, link):
                record_links(sql, account_id, [(key, key_text(link.key), "")], now, kind=SHARE, added=False)
    # In the order of their keys, so two transactions cannot wait for each other.
    for board_key, items in sorted(boards.items()):
        back = set(_add_items(sql, account_id, board_key, items)) if _holds(sql, account_id, board_key) else set()
        left = [(key, key_text(board_key), "") for key, _ in items if key not in back]
        record_links(sql, account_id, left, now, kind=BOARD, added=False)


def _into_link(sql: Sql, account_id: int, object_key: str, link: Link) -> bool:
    """Return whether the link is still open. Its objects never change, so the former position is free."""
    return sql.changed(
        "INSERT INTO share_objects (share_key, position, account_id, object_key)"
        " SELECT s.share_key, :position, s.account_id, :object FROM shares s WHERE s.share_key = :share"
        " AND s.account_id = :account AND s.revoked_at = 0 ON CONFLICT (share_key, position) DO NOTHING",
        {"position": link.at, "object": raw(object_key), "share": link.key, "account": account_id},
    )


def set_links(
    sql: Sql, account_id: int, wanted: Mapping[str, Sequence[LinkChange]], now: int, *, rename_tags: bool
) -> list[str]:
    """Let objects be in tags and boards, or not, and close links; the kind of change of each object that changed."""
    changed: list[str] = []
    for key, changes in wanted.items():
        tags = [one for one in changes if one.kind == TAG]
        if tags and _set_tags(sql, account_id, key, tags, now, rename=rename_tags):
            changed.append(TAG)
    boards: dict[tuple[bytes, bool], list[str]] = {}
    for key, changes in wanted.items():
        for one in changes:
            if one.kind == BOARD:
                boards.setdefault((one.key, one.is_to_be), []).append(key)
    for (board_key, is_to_be), keys in sorted(boards.items()):
        put = _put_on_board if is_to_be else _take_off_board
        changed += [BOARD] * put(sql, account_id, board_key, sorted(keys), now)
    made = {one.key for changes in wanted.values() for one in changes if one.kind == SHARE}
    shares = SqlShares(sql)
    changed += [SHARE for share_key in sorted(made) if shares.revoke(account_id, key_text(share_key), now)]
    return changed


def _holds(sql: Sql, account_id: int, board_key: bytes) -> bool:
    """Hold a board; false if it is gone, or the account may no longer add to it."""
    try:
        return hold_board(sql, account_id, key_text(board_key)) != VIEWER
    except Missing:
        return False


def _put_on_board(sql: Sql, account_id: int, board_key: bytes, object_keys: Sequence[str], now: int) -> int:
    if not _holds(sql, account_id, board_key):
        return 0
    board = key_text(board_key)
    added = _add_items(sql, account_id, board_key, [(key, now) for key in object_keys])
    record_links(sql, account_id, [(key, board, "") for key in added], now, kind=BOARD, added=True)
    if added:
        mark_changed(sql, board, now)
        record(sql, board, account_id, "added", now, files=len(added))
    return len(added)


def _take_off_board(sql: Sql, account_id: int, board_key: bytes, object_keys: Sequence[str], now: int) -> int:
    try:
        return len(SqlBoardItems(sql).remove(account_id, key_text(board_key), object_keys, now, only_own=True))
    except Missing:
        return 0


def _add_items(sql: Sql, account_id: int, board_key: bytes, items: Sequence[tuple[str, int]]) -> list[str]:
    """Put objects on a board that is held, as far as the account's limit allows; those that are new there."""
    rows = sql.keys(
        "SELECT object_key FROM board_items WHERE board_key = :board AND account_id = :account"
        " AND object_key = ANY_KEY(:keys)",
        {"board": board_key, "account": account_id, "keys": [raw(key) for key, _ in items]},
    )
    already = set(rows)
    room = bounds.BOUNDS["boardFiles"].most - bounds.used(sql, account_id, "boardFiles")
    new = [(key, at) for key, at in items if key not in already][:room]
    board: Params = {"board_key": board_key, "account_id": account_id}
    sql.insert_rows("board_items", [{**board, "object_key": raw(key), "added_at": at} for key, at in new])
    return [key for key, _ in new]


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
            sql.delete("object_tags", account_id=account_id, object_key=raw(object_key), tag_key=tag_key)
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
    """Return the tag itself, or another one that has its name by now, or itself made again."""
    found = sql.value(
        "SELECT tag_key FROM tags WHERE account_id = :account AND (tag_key = :tag OR name_folded = :folded)"
        " ORDER BY CASE WHEN tag_key = :tag THEN 0 ELSE 1 END LIMIT 1",
        {"account": account_id, "tag": tag_key, "folded": folded_name(name)},
    )
    if found is not None:
        return bytes(found)
    sql.insert("tags", **tag_row(account_id, tag_key, name, now))
    return tag_key


def _attach(sql: Sql, account_id: int, object_key: str, tag_key: bytes, at: int) -> None:
    tagged: Params = {"account_id": account_id, "object_key": raw(object_key), "tag_key": tag_key, "created_at": at}
    sql.insert("object_tags", "ON CONFLICT (account_id, object_key, tag_key) DO NOTHING", **tagged)
