"""Bounds on the rows of an account: nothing that anybody can ask for grows the database for ever.

The rows are counted when one is added, up to the bound and no further; the bounds are small enough for that. Objects
and changes have counters instead (quota.py, account_lock.py). The caller holds the account's lock, or the board's.
"""

from typing import Final, NamedTuple

import msgspec

from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.sql.account_lock import LOCK_COLUMNS, AccountLock, changes_allowed, proof_bytes_allowed
from skyshelf.storage.metadata.sql.held import seen_since
from skyshelf.storage.metadata.sql.quota import SqlQuotas, count, objects_allowed
from skyshelf.storage.metadata.sql.statements import Params, Sql
from skyshelf.wire import limits
from skyshelf.wire.sizes import format_size

FORMER_FOLDER: Final = bytes(16)
"""A folder that no account has: rows of it in purged_objects are no files."""


_FEW_NEWEST: Final = 1000
"""Rows behind a counter that are counted each time."""


class Bound(NamedTuple):
    """What an account can have so much of: rows, or bytes in columns of them."""

    limit: str
    """Its limit's name in wire/limits.py."""
    rows: str
    """`FROM … WHERE …`, with the parameters account and now."""
    what: str
    """The words of a refusal."""
    size: str = ""
    """The bytes of a row, where they are bounded and not the rows."""
    counted: str = ""
    """A column of numbers that ascend: up to one of them the rows have a counter, so only the newest are counted."""

    @property
    def most(self) -> int:
        return int(getattr(limits, self.limit))


def _of(table: str) -> str:
    return f"FROM {table} WHERE account_id = :account"


_PROPERTY: Final = "octet_length(namespace) + octet_length(name) + octet_length(value)"
FORMER: Final = f"{_of('purged_objects')} AND folder_key = :former AND kept_at >= :since"
"""Albums, comments and contacts as they were (former.py)."""
OWN_ITEMS: Final = (
    "FROM board_members m JOIN board_items i ON i.board_key = m.board_key AND i.account_id = m.account_id"
    " WHERE m.account_id = :account"
)
"""The items that an account has on boards."""

BOUNDS: Final = {
    "tags": Bound("TAGS_MAX", _of("tags"), "tags: delete some"),
    "taggedObjects": Bound("TAGGED_MAX", _of("object_tags"), "tags on all objects together: remove some"),
    "shares": Bound("SHARES_MAX", f"{_of('shares')} AND revoked_at = 0", "share links: revoke some"),
    "sharedObjects": Bound("SHARED_IN_ALL_MAX", _of("share_objects"), "objects in all share links: revoke some"),
    "linkChanges": Bound(
        "LINK_CHANGES_MAX",
        _of("link_changes"),
        "changes of tags, share links and albums in history: forget it",
        counted="link_id",
    ),
    "formerRows": Bound("FORMER_MAX", FORMER, "deleted or edited albums, comments and contacts in history: forget it"),
    "formerBytes": Bound(
        "FORMER_BYTES_MAX",
        FORMER,
        "deleted or edited albums, comments and contacts in history: forget it",
        "length(state)",
    ),
    "boards": Bound("BOARDS_MAX", _of("board_members"), "boards of one account: leave some"),
    "boardFiles": Bound("BOARD_ITEMS_MAX", OWN_ITEMS, "files of one account on boards: remove some"),
    "comments": Bound("BOARD_COMMENTS_MAX", _of("board_comments"), "comments of one account: delete some"),
    "contacts": Bound("CONTACTS_MAX", _of("contacts"), "contacts, removed ones of late included"),
    "contactBytes": Bound("CONTACTS_BYTES_MAX", _of("contacts"), "contacts in all", "length(details)"),
    "uploads": Bound("UPLOADS_OPEN_MAX", _of("uploads"), "unfinished uploads: finish or cancel some"),
    "archives": Bound("ARCHIVES_MAX", _of("archives"), "archives"),
    "locks": Bound("LOCKS_MAX", f"{_of('locks')} AND expires_at > :now", "locks"),
    "properties": Bound("DEAD_PROPERTIES_OF_ACCOUNT_MAX", _of("dead_properties"), "WebDAV properties"),
    "propertyBytes": Bound(
        "DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX", _of("dead_properties"), "WebDAV properties in all", _PROPERTY
    ),
    "devices": Bound("DEVICES_MAX", _of("devices"), "devices"),
    "appPasswords": Bound("APP_PASSWORDS_MAX", _of("app_passwords"), "app passwords"),
    "delegations": Bound("DELEGATIONS_MAX", _of("delegations"), "delegations: end some"),
    "passkeys": Bound("PASSKEYS_MAX", _of("passkeys"), "passkeys"),
    "identities": Bound("IDENTITIES_MAX", _of("identities"), "identities"),
}
"""By the name of the kind, in the order in which they are shown."""


