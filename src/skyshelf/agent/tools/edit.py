"""Small changes that are easy to undo: creating a folder, renaming, marking favourites."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.call import Arguments, Key, Keys, ToolCall, ToolResult
from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import ChangedObject, ObjectSummary, batch_result, object_summary
from skyshelf.agent.tool import Tool
from skyshelf.client.objects.batch import name_for

NewName = Annotated[
    str,
    Meta(min_length=1, max_length=255, description="A name without slashes, at most 255 bytes of UTF-8."),
]


class CreateFolderArguments(Arguments, frozen=True, kw_only=True):
    """The folder to create."""

    name: NewName
    parent_folder_key: Annotated[
        Key | None, Meta(description="The key of the parent folder; defaults to the root folder.")
    ] = None


async def _create_folder(ctx: ToolContext, given: CreateFolderArguments) -> ToolResult:
    created = await ctx.client.create_folder(name_for(given.name), given.parent_folder_key)
    undo = ToolCall("move_to_trash", {"object_keys": [created.key], "confirm": True})
    return ToolResult(result=object_summary(ctx.parents.remember(created.wire)), undo=(undo,))


class RenameArguments(Arguments, frozen=True, kw_only=True):
    """An object and its new name."""

    object_key: Key
    new_name: NewName


async def _rename_object(ctx: ToolContext, given: RenameArguments) -> ToolResult:
    name = name_for(given.new_name)
    (found,) = await ctx.parents.resolve(ctx.client, [given.object_key])
    renamed = await ctx.client.rename(found, name)
    undo = ToolCall("rename_object", {"object_key": found.key, "new_name": found.name})
    return ToolResult(result=object_summary(ctx.parents.remember(renamed.wire)), undo=(undo,))


class SetFavoriteArguments(Arguments, frozen=True, kw_only=True):
    """Objects, and whether they are favourites."""

    object_keys: Keys
    favorite: Annotated[bool, Meta(description="true adds to favourites, false removes from them.")] = True


async def _set_favorite(ctx: ToolContext, given: SetFavoriteArguments) -> ToolResult:
    found = await ctx.parents.resolve(ctx.client, given.object_keys)
    # An undo must only reset the objects that this call changes.
    changing = {remote.key.upper() for remote in found if remote.is_favorite != given.favorite}
    batch = await ctx.client.set_favorite(found, given.favorite, on_error="return")

    def undo(keys: list[str]) -> tuple[ToolCall, ...] | None:
        changed = [key for key in keys if key.upper() in changing]
        return (
            (ToolCall("set_favorite", {"object_keys": changed, "favorite": not given.favorite}),) if changed else None
        )

    return batch_result(batch, undo)


CREATE_FOLDER: Final = Tool(
    name="create_folder",
    summary="Create a folder. If the name is already taken there, the call fails with ConflictError.",
    arguments=CreateFolderArguments,
    result=ObjectSummary,
    run=_create_folder,
)
RENAME_OBJECT: Final = Tool(
    name="rename_object",
    summary="Rename one file or folder; it stays in its folder. A name that is already taken is refused.",
    arguments=RenameArguments,
    result=ObjectSummary,
    run=_rename_object,
    idempotent=True,
)
SET_FAVORITE: Final = Tool(
    name="set_favorite",
    summary="Add files or folders to the favourites, or remove them.",
    arguments=SetFavoriteArguments,
    result=list[ChangedObject],
    run=_set_favorite,
    idempotent=True,
)
