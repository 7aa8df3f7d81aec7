"""What a leave allows, compared with what is done in the transaction that does it.

Everything that changes a drive passes here, whichever call it came with: so a call that was let through by mistake
still changes nothing that its leave does not name. The account is held, so numbers are exact with any number of
processes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from skyshelf.storage.errors import AppLeaveRefused, LeaveRefused, LeaveUsedUp
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.leave import ROOT_LINK, Amounts, Leave, Link
from skyshelf.storage.metadata.sql.statements import Params, Sql, inserting, key_text, raw
from skyshelf.wire.leave import CallKind
from skyshelf.wire.limits import DELEGATION_NARROWED_MAX
from skyshelf.wire.sizes import format_size

_KINDS: Final = {feed.TRASHED: CallKind.DELETE, feed.PURGED: CallKind.PURGE}
_DELEGATION: Final = "This delegation"
_NAMES: Final = Amounts.__struct_fields__
_COLUMNS: Final = ", ".join(_NAMES)
_WORDS: Final = {
    "reads": "reads",
    "read_bytes": "of reading",
    "writes": "writes",
    "written_bytes": "of writing",
    "deletions": "deletions, of which a folder is as many as are in it",
    "calls": "calls in a minute: wait for the next one",
}
_INSIDE: Final = (
    "WITH RECURSIVE above (start, object_key, parent_key, one) AS (SELECT o.object_key, o.object_key, o.parent_key, 1"
    " FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
    " UNION SELECT above.start, o.object_key, o.parent_key, 1 FROM objects o JOIN above"
    " ON o.object_key = above.parent_key WHERE o.account_id = :account AND above.one = 1)"
    " SELECT DISTINCT start FROM above WHERE object_key = :folder"
)


class Toll(NamedTuple):
    """What a change takes of a leave."""

    kind: str
    parent_key: str | None
    """The folder that the object was in."""
    times: int
    """How many objects it is."""


def take_leave(
    sql: Sql,
    account_id: int,
    happened: Sequence[Toll],
    now: int,
    *,
    folders: Collection[str],
    used: Mapping[str, int],
) -> None:
    """Refuse what the actor's leave does not allow, and use up what it takes of it. The caller holds the account."""
    leave = sql.leave
    if leave is None:
        return
    refused, who = (LeaveRefused, _DELEGATION) if leave.delegation else (AppLeaveRefused, "This app password")
    if 0 < leave.until <= now:
        # An upload may take longer than what is left of it.
        raise refused(f"{who} has ended")
    for one in happened:
        if one.kind == feed.EMPTIED and (leave.folders or leave.delegation):
            raise refused(f"{who} does not allow the trash to be emptied: delete what is in it one by one")
        kind = _KINDS.get(one.kind, CallKind.WRITE)
        if kind not in leave.kinds:
            raise refused(f"{who} allows no calls of the kind {kind}")
    places = {*folders, *(one.parent_key for one in happened if one.kind == feed.PURGED and one.parent_key)}
    if outside(sql, account_id, leave.folders, places):
        raise refused(f"{who} allows changes in its folder alone")
    deleted = sum(one.times for one in happened if one.kind in _KINDS)
    written = sum(1 for one in happened if one.kind not in _KINDS)
    spend(sql, account_id, leave, Amounts(writes=written, written_bytes=sum(used.values()), deletions=deleted))


def outside(sql: Sql, account_id: int, folders: Iterable[str], keys: Collection[str]) -> set[str]:
    """Return those of some objects that are not in all of the folders; a folder is in itself."""
    left = {key.upper() for key in keys}
    found = set[str]()
    for folder in folders:
        params: Params = {"account": account_id, "keys": sorted(map(raw, left)), "folder": raw(folder)}
        found |= left - {key_text(row[0]) for row in sql.all(_INSIDE, params)} if left else set()
    return found


def spend(sql: Sql, account_id: int, leave: Leave, amounts: Amounts, *, minute: int = 0) -> None:
    """Use up what a delegation allows, in each of its links, or raise LeaveUsedUp. The caller holds the account."""
    if leave.delegation is None:
        return
    known = _known(sql, leave)
    if ROOT_LINK not in known:
        raise LeaveRefused(f"{_DELEGATION} has ended")
    more = sum(link.name not in known for link in leave.links)
    if more and len(known) + more > DELEGATION_NARROWED_MAX + 1:
        most = DELEGATION_NARROWED_MAX
        raise LeaveUsedUp(f"{_DELEGATION} counts for {most} narrowed tokens already: use one of those, or a new one")
    rows: list[Params] = []
    for link in leave.links:
        used, of_minute = known.get(link.name, (Amounts(), minute))
        rows.append({
            "secret_hash": leave.delegation,
            "link": link.name,
            "account_id": account_id,
            "minute": max(of_minute, minute),
            **_added(link, used, amounts, is_same_minute=minute <= of_minute),
        })  # fmt: skip
    sets = ", ".join(f"{name} = excluded.{name}" for name in ("minute", *_NAMES))
    text = inserting("delegation_uses", tuple(rows[0]), f"ON CONFLICT (secret_hash, link) DO UPDATE SET {sets}")
    for row in rows:
        sql.run(text, row)


def left_of(sql: Sql, leave: Leave, minute: int) -> dict[str, int]:
    """Return how much is left of what is limited, in the link that has least."""
    left: dict[str, int] = {}
    known = _known(sql, leave)
    for link in leave.links:
        used, of_minute = known.get(link.name, (Amounts(), minute))
        for name in _NAMES:
            most = getattr(link.most, name)
            if most is not None:
                spent = 0 if name == "calls" and of_minute < minute else getattr(used, name)
                left[name] = min(left.get(name, most), max(0, most - spent))
    return left


def _known(sql: Sql, leave: Leave) -> dict[bytes, tuple[Amounts, int]]:
    rows = sql.all(
        f"SELECT link, minute, {_COLUMNS} FROM delegation_uses WHERE secret_hash = :delegation",
        {"delegation": leave.delegation},
    )
    return {bytes(row[0]): (Amounts(**dict(zip(_NAMES, row[2:], strict=True))), row[1]) for row in rows}


def _added(link: Link, used: Amounts, amounts: Amounts, *, is_same_minute: bool) -> dict[str, int]:
    """Return what is used up in a link with these amounts."""
    sums = {}
    for name in _NAMES:
        more, most = getattr(amounts, name), getattr(link.most, name)
        before = getattr(used, name) if name != "calls" or is_same_minute else 0
        if more and most is not None and before + more > most:
            raise LeaveUsedUp(_used_up(name, most, before, more), name)
        sums[name] = before + more
    return sums


def _used_up(name: str, most: int, used: int, more: int) -> str:
    """Return the sentence for a number that is used up."""
    show = format_size if name.endswith("_bytes") else "{:,}".format
    return f"{_DELEGATION} allows {show(most)} {_WORDS[name]}; {show(used)} are used, and this needs {show(more)}"