class KeptKind(msgspec.Struct, frozen=True):
    """How much of a kind an account has, and may have."""

    kind: str
    used: int
    limit: int
    is_bytes: bool


def used(sql: Sql, account_id: int, kind: str, now: int = 0, *, since: int = 0) -> int:
    """Return how much of a kind there is, of former ones since a time; rows are counted up to the bound."""
    bound = BOUNDS[kind]
    params: Params = {"account": account_id, "now": now, "former": FORMER_FOLDER, "since": since}
    if bound.counted:
        counted, upto = sql.only(f"SELECT links_counted, links_counted_upto {_of('account_counters')}", params)
        newer = f"{bound.rows} AND {bound.counted} > :upto"
        return int(counted) + count(sql, newer, {**params, "upto": upto}, max(0, bound.most - counted))
    if bound.size:
        return sql.number(f"SELECT CAST(coalesce(sum({bound.size}), 0) AS BIGINT) {bound.rows}", params)
    return count(sql, bound.rows, params, bound.most)


def refuse(sql: Sql, account_id: int, kind: str, *, more: int = 1, now: int = 0, since: int = 0) -> None:
    """Raise LimitReached if so much more of a kind would be too much."""
    bound = BOUNDS[kind]
    if bound.counted:
        _count_newest(sql, account_id, bound)
    if more > 0 and used(sql, account_id, kind, now, since=since) + more > bound.most:
        most = f"{format_size(bound.most)} of" if bound.size else f"{bound.most:,}"
        raise LimitReached(f"There can be at most {most} {bound.what}")


def _count_newest(sql: Sql, account_id: int, bound: Bound) -> None:
    """Bring the counter up to the newest rows, once there are many behind it."""
    sql.run(
        "UPDATE account_counters SET links_counted = links_counted + (SELECT count(*)"
        f" {bound.rows} AND {bound.counted} > links_counted_upto), links_counted_upto = (SELECT max({bound.counted})"
        f" {bound.rows}) WHERE account_id = :account AND EXISTS (SELECT 1 {bound.rows} AND {bound.counted} >"
        f" links_counted_upto ORDER BY {bound.counted} LIMIT 1 OFFSET {_FEW_NEWEST})",
        {"account": account_id},
    )


def kept(sql: Sql, account_id: int, now: int) -> list[KeptKind]:
    """Return everything that an account has and that is bounded, other than the bytes of its files."""
    quota = SqlQuotas(sql).get(account_id, now)
    of_account = f"SELECT {LOCK_COLUMNS} FROM account_counters c WHERE c.account_id = :account"
    lock = AccountLock(*sql.only(of_account, {"account": account_id}))
    since = seen_since(sql, account_id, now) if lock.held_at else 0
    return [
        KeptKind("objects", quota.objects, objects_allowed(quota.allocated), is_bytes=False),
        KeptKind("uploadBytes", quota.reserved, quota.allocated, is_bytes=True),
        KeptKind("historyBytes", quota.history_used, limits.HISTORY_TIMES_QUOTA * quota.allocated, is_bytes=True),
        KeptKind("changes", lock.change_seq - lock.history_floor, changes_allowed(lock.space), is_bytes=False),
        KeptKind(
            "proofBytes",
            lock.change_seq * limits.PROOF_CHANGE_BYTES,
            proof_bytes_allowed(lock.space),
            is_bytes=True,
        ),
        thumbnail_bytes(sql, account_id, now),
        *(
            KeptKind(kind, used(sql, account_id, kind, now, since=since), bound.most, is_bytes=bool(bound.size))
            for kind, bound in BOUNDS.items()
        ),
    ]


def thumbnail_bytes(sql: Sql, account_id: int, now: int) -> KeptKind:
    """Return the bytes of an account's thumbnails, summed up."""
    size = "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM thumbnails WHERE account_id = :account"
    limit = limits.THUMBNAIL_BYTES_ALWAYS + SqlQuotas(sql).get(account_id, now).allocated
    return KeptKind("thumbnailBytes", sql.number(size, {"account": account_id}), limit, is_bytes=True)
