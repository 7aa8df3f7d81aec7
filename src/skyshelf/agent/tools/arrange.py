"""Moving, copying, tagging, albums. Only with `--tools extended`."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from skyshelf.agent.call import Key, Keys, ToolCall, ToolResult
from skyshelf.agent.redaction import quote_text
from skyshelf.agent.results import BoardSummary, ChangedObject, ObjectSummary, batch_result
from skyshelf.agent.tool import ToolContext, tool
from skyshelf.agent.tools.undoing import UNKNOWN_UNDO, restored_undo, tagged_with
from skyshelf.client.objects.outcomes import BatchResult, Outcome

Folder = Annotated[Key, Meta(description="The key of the folder that they go to.")]
TagName = Annotated[str, Meta(min_length=1, max_length=100, description="The tag; a new one is made as needed.")]
AlbumName = Annotated[str, Meta(min_length=1, max_length=100, description="The album's name.")]


async def _target(ctx: ToolContext, folder_key: str) -> str:
    if folder_key.upper() == (await ctx.client.root_key()).upper():
        return "the root folder"
    (folder,) = await ctx.parents.resolve(ctx.client, [folder_key])
    return quote_text(folder.name)


async def _ask_to_move(ctx: ToolContext, *, object_keys: Keys, folder_key: Folder) -> str:
    what, where = (await ctx.contents(object_keys)).sentence(), await _target(ctx, folder_key)
    return f"Move {what} to {where}?"


@tool(
    "Move files or folders to another folder; a folder is moved with everything in it. Ask the user first.",
    result=list[ChangedObject],
    ask=_ask_to_move,
    renames=True,
    takes_contents=True,
    idempotent=True,
)
async def move(ctx: ToolContext, *, object_keys: Keys, folder_key: Folder) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, object_keys)
    former = {one.key.upper(): one.parent_key or "" for one in found}

    def undo(keys: list[str]) -> tuple[ToolCall, ...]:
        places = {key: former[key.upper()] for key in keys}
        return (ToolCall("undo_move", {"folder_key": folder_key, "former": places}),)

    await ctx.intend(undo([one.key for one in found]))
    batch = await ctx.client.move(found, folder_key, on_error="return")
    for outcome in batch.succeeded:
        if outcome.object is not None:
            ctx.parents.remember(outcome.object.wire)
    return batch_result(batch, undo)


async def _ask_to_copy(ctx: ToolContext, *, object_keys: Keys, folder_key: Folder) -> str:
    what, where = (await ctx.contents(object_keys)).sentence(), await _target(ctx, folder_key)
    return f"Copy {what} into {where}?"


@tool(
    "Copy files or folders into a folder, folders with everything in them. Copies get free names. Ask the user first.",
    result=list[ObjectSummary],
    ask=_ask_to_copy,
    takes_contents=True,
)
async def copy(ctx: ToolContext, *, object_keys: Keys, folder_key: Folder) -> ToolResult:
    await ctx.intend((UNKNOWN_UNDO,))
    batch = await ctx.client.copy(object_keys, folder_key, on_error="return")
    copies = [one.object for one in batch.succeeded if one.object is not None]
    made = BatchResult(tuple(Outcome(key=one.key, ok=True, object=one) for one in copies))
    undo = (await restored_undo(ctx, made, {}),) if copies else None
    if not batch.ok:
        return replace(batch_result(batch, lambda _keys: undo), undo=undo)
    results = [ObjectSummary.of(ctx.parents.remember(one.wire)) for one in copies]
    return ToolResult(result=results, count=len(results), undo=undo)


@tool("Tag files or folders.", result=list[ChangedObject], idempotent=True)
async def tag(ctx: ToolContext, *, object_keys: Keys, name: TagName) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, object_keys)
    tagged = await tagged_with(ctx.client, name)
    changing = {one.key.upper() for one in found} - tagged

    def undo(keys: list[str]) -> tuple[ToolCall, ...] | None:
        changed = [key for key in keys if key.upper() in changing]
        return (ToolCall("undo_tag", {"object_keys": changed, "name": name}),) if changed else None

    await ctx.intend(undo([one.key for one in found]) or ())
    return batch_result(await ctx.client.tags.add(name, found, on_error="return"), undo)


@tool(
    "Create a shared album with files of the account. Nobody else sees it until the user invites people.",
    result=BoardSummary,
)
async def create_album(ctx: ToolContext, *, name: AlbumName, object_keys: Keys) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, object_keys)
    await ctx.intend((UNKNOWN_UNDO,))
    made = await ctx.client.boards.create(name)
    undo = (ToolCall("undo_album", {"board_key": made.board_key, "files": len(found)}),)
    await ctx.intend(undo)
    batch = await ctx.client.boards.add_files(made.board_key, found, on_error="return")
    if not batch.ok:
        return replace(batch_result(batch, lambda _keys: undo), undo=undo)
    shown = await ctx.client.boards.get(made.board_key)
    return ToolResult(result=BoardSummary.of(shown.board, is_mine=True), undo=undo)
