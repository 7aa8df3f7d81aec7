"""Moving objects to the trash, restoring them, and listing the trash."""

from typing import Final

from skyshelf.agent.call import Arguments, Confirm, Keys, Limit, ToolCall, ToolResult
from skyshelf.agent.context import ToolContext
from skyshelf.agent.redaction import quote_names
from skyshelf.agent.results import ChangedObject, ObjectSummary, batch_result, object_summary
from skyshelf.agent.tool import Tool


class TrashArguments(Arguments, frozen=True, kw_only=True):
    """The objects to trash or restore, and the user's consent."""

    object_keys: Keys
    confirm: Confirm


def _restore_calls(keys: list[str]) -> tuple[ToolCall, ...]:
    return (ToolCall("restore_from_trash", {"object_keys": keys, "confirm": True}),)


def _trash_calls(keys: list[str]) -> tuple[ToolCall, ...]:
    return (ToolCall("move_to_trash", {"object_keys": keys, "confirm": True}),)


async def _move_to_trash(ctx: ToolContext, given: TrashArguments) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, given.object_keys)
    return batch_result(await ctx.client.move_to_trash(found, on_error="return"), _restore_calls)


async def _ask_to_trash(ctx: ToolContext, given: TrashArguments) -> str:
    found = await ctx.parents.resolve(ctx.client, given.object_keys)
    return f"Move {quote_names([remote.name for remote in found])} to the trash?"


async def _restore_from_trash(ctx: ToolContext, given: TrashArguments) -> ToolResult:
    batch = await ctx.client.restore(given.object_keys, on_error="return")
    for outcome in batch.succeeded:
        if outcome.object is not None:
            ctx.parents.remember(outcome.object.wire)
    return batch_result(batch, _trash_calls)


async def _ask_to_restore(ctx: ToolContext, given: TrashArguments) -> str:
    wanted = dict.fromkeys(key.upper() for key in given.object_keys)
    trash = ctx.client.trash.list(on_incomplete=_ignore)
    names = {remote.key.upper(): remote.name async for remote in trash if remote.key.upper() in wanted}
    # An object that is not in the trash is shown by its key; the server refuses it.
    return f"Restore {quote_names([names.get(key, key) for key in wanted])} from the trash?"


class ListTrashArguments(Arguments, frozen=True, kw_only=True):
    """How many entries."""

    limit: Limit = 100


async def _list_trash(ctx: ToolContext, given: ListTrashArguments) -> ToolResult:
    listed: list[ObjectSummary] = []
    count = 0
    unlisted: list[str] = []
    async for remote in ctx.client.trash.list(on_incomplete=unlisted.append):
        count += 1
        if count <= given.limit:
            listed.append(object_summary(remote.wire))
    # Without a count, where nobody can know how many there are.
    return ToolResult(result=listed, count=None if unlisted else count)


def _ignore(_sentence: str) -> None:
    """A question to the user does not need every name."""


MOVE_TO_TRASH: Final = Tool(
    name="move_to_trash",
    summary="Move files or folders to the trash; a folder is moved with everything in it. They can be restored until "
    "the trash is purged. Ask the user first.",
    arguments=TrashArguments,
    result=list[ChangedObject],
    run=_move_to_trash,
    ask=_ask_to_trash,
    guarded=True,
    destructive=True,
    deletes=True,
    idempotent=True,
)
RESTORE_FROM_TRASH: Final = Tool(
    name="restore_from_trash",
    summary="Restore files or folders from the trash to their original folder. Ask the user first.",
    arguments=TrashArguments,
    result=list[ChangedObject],
    run=_restore_from_trash,
    ask=_ask_to_restore,
    guarded=True,
)
LIST_TRASH: Final = Tool(
    name="list_trash",
    summary="List the trash, newest first. A trashed folder is one entry that stands for everything in it. Without a "
    "`count`, the server cannot list all of it, and there may be more.",
    arguments=ListTrashArguments,
    result=list[ObjectSummary],
    run=_list_trash,
    read_only=True,
    idempotent=True,
)
