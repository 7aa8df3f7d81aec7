"""The documents of an export that are about the whole account. None holds a secret."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

from skyshelf.service.accounts.own_account import masked
from skyshelf.service.audit.search import EventQuery, all_events, event_of
from skyshelf.service.contacts.vcards import card_of
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.exporting import ALBUMS, CONTACTS, ExportedAlbum, ExportedComment, ExportedItem, ExportedMember
from skyshelf.service.exporting.objects import moment
from skyshelf.service.history import history, logs
from skyshelf.service.retention import history_days, retention
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import MEMBER, OWNER, VIEWER, Board
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.history.contract import EntryFilter
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import HISTORY_LEAVES_MAX
from skyshelf.wire.resources.contacts import Contact
from skyshelf.wire.resources.history import HistoryLeaf, LeavesQuery

_AT_ONCE: Final = 500
_ROLES: Final = {OWNER: "owner", MEMBER: "editor", VIEWER: "viewer"}
_RIGHTS: Final = {"V": "view", "A": "view and add", "U": "send files"}
_line = msgspec.json.Encoder().encode


def of_account(ctx: ServiceContext, unit: Unit, account: Account, begun: int) -> dict[str, bytes]:
    """Return the documents by name. Times of use after the beginning are left at that: they change all the time."""
    return {
        "account.json": _json(_facts(ctx, unit, account, begun)),
        ALBUMS: b"".join(_line(one) + b"\n" for one in albums(unit, account)),
        CONTACTS: "".join(card_of(one) for one in contacts(unit, account)).encode(),
        "links.json": _json(_links(unit, account)),
        "activity.jsonl": b"".join(_activity(ctx, account, begun)),
    }


def _json(data: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data)) + b"\n"


def _when(ms: int | None) -> str | None:
    return moment(ms) if ms else None


def _facts(ctx: ServiceContext, unit: Unit, account: Account, begun: int) -> dict[str, object]:
    account_id, now = account.account_id, begun
    quota, kept = unit.quotas.get(account_id, now), retention(ctx)
    factor = unit.second_factors.of_account(account_id)
    apps = {one.device.device_key: one for one in unit.app_passwords.of_account(account_id)}
    sessions = {one.device.device_key for one in unit.sessions.of_account(account_id, now)}
    return {
        "userId": account.account_key,
        "email": account.email,
        "firstName": account.first_name,
        "lastName": account.last_name,
        "mobileNumber": masked(account.mobile_number) or None,
        "created": _when(account.created_at),
        "isOperator": account.is_operator,
        "deletionDate": _when(account.delete_at),
        "quota": {"allocatedBytes": quota.allocated, "usedBytes": quota.used, "objects": quota.objects},
        "settings": {
            "historyDays": history_days(ctx, unit.history.bounds(account_id)),
            "versionsKept": kept.versions_kept,
            "trashDays": kept.trash_days,
        },
        "login": {
            "hasPassword": bool(account.password_hash),
            "secondFactorSince": _when(factor.confirmed_at) if factor else None,
            "passkeys": [
                {"name": one.name, "host": one.host, "created": _when(one.created_at)}
                for one in unit.passkeys.of_account(account_id)
            ],
            "identities": [
                {"issuer": one.issuer, "subject": one.subject, "email": one.email, "created": _when(one.created_at)}
                for one in unit.identities.of_account(account_id)
            ],
        },
        "devices": [
            {
                "name": one.device_name,
                "platform": one.platform_type,
                "created": _when(one.created_at),
                "lastSeen": _when(min(one.last_seen_at, begun)),
                "isLoggedIn": one.device_key in sessions and one.device_key not in apps,
            }
            for one in unit.devices.of_account(account_id)
            if one.device_key not in apps
        ],
        "appPasswords": [
            {
                "name": one.device.device_name,
                "created": _when(one.created_at),
                "lastUsed": _when(min(one.last_used_at, begun)),
                "canWrite": one.scope.can_write,
                "folder": one.scope.folder_key,
                "webdavOnly": one.scope.webdav_only,
            }
            for one in apps.values()
        ],
    }


# Albums


def albums(unit: Unit, account: Account) -> Iterator[ExportedAlbum]:
    """Yield the albums that the account owns or is a member of."""
    return (_album(unit, account, board) for board in boards(unit, account))


def boards(unit: Unit, account: Account) -> Iterator[Board]:
    """Yield the boards that the account owns or is a member of."""
    offset = 0
    while True:
        page = unit.boards.page(account.account_id, limit=_AT_ONCE, offset=offset)
        yield from page
        offset += len(page)
        if len(page) < _AT_ONCE:
            return


def _album(unit: Unit, account: Account, board: Board) -> ExportedAlbum:
    return ExportedAlbum(
        key=board.board_key,
        name=board.name,
        description=board.description,
        role=_ROLES[board.role],
        created=moment(board.created_at),
        cover=board.cover_key,
        items=list(_items(unit, account, board.board_key)),
        members=[
            ExportedMember(
                name=f"{one.first_name} {one.last_name}",
                email=one.email,
                role=_ROLES[one.role],
                joined=moment(one.joined_at),
            )
            for one in unit.board_members.of_board(account.account_id, board.board_key)
        ],
        comments=sorted(_comments(unit, account, board.board_key), key=lambda one: one.written),
    )


def _items(unit: Unit, account: Account, board_key: str) -> Iterator[ExportedItem]:
    after: tuple[int, str] | None = None
    while True:
        page = unit.exports.board_items(board_key, after=after, limit=_AT_ONCE)
        for one in page:
            yield ExportedItem(
                object=one.object_key,
                name=one.name,
                by=one.first_name,
                is_own=one.account_key == account.account_key,
                added=moment(one.added_at),
            )
        if len(page) < _AT_ONCE:
            return
        after = page[-1].added_at, page[-1].object_key


def _comments(unit: Unit, account: Account, board_key: str) -> Iterator[ExportedComment]:
    after = None
    while True:
        page = unit.board_comments.page(account.account_id, board_key, limit=_AT_ONCE, after=after)
        for one in page:
            yield ExportedComment(
                by=one.first_name,
                is_own=one.account_id == account.account_id,
                object=one.object_key,
                text=one.text,
                written=moment(one.created_at),
                edited=_when(one.edited_at),
            )
        if len(page) < _AT_ONCE:
            return
        after = PageCursor(page[-1].created_at, page[-1].comment_key)


# Contacts, links, activity


def contacts(unit: Unit, account: Account) -> Iterator[Contact]:
    """Yield the address book."""
    after = None
    while page := unit.contacts.following(account.account_id, limit=_AT_ONCE, after=after):
        yield from (contact for contact, _ in page)
        after = page[-1][1]


def _links(unit: Unit, account: Account) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    after = None
    while page := unit.shares.page(account.account_id, limit=_AT_ONCE, after=after):
        found += [
            {
                "name": one.name,
                "created": _when(one.created_at),
                "expires": _when(one.expires_at),
                "hasPassword": bool(one.password_hash),
                "rights": _RIGHTS[one.rights],
                "downloads": one.downloads,
                "downloadLimit": one.download_limit or None,
                "visits": one.visits,
                "album": one.board_name,
                "objects": one.object_keys,
            }
            for one in page
        ]
        after = page[-1].created_at, page[-1].share_key
    return found


def _activity(ctx: ServiceContext, account: Account, begun: int) -> Iterator[bytes]:
    for one in all_events(ctx, EventQuery(account_key=account.account_key, until=begun + 1)):
        shown = msgspec.to_builtins(event_of(one))
        yield _line({**shown, "date": moment(one.at)}) + b"\n"


# History


def changes(ctx: ServiceContext, unit: Unit, account: Account, first: int, last: int) -> bytes:
    """Return changes as lines, the oldest first, each with its hash and its record while they are kept."""
    names = {device.device_key: device.device_name for device in unit.devices.of_account(account.account_id)}
    proofs = _proofs(ctx, unit, account, first, last)
    found: list[bytes] = []
    before: int | None = last + 1
    while before is not None and before > first:
        page = unit.history.entries(account.account_id, EntryFilter(), limit=_AT_ONCE, among=_AT_ONCE, before=before)
        for one in page.found:
            if one.seq >= first:
                entry = msgspec.to_builtins(history.entry_of(one, names))
                leaf = proofs.get(one.seq)
                proof = {} if leaf is None else {"leaf": leaf.hash, "record": leaf.record}
                found.append(_line({**entry, "date": moment(one.at), **proof}) + b"\n")
        before = page.next
    return b"".join(reversed(found))


def _proofs(ctx: ServiceContext, unit: Unit, account: Account, first: int, last: int) -> dict[int, HistoryLeaf]:
    log = unit.history_log.get(account.account_id)
    if log is None:
        return {}
    found: dict[int, HistoryLeaf] = {}
    # A log of which somebody has deleted rows proves nothing; the changes themselves are still listed.
    with suppress(ServiceError):
        for number in range(max(first, log.start), min(last + 1, log.next), HISTORY_LEAVES_MAX):
            query = LeavesQuery(number=number, limit=min(HISTORY_LEAVES_MAX, last + 1 - number))
            leaves = logs.leaves(ctx, Caller.of(account), query).leaves or ()
            found |= {one.number: one for one in leaves if one.number is not None}
    return found


def log_head(ctx: ServiceContext, account: Account) -> bytes:
    """Return the signed head of the log of changes, and the public keys that verify it."""
    caller = Caller.of(account)
    return _json({"head": logs.head(ctx, caller), "keys": logs.keys(ctx, caller)})
