"""Files on boards: each belongs to a member, who shows it to the others and can take it off again."""

from collections.abc import Sequence

from skyshelf.service.boards.permissions import EDITORS, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, unprocessed
from skyshelf.service.pages import encode_response, raw_objects
from skyshelf.storage.errors import Missing, NotAFile, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import OWNER
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.boards import (
    BoardAdditions,
    BoardContributor,
    BoardContributors,
    BoardContributorsQuery,
    BoardObjectsRequest,
    BoardRemovals,
)


def add_to_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: BoardObjectsRequest, origin: str
) -> bytes:
    """Show the caller's files on a board, as JSON. Folders are rejected: to add what is inside, name the files."""
    return encode_response(additions(ctx, caller, board_key, request.object_keys), origin)


def additions(ctx: ServiceContext, caller: Caller, board_key: str, object_keys: Sequence[str]) -> BoardAdditions:
    """Show the caller's files on a board; the result is to be encoded."""
    now, account_id = ctx.clock.now(), caller.account_id
    keys = [key.upper() for key in object_keys if is_key(key)]

    def work(unit: Unit) -> tuple[dict[str, StoredObject], dict[str, bytes]]:
        unit.act_as(caller.actor)
        visible = unit.tree.visible_many(account_id, keys)
        files = [key for key in dict.fromkeys(keys) if key in visible and not visible[key].is_folder]
        try:
            # The account is locked before the board, as everywhere.
            unit.board_items.add(account_id, board_key, files, now)
        except Missing as missing:
            raise ServiceError(codes.BOARD_NOT_FOUND) from missing
        lock_board(unit, caller, board_key, EDITORS)
        return visible, unit.board_items.shown(account_id, board_key, files)

    visible, shown = ctx.metadata.write(work)
    rejected = [_rejected(key, visible) for key in object_keys if key.upper() not in shown]
    added = [shown[key] for key in dict.fromkeys(keys) if key in shown]
    return BoardAdditions(objects=raw_objects(added), unprocessed=rejected)


def _rejected(key: str, visible: dict[str, StoredObject]) -> UnprocessedEntry:
    is_folder = key.upper() in visible
    return unprocessed(key, NotAFile("a board shows files") if is_folder else ObjectMissing("no such object"))


def board_contributors(
    ctx: ServiceContext, caller: Caller, board_key: str, query: BoardContributorsQuery
) -> BoardContributors:
    """Who added files to a board, and when."""
    try:
        with ctx.metadata.read() as unit:
            found = unit.board_items.contributors(caller.account_id, board_key, query.keys)
    except Missing as missing:
        raise ServiceError(codes.BOARD_NOT_FOUND) from missing
    return BoardContributors(
        contributors=[
            BoardContributor(
                object_key=one.object_key,
                user_id=one.account_key,
                first_name=one.first_name,
                guest_name=one.guest_name,
                added_date=one.added_at,
            )
            for one in found
        ]
    )


def remove_from_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: BoardObjectsRequest
) -> BoardRemovals:
    """Take files off a board: members their own, the owner any."""
    now = ctx.clock.now()
    keys = [key.upper() for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> list[str]:
        unit.act_as(caller.actor)
        role = lock_board(unit, caller, board_key)
        return unit.board_items.remove(caller.account_id, board_key, keys, now, only_own=role != OWNER)

    removed = ctx.metadata.write(work)
    missing = ObjectMissing("not on the board")
    rejected = [unprocessed(key, missing) for key in request.object_keys if key.upper() not in set(removed)]
    return BoardRemovals(object_keys=removed, unprocessed=rejected)
