"""Files on boards: each is its owner's, who shows it to the others and can take it off again."""

from typing import Final

from skyshelf.service.boards.permissions import EDITORS, hold_as, look_as
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import Refused, unprocessed
from skyshelf.service.pages import as_stored, encoded_answer
from skyshelf.storage.errors import Missing, NameTaken, NotAFile, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import OWNER
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.boards import BoardAdditions, BoardObjectsRequest, BoardRemovals
from skyshelf.wire.resources.uploads import UploadMetadata
from skyshelf.wire.safe_names import safe_name

FOLDER_OF_BOARDS: Final = "Boards"


def add_to_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: BoardObjectsRequest, origin: str
) -> bytes:
    """Show files of the caller on a board, as JSON. Folders are refused: who means what is in one names the files."""
    now, account_id = ctx.clock.now(), caller.account_id
    keys = [key.upper() for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> tuple[dict[str, StoredObject], dict[str, bytes]]:
        visible = unit.tree.visible_many(account_id, keys)
        files = [key for key in dict.fromkeys(keys) if key in visible and not visible[key].is_folder]
        try:
            # The account is locked before the board, as everywhere.
            unit.board_items.add(account_id, board_key, files, now)
        except Missing as missing:
            raise Refused(codes.BOARD_NOT_FOUND) from missing
        hold_as(unit, caller, board_key, EDITORS)
        return visible, unit.board_items.shown(account_id, board_key, files)

    visible, shown = ctx.metadata.write(work)
    refused = [_refused(key, visible) for key in request.object_keys if key.upper() not in shown]
    added = [shown[key] for key in dict.fromkeys(keys) if key in shown]
    return encoded_answer(BoardAdditions(objects=as_stored(added), unprocessed=refused), origin)


def _refused(key: str, visible: dict[str, StoredObject]) -> UnprocessedEntry:
    is_folder = key.upper() in visible
    return unprocessed(key, NotAFile("a board shows files") if is_folder else ObjectMissing("no such object"))


def remove_from_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: BoardObjectsRequest
) -> BoardRemovals:
    """Take files off a board: everybody their own, the owner anybody's."""
    now = ctx.clock.now()
    keys = [key.upper() for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> list[str]:
        role = hold_as(unit, caller, board_key)
        return unit.board_items.remove(caller.account_id, board_key, keys, now, only_own=role != OWNER)

    gone = ctx.metadata.write(work)
    missing = ObjectMissing("not on the board")
    left = [unprocessed(key, missing) for key in request.object_keys if key.upper() not in set(gone)]
    return BoardRemovals(object_keys=gone, unprocessed=left)


class BoardPlacement:
    """Where an upload lands that names a board: in a folder of the member's own, and on the board.

    Made outside of the write, which may run twice, because it takes keys and the time.
    """

    def __init__(self, ctx: ServiceContext, metadata: UploadMetadata) -> None:
        self._folder_keys = (ctx.new_key(), ctx.new_key())
        self._now = ctx.clock.now()
        self._metadata = metadata

    def refuse(self, unit: Unit, caller: Caller) -> None:
        """Refuse before any byte comes what would be refused at the end."""
        if self._metadata.board_key is not None:
            look_as(unit, caller, self._metadata.board_key, EDITORS)

    def folder(self, unit: Unit, caller: Caller) -> str:
        """The folder of the request, or the board's, which is made where it is not there yet."""
        if self._metadata.folder_key is not None:
            return self._metadata.folder_key
        above, below = self._folder_keys
        outer = self._folder_in(unit, caller, caller.root_key, FOLDER_OF_BOARDS, above)
        return self._folder_in(unit, caller, outer, self._name(unit, caller), below)

    def known_folder(self, unit: Unit, caller: Caller) -> str | None:
        """The same without making any; None where it is not there yet."""
        if self._metadata.folder_key is not None:
            return self._metadata.folder_key
        outer = unit.tree.child_named(caller.account_id, caller.root_key, FOLDER_OF_BOARDS)
        if outer is None:
            return None
        inner = unit.tree.child_named(caller.account_id, outer.object_key, self._name(unit, caller))
        return None if inner is None else inner.object_key

    def show(self, unit: Unit, caller: Caller, object_key: str) -> None:
        """Put what has landed on the board, if it is meant for one."""
        board_key = self._metadata.board_key
        if board_key is None:
            return
        try:
            unit.board_items.add(caller.account_id, board_key, [object_key], self._now)
        except Missing as missing:
            raise Refused(codes.BOARD_NOT_FOUND) from missing
        hold_as(unit, caller, board_key, EDITORS)

    def _name(self, unit: Unit, caller: Caller) -> str:
        assert self._metadata.board_key is not None
        try:
            return safe_name(unit.boards.name(caller.account_id, self._metadata.board_key))
        except Missing as missing:
            raise Refused(codes.BOARD_NOT_FOUND) from missing

    def _folder_in(self, unit: Unit, caller: Caller, parent_key: str, name: str, new_key: str) -> str:
        there = unit.tree.child_named(caller.account_id, parent_key, name)
        if there is not None and there.is_folder:
            return there.object_key
        if there is not None:
            raise NameTaken(f"a file has the name {name}")
        new = NewFolder(object_key=new_key, parent_key=parent_key, name=name)
        try:
            return unit.tree.add_folder(caller.account_id, new, self._now).object_key
        except NameTaken:
            # Another upload has made it just now, and is done: the account was locked until then.
            there = unit.tree.child_named(caller.account_id, parent_key, name)
            if there is None or not there.is_folder:
                raise
            return there.object_key
