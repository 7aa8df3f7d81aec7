"""Placement of uploads that name a board: the file goes into a folder of the member's drive, and onto the board."""

from typing import Final

from skyshelf.service.boards.permissions import EDITORS, check_board_role, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.uploads.placement import FolderPlacement, Placement
from skyshelf.storage.errors import Missing, NameTaken
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.uploads import UploadMetadata
from skyshelf.wire.safe_names import safe_name

BOARDS_FOLDER: Final = "Boards"


def place_upload(ctx: ServiceContext, metadata: UploadMetadata) -> Placement:
    """The placement for an upload that may name a board."""
    if metadata.board_key is None:
        return FolderPlacement(ctx, metadata)
    return BoardPlacement(ctx, metadata.board_key, metadata.folder_key)


class BoardPlacement:
    """In the folder that the request names, or else in `Boards/<board name>`, and on the board."""

    def __init__(
        self, ctx: ServiceContext, board_key: str, folder_key: str | None, *, guest: str | None = None
    ) -> None:
        self._guest = guest
        self._board_key = board_key
        self._folder_key = folder_key
        # Taken here because a transaction may run twice.
        self._new_keys = (ctx.new_key(), ctx.new_key())
        self._now = ctx.clock.now()

    def check(self, unit: Unit, caller: Caller) -> None:
        check_board_role(unit, caller, self._board_key, EDITORS)

    def existing_folder(self, unit: Unit, caller: Caller) -> str | None:
        if self._folder_key is not None:
            return self._folder_key
        outer = unit.tree.child_named(caller.account_id, caller.root_key, BOARDS_FOLDER)
        if outer is None:
            return None
        inner = unit.tree.child_named(caller.account_id, outer.object_key, self._folder_name(unit, caller))
        return None if inner is None else inner.object_key

    def folder(self, unit: Unit, caller: Caller) -> str:
        if self._folder_key is not None:
            return self._folder_key
        outer_key, inner_key = self._new_keys
        outer = self._ensure_folder(unit, caller, caller.root_key, BOARDS_FOLDER, outer_key)
        return self._ensure_folder(unit, caller, outer, self._folder_name(unit, caller), inner_key)

    def stored(self, unit: Unit, caller: Caller, object_key: str) -> None:
        try:
            unit.board_items.add(caller.account_id, self._board_key, [object_key], self._now, guest=self._guest)
        except Missing as missing:
            raise ServiceError(codes.BOARD_NOT_FOUND) from missing
        lock_board(unit, caller, self._board_key, EDITORS)

    def _folder_name(self, unit: Unit, caller: Caller) -> str:
        try:
            return safe_name(unit.boards.name(caller.account_id, self._board_key))
        except Missing as missing:
            raise ServiceError(codes.BOARD_NOT_FOUND) from missing

    def _ensure_folder(self, unit: Unit, caller: Caller, parent_key: str, name: str, new_key: str) -> str:
        existing = unit.tree.child_named(caller.account_id, parent_key, name)
        if existing is not None and existing.is_folder:
            return existing.object_key
        if existing is not None:
            raise NameTaken(f"a file has the name {name}")
        new = NewFolder(object_key=new_key, parent_key=parent_key, name=name)
        try:
            return unit.tree.add_folder(caller.account_id, new, self._now).object_key
        except NameTaken:
            # Another upload has just created it and committed: the account was locked until then.
            existing = unit.tree.child_named(caller.account_id, parent_key, name)
            if existing is None or not existing.is_folder:
                raise
            return existing.object_key
