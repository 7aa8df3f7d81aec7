"""Small changes that are easy to take back: a new folder, another name, a favourite."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import ChangedObject, ObjectSummary, batch_answer, object_summary
from skyshelf.agent.tool import Answer, Arguments, Call, Key, Keys, Tool
from skyshelf.client.objects.batch import name_for

NewName = Annotated[
    str,
    Meta(min_length=1, max_length=255, description="A name without slashes, at most 255 bytes of UTF-8."),
]


class FolderToCreate(Arguments, frozen=True, kw_only=True):
    """The folder to create."""

    name: NewName
    parent_folder_key: Annotated[
        Key | None, Meta(description="The key of the folder to create it in; the root folder without it.")
    ] = None


async def _create_folder(ctx: ToolContext, given: FolderToCreate) -> Answer:
    made = await ctx.client.create_folder(name_for(given.name), given.parent_folder_key)
    undo = Call("move_to_trash", {"object_keys": [made.key], "confirm": True})
    return Answer(result=object_summary(ctx.seen.note(made.wire)), undo=(undo,))


class NameToGive(Arguments, frozen=True, kw_only=True):
    """An object and its new name."""

    object_key: Key
    new_name: NewName


async def _rename_object(ctx: ToolContext, given: NameToGive) -> Answer:
    name = name_for(given.new_name)
    (found,) = await ctx.seen.resolve(ctx.client, [given.object_key])
    renamed = await ctx.client.rename(found, name)
    undo = Call("rename_object", {"object_key": found.key, "new_name": found.name})
    return Answer(result=object_summary(ctx.seen.note(renamed.wire)), undo=(undo,))


class FavoritesToSet(Arguments, frozen=True, kw_only=True):
    """Objects, and whether they are favourites."""

    object_keys: Keys
    favorite: Annotated[bool, Meta(description="true makes them favourites, false takes that back.")] = True


async def _set_favorite(ctx: ToolContext, given: FavoritesToSet) -> Answer:
    found = await ctx.seen.resolve(ctx.client, given.object_keys)
    # Only what was different before is to be set back by an undo.
    different = {each.key.upper() for each in found if each.is_favorite != given.favorite}
    done = await ctx.client.set_favorite(found, given.favorite)

    def undo(keys: list[str]) -> tuple[Call, ...] | None:
        back = [key for key in keys if key.upper() in different]
        return (Call("set_favorite", {"object_keys": back, "favorite": not given.favorite}),) if back else None

    return batch_answer(done, undo)


CREATE_FOLDER: Final = Tool(
    name="create_folder",
    words="Create a folder. A name that is taken in that place is refused with ConflictError.",
    arguments=FolderToCreate,
    result=ObjectSummary,
    run=_create_folder,
)
RENAME_OBJECT: Final = Tool(
    name="rename_object",
    words="Give one file or folder another name; it stays in its folder. A taken name is refused.",
    arguments=NameToGive,
    result=ObjectSummary,
    run=_rename_object,
    idempotent=True,
)
SET_FAVORITE: Final = Tool(
    name="set_favorite",
    words="Make files or folders favourites, or take that back.",
    arguments=FavoritesToSet,
    result=list[ChangedObject],
    run=_set_favorite,
    idempotent=True,
)
