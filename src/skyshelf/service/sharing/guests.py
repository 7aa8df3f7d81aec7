"""Guests: people without an account who send files through a link, into its owner's drive and quota.

A guest's file never replaces another one: a name that is taken gets a number. Guests cannot read what they sent, nor
anything beside it, unless the link shows it.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from skyshelf.service.audit import about, kinds, new_event
from skyshelf.service.boards.items import BoardPlacement
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled, codes, missing_as
from skyshelf.service.files.capture_dates import enqueue_dates
from skyshelf.service.process.reservations import Reservation
from skyshelf.service.retention import retention
from skyshelf.service.sharing.links import is_live
from skyshelf.service.sharing.visitor import sharer_of
from skyshelf.service.uploads import commit
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.shares import LOOK, SEND, GuestFile, Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import limits
from skyshelf.wire.names import numbered, safe_name, split_mime
from skyshelf.wire.resources.uploads import UploadMetadata
from skyshelf.wire.sizes import format_size
from skyshelf.wire.text import replace_invisible

_COUNTED: Final = 10
_ATTEMPTS: Final = 20
_HOUR_SECONDS: Final = 3600


class SendView(msgspec.Struct, frozen=True, kw_only=True):
    """The limits for a visitor who may send files."""

    sharer: str
    largest: int
    most: int
    """Number of further files that the link accepts."""


class _Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A guest: who sends through which link, and into whose drive."""

    share: Share
    owner: Caller
    name: str


class _NameWasTaken(Exception):
    """Somebody else has just taken the name: the transaction is undone and retried."""


def send_view(ctx: ServiceContext, share: Share) -> SendView | None:
    """Return the limits; None if visitors may only view. SHARE_NOT_FOUND if the folder no longer exists."""
    if share.rights == LOOK:
        return None
    with ctx.metadata.read() as unit:
        if share.rights == SEND:
            _folder(unit, share)
        sharer = sharer_of(unit, share)
    return SendView(sharer=sharer, largest=_largest(ctx, share), most=max(0, _most(share) - share.uploads))


def clean_guest_name(text: str) -> str:
    """Clean a guest's name: one line, without characters that hide or reverse text."""
    return replace_invisible(" ".join(text.split()), lambda _: "")[: limits.GUEST_NAME_CHARS_MAX].strip()


def receive(
    ctx: ServiceContext, share: Share, guest: str, file_name: str, content: Iterable[BytesLike]
) -> StoredObject:
    """Store a file that a guest sends. FORBIDDEN if the link accepts no more, Throttled for too many in an hour."""
    if share.rights == LOOK:
        raise ServiceError(codes.SHARE_NOT_FOUND)
    name = safe_name(file_name.replace("\\", "/").rpartition("/")[2] or "_")
    if share.board_key is not None and split_mime(name)[0] not in {"image", "video"}:
        raise ServiceError(codes.WRONG_CONTENT_TYPE, "Only photos and videos can be added to this album")
    with ctx.metadata.read() as unit:
        owner = Caller.of(unit.accounts.by_id(share.account_id))
    sender = _Guest(share=share, owner=owner, name=guest)
    # Before anything is written: a refused file takes none of the link's number.
    ctx.reservations.disk.check()
    _take(ctx, share)
    try:
        with ctx.reservations.of(share.account_id) as reservation:
            stored = commit.store_content(ctx, sender.owner, None, _bounded(ctx, share, content), reservation)
            return _keep(ctx, sender, name, stored, reservation)
    except BaseException:
        ctx.metadata.write(lambda unit: unit.shares.give_back_upload(share.share_key))
        raise


