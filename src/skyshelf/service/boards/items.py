"""Files on boards: each belongs to a member, who shows or uploads it there and can remove it again.

An upload to a board goes into a folder of the member's drive, and onto the board."""

from collections.abc import Sequence
from typing import Final

from skyshelf.service.boards.boards import EDITORS, check_board_role, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as, unprocessed, unprocessed_besides, valid_keys
from skyshelf.service.pages import encode_response, projected, raw_objects
from skyshelf.service.uploads.commit import Placement, in_folder
from skyshelf.storage.errors import NameTaken, NotAFile, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import OWNER
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.names import safe_name
from skyshelf.wire.resources import boards as wire
from skyshelf.wire.resources.downloads import FileKeysQuery
from skyshelf.wire.resources.uploads import UploadMetadata


def add_to_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.BoardObjectsRequest, origin: str
) -> bytes:
    """Show the caller's files on a board, as JSON. Folders are rejected: to add what is inside, name the files."""
    return encode_response(additions(ctx, caller, board_key, request.object_keys), origin)


def additions(ctx: ServiceContext, caller: Caller, board_key: str, object_keys: Sequence[str]) -> wire.BoardAdditions:
    """Show the caller's files on a board; the caller encodes the result."""
    now, account_id = ctx.clock.now(), caller.account_id
    keys = valid_keys(object_keys)

    def work(unit: Unit) -> tuple[dict[str, StoredObject], dict[str, bytes]]:
        visible = unit.tree.visible_many(account_id, keys)
        files = [key for key in dict.fromkeys(keys) if key in visible and not visible[key].is_folder]
        with missing_as(codes.BOARD_NOT_FOUND):
            # The account is locked before the board, as everywhere.
            unit.board_items.add(account_id, board_key, files, now)
        lock_board(unit, caller, board_key, EDITORS)
        return visible, unit.board_items.shown(account_id, board_key, files)

    visible, shown = ctx.write_as(caller, work)
    folder, missing = NotAFile("an album shows files"), ObjectMissing("no such object")
    rejected = [
        unprocessed(key, folder if key.upper() in visible else missing)
        for key in object_keys
        if key.upper() not in shown
    ]
    added = [shown[key] for key in dict.fromkeys(keys) if key in shown]
    return wire.BoardAdditions(objects=raw_objects(added), unprocessed=rejected)


def board_contributors(
    ctx: ServiceContext, caller: Caller, board_key: str, query: FileKeysQuery
) -> wire.BoardContributors:
    """List who added which files to a board, and when."""
    with missing_as(codes.BOARD_NOT_FOUND), ctx.metadata.read() as unit:
        found = unit.board_items.contributors(caller.account_id, board_key, query.keys)
    return wire.BoardContributors(
        contributors=[projected(wire.BoardContributor, one, user_id=one.account_key) for one in found]
    )


def remove_from_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.BoardObjectsRequest
) -> wire.BoardRemovals:
    """Remove files from a board: members their own, the owner any."""
    now = ctx.clock.now()
    keys = valid_keys(request.object_keys)

    def work(unit: Unit) -> list[str]:
        unit.alarms.refuse_paused(caller.account_id)
        role = lock_board(unit, caller, board_key)
        return unit.board_items.remove(caller.account_id, board_key, keys, now, only_own=role != OWNER)

    removed = ctx.write_as(caller, work)
    rejected = unprocessed_besides(removed, request.object_keys, ObjectMissing("not in the album"))
    return wire.BoardRemovals(object_keys=removed, unprocessed=rejected)


BOARDS_FOLDER: Final = "Boards"


def place_upload(ctx: ServiceContext, metadata: UploadMetadata) -> Placement:
    """Return the placement of an upload that may name a board."""
    if metadata.board_key is None:
        return in_folder(ctx, metadata)
    return BoardPlacement(ctx, metadata.board_key, metadata.folder_key)


def _refuse_limited(caller: Caller) -> None:
    """Refuse who may do only what a delegation allows: others see what is on a board."""
    if caller.leave is not None:
        raise ServiceError(codes.DELEGATION_SCOPE, "No delegation allows uploads to albums: leave out boardKey")


class BoardPlacement(Placement):
    """Places a file in the folder that the request names, or else in `Boards/<board name>`, and on the board."""

    def __init__(
        self, ctx: ServiceContext, board_key: str, folder_key: str | None, *, guest: str | None = None
    ) -> None:
        super().__init__(folder_key or "")
        self._guest = guest
        self._board_key = board_key
        # Created here because a transaction may run twice.
        self._new_keys = (ctx.new_key(), ctx.new_key())
        self._now = ctx.clock.now()

    def check(self, unit: Unit, caller: Caller) -> None:
        _refuse_limited(caller)
        check_board_role(unit, caller, self._board_key, EDITORS)

    def existing_folder(self, unit: Unit, caller: Caller) -> str | None:
        if self._folder_key:
            return self._folder_key
        outer = unit.tree.child_named(caller.account_id, caller.root_key, BOARDS_FOLDER)
        if outer is None:
            return None
        inner = unit.tree.child_named(caller.account_id, outer.object_key, self._folder_name(unit, caller))
        return None if inner is None else inner.object_key

    def folder(self, unit: Unit, caller: Caller) -> str:
        if self._folder_key:
            return self._folder_key
        outer_key, inner_key = self._new_keys
        outer = self._ensure_folder(unit, caller, caller.root_key, BOARDS_FOLDER, outer_key)
        return self._ensure_folder(unit, caller, outer, self._folder_name(unit, caller), inner_key)

    def stored(self, unit: Unit, caller: Caller, object_key: str) -> None:
        # An upload may be finished by somebody else than who has begun it.
        _refuse_limited(caller)
        with missing_as(codes.BOARD_NOT_FOUND):
            unit.board_items.add(caller.account_id, self._board_key, [object_key], self._now, guest=self._guest)
        lock_board(unit, caller, self._board_key, EDITORS)

    def _folder_name(self, unit: Unit, caller: Caller) -> str:
        with missing_as(codes.BOARD_NOT_FOUND):
            return safe_name(unit.boards.name(caller.account_id, self._board_key))

    def _ensure_folder(self, unit: Unit, caller: Caller, parent_key: str, name: str, new_key: str) -> str:
        existing = unit.tree.child_named(caller.account_id, parent_key, name)
        if existing is None:
            new = NewFolder(object_key=new_key, parent_key=parent_key, name=name)
            try:
                return unit.tree.add_folder(caller.account_id, new, self._now).object_key
            except NameTaken:
                # Another upload has just created it and committed: the account was locked until then.
                existing = unit.tree.child_named(caller.account_id, parent_key, name)
        if existing is None or not existing.is_folder:
            raise NameTaken(f"a file has the name {name}")
        return existing.object_key
