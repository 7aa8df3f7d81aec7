"""Into the trash, out of it, and what is in it."""

from typing import Final

from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import ChangedObject, ObjectSummary, batch_answer, object_summary
from skyshelf.agent.tool import Answer, Arguments, Call, Confirm, Keys, Limit, Tool
from skyshelf.agent.tools import listed


class ObjectsToMove(Arguments, frozen=True, kw_only=True):
    """Objects, and that the user agreed."""

    object_keys: Keys
    confirm: Confirm


def _restoring(keys: list[str]) -> tuple[Call, ...]:
    return (Call("restore_from_trash", {"object_keys": keys, "confirm": True}),)


def _trashing(keys: list[str]) -> tuple[Call, ...]:
    return (Call("move_to_trash", {"object_keys": keys, "confirm": True}),)


async def _move_to_trash(ctx: ToolContext, given: ObjectsToMove) -> Answer:
    found = await ctx.seen.resolve(ctx.client, given.object_keys)
    return batch_answer(await ctx.client.trash(found), _restoring)


async def _ask_to_trash(ctx: ToolContext, given: ObjectsToMove) -> str:
    found = await ctx.seen.resolve(ctx.client, given.object_keys)
    return f"Put {listed([each.name for each in found])} into the trash?"


async def _ask_to_restore(ctx: ToolContext, given: ObjectsToMove) -> str:
    wanted = dict.fromkeys(key.upper() for key in given.object_keys)
    names = {each.key.upper(): each.name async for each in ctx.client.list_trash() if each.key.upper() in wanted}
    # What is not in the trash is refused by the server, key by key; it must not look like something else here.
    return f"Take {listed([names.get(key, key) for key in wanted])} out of the trash?"


async def _restore_from_trash(ctx: ToolContext, given: ObjectsToMove) -> Answer:
    done = await ctx.client.restore(given.object_keys)
    for outcome in done.succeeded:
        if outcome.object is not None:
            ctx.seen.note(outcome.object.wire)
    return batch_answer(done, _trashing)


class TrashWanted(Arguments, frozen=True, kw_only=True):
    """How much of the trash."""

    limit: Limit = 100


async def _list_trash(ctx: ToolContext, given: TrashWanted) -> Answer:
    shown: list[ObjectSummary] = []
    count = 0
    async for each in ctx.client.list_trash():
        count += 1
        if count <= given.limit:
            shown.append(object_summary(each.wire))
    return Answer(result=shown, count=count)


MOVE_TO_TRASH: Final = Tool(
    name="move_to_trash",
    words="Put files or folders into the trash; a folder takes everything below it along. They can be restored until "
    "the trash is purged. Ask the user first.",
    arguments=ObjectsToMove,
    result=list[ChangedObject],
    run=_move_to_trash,
    ask=_ask_to_trash,
    guarded=True,
    destructive=True,
    idempotent=True,
)
RESTORE_FROM_TRASH: Final = Tool(
    name="restore_from_trash",
    words="Take files or folders out of the trash, back to where they were. Ask the user first.",
    arguments=ObjectsToMove,
    result=list[ChangedObject],
    run=_restore_from_trash,
    ask=_ask_to_restore,
    guarded=True,
)
LIST_TRASH: Final = Tool(
    name="list_trash",
    words="List what is in the trash, newest first. A folder stands for everything below it.",
    arguments=TrashWanted,
    result=list[ObjectSummary],
    run=_list_trash,
    read_only=True,
    idempotent=True,
)