def _take(ctx: ServiceContext, share: Share) -> None:
    now, most, most_in_hour = ctx.clock.now(), limits.GUEST_FILES_MAX, limits.GUEST_FILES_PER_HOUR_MAX
    if ctx.metadata.write(
        lambda unit: unit.shares.take_upload(share.share_key, now, most=most, most_in_hour=most_in_hour)
    ):
        return
    with ctx.metadata.read() as unit:
        _check_live(unit, share, now)
        current = unit.shares.get(share.account_id, share.share_key)
    if current.uploads >= _most(current):
        raise ServiceError(codes.FORBIDDEN, "This link takes no more files: ask its sender for another one")
    raise Throttled(_HOUR_SECONDS - now // 1000 % _HOUR_SECONDS)


def _most(share: Share) -> int:
    return share.upload_limit or limits.GUEST_FILES_MAX


def _largest(ctx: ServiceContext, share: Share) -> int:
    return min(share.upload_bytes or limits.GUEST_FILE_BYTES_MAX, ctx.rules.max_file_size)


def _bounded(ctx: ServiceContext, share: Share, content: Iterable[BytesLike]) -> Iterator[BytesLike]:
    size, largest = 0, _largest(ctx, share)
    for piece in content:
        size += len(piece)
        if size > largest:
            raise ServiceError(codes.FILE_TOO_LARGE, f"A file can have at most {format_size(largest)} here")
        yield piece


def _keep(
    ctx: ServiceContext, guest: _Guest, name: str, content: commit.Content, reservation: Reservation
) -> StoredObject:
    blob, share, owner = content.blob, guest.share, guest.owner
    folder_key = None if share.board_key else share.object_keys[0]
    metadata = UploadMetadata(
        name=name, size=blob.size, hash=blob.md5, board_key=share.board_key, folder_key=folder_key
    )
    with commit.discarding(ctx, content):
        file = commit.new_file(ctx, owner, metadata, location=blob.location, sha256=blob.sha256, now=ctx.clock.now())
        commit.check_commit_in_time(ctx, content.stored_at)
        with reservation.committing():
            outcome = _put(ctx, guest, replace(file, created_by=guest.name or owner.first_name))
    return commit.settled(ctx, content, file, outcome)


def _put(ctx: ServiceContext, guest: _Guest, file: NewFile) -> PutOutcome:
    share, caller = guest.share, guest.owner
    board = None if share.board_key is None else BoardPlacement(ctx, share.board_key, None, guest=guest.name)
    now, versions = ctx.clock.now(), retention(ctx).versions_kept
    event = new_event(ctx, kinds.LINK_UPLOAD, caller, link_key=share.share_key, guest=guest.name or None)

    def work(unit: Unit) -> PutOutcome:
        unit.act_as(f"link/{share.share_key}")
        _check_live(unit, share, now)
        folder = _folder(unit, share) if board is None else board.folder(unit, caller)
        name = _free_name(unit, caller, folder, file.name)
        placed = replace(file, parent_key=folder, name=name)
        outcome = unit.files.put(caller.account_id, placed, now, keep_versions=versions)
        if outcome.object.version > 1:
            raise _NameWasTaken
        key = outcome.object.object_key
        if board is not None:
            board.stored(unit, caller, key)
        enqueue_dates(unit, caller.account_id, [placed], now)
        sent = GuestFile(
            account_id=caller.account_id, object_key=key, share_key=share.share_key, guest_name=guest.name, added_at=now
        )
        unit.shares.add_guest_file(sent)
        unit.audit.add([about(event, [outcome.object])])
        return outcome

    for _ in range(_ATTEMPTS):
        with suppress(_NameWasTaken):
            return ctx.metadata.write(work)
    raise ServiceError(codes.NAME_TAKEN)


def _check_live(unit: Unit, share: Share, now: int) -> None:
    """Check the link again: it may have been revoked or changed while the bytes arrived."""
    with missing_as(codes.SHARE_NOT_FOUND):
        current = unit.shares.get(share.account_id, share.share_key)
    if current.rights == LOOK or not is_live(current, now):
        raise ServiceError(codes.SHARE_NOT_FOUND)


def _folder(unit: Unit, share: Share) -> str:
    try:
        return unit.tree.visible_folder(share.account_id, share.object_keys[0]).object_key
    except (ObjectMissing, IndexError) as missing:
        raise ServiceError(codes.SHARE_NOT_FOUND) from missing


def _free_name(unit: Unit, caller: Caller, folder_key: str, name: str) -> str:
    """Return the name, or one with a number, which is random after a few: phones give many pictures the same name."""
    tries = [name, *(numbered(name, number) for number in range(1, _COUNTED))]
    tries += [numbered(name, secrets.randbelow(10**9)) for _ in range(_COUNTED)]
    for tried in tries:
        if unit.tree.child_named(caller.account_id, folder_key, tried) is None:
            return tried
    raise ServiceError(codes.NAME_TAKEN)
