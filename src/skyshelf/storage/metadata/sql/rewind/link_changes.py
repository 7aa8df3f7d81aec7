"""What a rewind has to change of the tags, albums and links that objects are in, in SQL."""

from collections.abc import Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.boards import VIEWER
from skyshelf.storage.metadata.history.rewinds import ACTOR, Scope
from skyshelf.storage.metadata.sql.kept.links import BOARD, SHARE, TAG
from skyshelf.storage.metadata.sql.rewind.actors import is_by
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw

SINCE = "(l.after_seq > :seq OR l.after_seq = :seq AND l.at > :at) AND l.after_seq <= :upto"
"""A condition on a change `l` of what an object is in: it happened after the moment."""
LINK_ACTIONS = {TAG: "tags", BOARD: "albums", SHARE: "links"}
"""What a plan calls them."""


class LinkChange(NamedTuple):
    """Something that an object is to be in, or not."""

    kind: str
    key: bytes
    name: str
    is_to_be: bool


def renames_tags(scope: Scope) -> bool:
    """Whether tags get their former names: not for the sake of one folder or session, since they are everybody's."""
    return scope.folder_key is None and (not scope.actor or scope.actor.startswith(f"{ACTOR}/"))


def link_changes(
    sql: Sql, account_id: int, scope: Scope, keys: Sequence[str], *, but_by: str = ""
) -> dict[str, list[LinkChange]]:
    """What is to be done to objects, for each tag, album and link that has changed since the moment.

    What others have changed since the moment, too, stays as it is. A link that was closed is never opened again; one
    that somebody made is closed if that somebody's doings are undone.
    """
    rows = sql.all(
        "SELECT l.object_key, l.kind, l.other_key, l.name, l.added, l.actor FROM link_changes l"
        f" WHERE l.account_id = :account AND l.object_key = ANY_KEY(:keys) AND {SINCE} ORDER BY l.link_id",
        {
            "account": account_id,
            "keys": [raw(key) for key in keys],
            "seq": scope.seq,
            "at": scope.at,
            "upto": scope.upto,
        },
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
    albums = _own_albums(sql, account_id, {one.key for one in wanted.values() if one.kind == BOARD and one.is_to_be})
    found: dict[str, list[LinkChange]] = {}
    for (key, _, _), change in wanted.items():
        if change.kind != BOARD or not change.is_to_be or change.key in albums:
            found.setdefault(key, []).append(change)
    return found


def _is_other(scope: Scope, change: LinkChange, name: str, is_there: bool) -> bool:
    return is_there != change.is_to_be or (change.kind == TAG and name != change.name and renames_tags(scope))


def _is_possible(scope: Scope, change: LinkChange) -> bool:
    return change.kind != SHARE or (bool(scope.actor) and not change.is_to_be)


def _own_albums(sql: Sql, account_id: int, board_keys: set[bytes]) -> set[bytes]:
    """Those of the albums that still exist, and that the account may put something into."""
    if not board_keys:
        return set()
    rows = sql.all(
        "SELECT board_key FROM board_members WHERE account_id = :account AND status = 'A'"
        " AND role <> :viewer AND board_key = ANY_KEY(:boards)",
        {"account": account_id, "viewer": VIEWER, "boards": sorted(board_keys)},
    )
    return {bytes(key) for (key,) in rows}
