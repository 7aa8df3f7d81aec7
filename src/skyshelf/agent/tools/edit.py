"""Changes that are easy to undo: creating a folder, renaming, marking favourites, moving to the trash and restoring."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from skyshelf.agent.call import Key, Keys, Limit, ToolCall, ToolResult
from skyshelf.agent.contents import fingerprint_of
from skyshelf.agent.redaction import quote_names
from skyshelf.agent.results import ChangedObject, ObjectSummary, batch_result, first_results
from skyshelf.agent.tool import ToolContext, reading_tool, tool
from skyshelf.agent.tools.undoing import favorite_undo, place_of, places_undo, rename_undo, restored_undo, trash_undo
from skyshelf.client.objects.batch import name_for

NewName = Annotated[
    str, Meta(min_length=1, max_length=255, description="A name without slashes, at most 255 bytes of UTF-8.")
]
ParentKey = Annotated[Key | None, Meta(description="The key of the parent folder; defaults to the root folder.")]
IsFavorite = Annotated[bool, Meta(description="true adds to favourites, false removes from them.")]


@tool("Create a folder. If the name is already taken there, the call fails with ConflictError.", result=ObjectSummary)
async def create_folder(ctx: ToolContext, *, name: NewName, parent_folder_key: ParentKey = None) -> ToolResult:
    new = name_for(name)
    await ctx.intend((ToolCall("undo_creation", {"name": new, "parent_key": parent_folder_key}),))
    created = await ctx.client.create_folder(new, parent_folder_key)
    undo = places_undo({created.key: place_of(created, fingerprint_of([created.key]))})
    return ToolResult(result=ObjectSummary.of(ctx.parents.remember(created.wire)), undo=(undo,))


@tool(
    "Rename one file or folder; it stays in its folder. A name that is already taken is refused.",
    result=ObjectSummary,
    renames=True,
    idempotent=True,
)
async def rename_object(ctx: ToolContext, *, object_key: Key, new_name: NewName) -> ToolResult:
    name = name_for(new_name)
    (found,) = await ctx.parents.resolve(ctx.client, [object_key])
    undo = rename_undo(found.key, name=name, former=found.name)
    await ctx.intend((undo,))
    renamed = await ctx.client.rename(found, name)
    return ToolResult(result=ObjectSummary.of(ctx.parents.remember(renamed.wire)), undo=(undo,))


@tool("Add files or folders to the favourites, or remove them.", result=list[ChangedObject], idempotent=True)
async def set_favorite(ctx: ToolContext, *, object_keys: Keys, favorite: IsFavorite = True) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, object_keys)
    # An undo must only reset the objects that this call changes.
    changing = {remote.key.upper() for remote in found if remote.is_favorite != favorite}
    await ctx.intend(favorite_undo([remote.key for remote in found if remote.is_favorite != favorite], not favorite))
    batch = await ctx.client.set_favorite(found, favorite, on_error="return")

    def undo(keys: list[str]) -> tuple[ToolCall, ...] | None:
        return favorite_undo([key for key in keys if key.upper() in changing], not favorite) or None

    return batch_result(batch, undo)


async def _ask_to_trash(ctx: ToolContext, *, object_keys: Keys) -> str:
    return f"Move {(await ctx.contents(object_keys)).sentence()} to the trash?"


@tool(
    "Move files or folders to the trash; a folder is moved with everything in it. They can be restored until "
    "the trash is purged. Ask the user first.",
    result=list[ChangedObject],
    ask=_ask_to_trash,
    destructive=True,
    deletes=True,
    takes_contents=True,
    idempotent=True,
)
async def move_to_trash(ctx: ToolContext, *, object_keys: Keys) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, object_keys)
    await ctx.intend((trash_undo([remote.key for remote in found]),))
    batch = await ctx.client.move_to_trash(found, on_error="return")
    return batch_result(batch, lambda keys: (trash_undo(keys),))


async def _ask_to_restore(ctx: ToolContext, *, object_keys: Keys) -> str:
    wanted = dict.fromkeys(key.upper() for key in object_keys)
    # A question to the user does not need every name.
    trash = ctx.client.trash.list(on_incomplete=lambda _: None)
    names = {remote.key.upper(): remote.name async for remote in trash if remote.key.upper() in wanted}
    # An object that is not in the trash is shown by its key; the server refuses it.
    return f"Restore {quote_names([names.get(key, key) for key in wanted])} from the trash?"


@tool(
    "Restore files or folders from the trash to their original folder. Ask the user first.",
    result=list[ChangedObject],
    ask=_ask_to_restore,
)
async def restore_from_trash(ctx: ToolContext, *, object_keys: Keys) -> ToolResult:
    wanted = {key.upper() for key in object_keys}
    trash = ctx.client.trash.list(on_incomplete=lambda _: None)
    before = {one.key.upper(): one.detached_copy() async for one in trash if one.key.upper() in wanted}
    unknown: dict[str, dict[str, object]] = {key: {} for key in wanted - before.keys()}
    await ctx.intend((places_undo(unknown | {key: place_of(one) for key, one in before.items()}),))
    batch = await ctx.client.restore(object_keys, on_error="return")
    for outcome in batch.succeeded:
        if outcome.object is not None:
            ctx.parents.remember(outcome.object.wire)
    undo = await restored_undo(ctx, batch, before)
    return batch_result(batch, lambda _keys: (undo,))


@reading_tool(
    "List the trash, newest first. A trashed folder is one entry that stands for everything in it. Without a "
    "`count`, the server cannot list all of it, and there may be more.",
    result=list[ObjectSummary],
)
async def list_trash(ctx: ToolContext, *, limit: Limit = 100) -> ToolResult:
    unlisted: list[str] = []
    found = ctx.client.trash.list(on_incomplete=unlisted.append)
    listed = await first_results(found, limit, lambda one: ObjectSummary.of(one.wire))
    # Without a count if the server cannot list everything.
    return replace(listed, count=None) if unlisted else listed
