"""The calls that undo changes, on servers without history: they change only what still is as the agent left it.

Only an undo may make them: the journal records them, and no model can make one. Each can be repeated, because what is
back already is left alone. What somebody else has changed since is left, and the result says so.
"""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from skyshelf.agent.call import Key, Keys, ToolCall, ToolResult
from skyshelf.agent.contents import contents_of
from skyshelf.agent.tool import Tool, ToolContext, tool
from skyshelf.agent.tools.sharing import revoke_link
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ForbiddenError, NotOfferedError, ObjectNotFoundError
from skyshelf.client.objects.outcomes import BatchResult
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.resources.rewind import PROBLEMS

CHANGED: Final = PROBLEMS["changedByOthers"]
IN_USE: Final = PROBLEMS["inUse"]
_GONE: Final = "it no longer exists"
_UNKNOWN: Final = "it is unknown whether the agent made it: check the account yourself"

Name = Annotated[str, Meta(description="A name.")]
OptionalKey = Annotated[Key | None, Meta(description="A key.")]


class Undone(Struct, frozen=True, kw_only=True):
    """What an undo has left, by the object's key, and why."""

    left: dict[str, str]


class Place(Struct, frozen=True, kw_only=True):
    """Where an object was when the agent had changed it, and what a folder contained; None is not known."""

    name: str | None = None
    parent_key: str | None = None
    fingerprint: str | None = None
    is_folder: bool = False


def place_of(found: RemoteObject, fingerprint: str | None = None) -> dict[str, object]:
    """The place of an object, for the journal."""
    place: dict[str, object] = {"name": found.name, "parent_key": found.parent_key, "is_folder": found.is_folder}
    return {**place, "fingerprint": fingerprint} if fingerprint is not None else place


async def _present(ctx: ToolContext, keys: Iterable[str]) -> dict[str, RemoteObject]:
    """The objects that can be seen, by their keys in capitals."""
    wanted = {key.upper() for key in keys}
    try:
        found = await ctx.parents.resolve(ctx.client, sorted(wanted))
    except ObjectNotFoundError:
        walking = ctx.client.walk(vanished=lambda _parts, _error: None)
        found = [one.object.detached_copy() async for one in walking if one.object.key.upper() in wanted]
    return {one.key.upper(): one for one in found}


def _refused(batch: BatchResult) -> dict[str, str]:
    return {outcome.key.upper(): outcome.reason for outcome in batch.failed}


def _is_at(found: RemoteObject, place: Place) -> bool:
    return found.name == place.name and (found.parent_key or "").upper() == (place.parent_key or "").upper()


@tool("Give an object its former name back.", result=Undone)
async def undo_rename(ctx: ToolContext, *, object_key: Key, name: Name, former: Name) -> ToolResult:
    found = (await _present(ctx, [object_key])).get(object_key.upper())
    if found is None:
        return ToolResult(result=Undone(left={object_key.upper(): _GONE}))
    if found.name == former:
        return ToolResult(result=Undone(left={}))
    if found.name != name:
        return ToolResult(result=Undone(left={object_key.upper(): CHANGED}))
    await ctx.client.rename(found, former)
    return ToolResult(result=Undone(left={}), undo=(rename_undo(object_key, name=former, former=name),))


@tool("Add objects to the favourites again, or remove them again.", result=Undone)
async def undo_favorite(ctx: ToolContext, *, object_keys: Keys, favorite: bool) -> ToolResult:
    found = await _present(ctx, object_keys)
    changing = [one for one in found.values() if one.is_favorite != favorite]
    left = {key.upper(): _GONE for key in object_keys if key.upper() not in found}
    if not changing:
        return ToolResult(result=Undone(left=left))
    batch = await ctx.client.set_favorite(changing, favorite, on_error="return")
    undo = ToolCall("undo_favorite", {"object_keys": [one.key for one in batch.succeeded], "favorite": not favorite})
    return ToolResult(result=Undone(left=left | _refused(batch)), undo=(undo,) if batch.succeeded else None)


@tool("Restore objects from the trash.", result=Undone)
async def undo_trash(ctx: ToolContext, *, object_keys: Keys) -> ToolResult:
    present = await _present(ctx, object_keys)
    missing = [key for key in object_keys if key.upper() not in present]
    if not missing:
        return ToolResult(result=Undone(left={}))
    batch = await ctx.client.restore(missing, on_error="return")
    undo = ToolCall("move_to_trash", {"object_keys": [one.key for one in batch.succeeded], "confirm": True})
    return ToolResult(result=Undone(left=_refused(batch)), undo=(undo,) if batch.succeeded else None)


FormerFolders = Annotated[dict[str, str], Meta(description="The folders that objects were in, by their keys.")]
Places = Annotated[dict[str, Place], Meta(description="Where the agent put the objects, by their keys.")]


@tool("Move what was restored or created to the trash again.", result=Undone)
async def undo_restore(ctx: ToolContext, *, places: Places) -> ToolResult:
    found = await _present(ctx, places)
    left: dict[str, str] = {}
    going = []
    for key, place in places.items():
        one = found.get(key.upper())
        if one is None:
            continue
        reason = await _obstacle(ctx, one, place)
        if reason:
            left[key.upper()] = reason
        else:
            going.append(one)
    if not going:
        return ToolResult(result=Undone(left=left))
    batch = await ctx.client.move_to_trash(going, on_error="return")
    undo = ToolCall("restore_from_trash", {"object_keys": [one.key for one in batch.succeeded], "confirm": True})
    return ToolResult(result=Undone(left=left | _refused(batch)), undo=(undo,) if batch.succeeded else None)


async def _obstacle(ctx: ToolContext, found: RemoteObject, place: Place) -> str:
    """Why something must not go to the trash; empty if it may."""
    if place.name is None:
        return _UNKNOWN
    if not _is_at(found, place):
        return CHANGED
    if not found.is_folder:
        return ""
    if place.fingerprint is None:
        return _UNKNOWN
    contents = await contents_of(ctx.client, [found])
    return "" if contents.whole and contents.fingerprint == place.fingerprint else IN_USE


@tool("Look whether a folder was created although its answer was lost.", result=Undone)
async def undo_creation(ctx: ToolContext, *, name: Name, parent_key: OptionalKey = None) -> ToolResult:
    async for found in ctx.client.list_folder(parent_key, kind="w"):
        if found.name == name:
            return ToolResult(result=Undone(left={found.key.upper(): _UNKNOWN}))
    return ToolResult(result=Undone(left={}))


Fingerprint = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="The link's fingerprint.")]


@tool("Revoke a public link.", result=Undone)
async def undo_link(ctx: ToolContext, *, fingerprint: Fingerprint) -> ToolResult:
    try:
        await revoke_link.run(ctx, fingerprint=fingerprint)
    except NotOfferedError:
        return ToolResult(result=Undone(left={"": "this server cannot revoke links"}))
    except ObjectNotFoundError:
        # Its owner has revoked it already.
        return ToolResult(result=Undone(left={}))
    return ToolResult(result=Undone(left={}), undo=())


@tool("Move objects back to the folders that they were in.", result=Undone)
async def undo_move(ctx: ToolContext, *, folder_key: Key, former: FormerFolders) -> ToolResult:
    found = await _present(ctx, former)
    left = {key.upper(): _GONE for key in former if key.upper() not in found}
    for key, parent_key in former.items():
        one = found.get(key.upper())
        if one is None or (one.parent_key or "").upper() == parent_key.upper():
            continue
        if (one.parent_key or "").upper() != folder_key.upper():
            left[key.upper()] = CHANGED
            continue
        left |= _refused(await ctx.client.move([one], parent_key, on_error="return"))
    return ToolResult(result=Undone(left=left), undo=())


@tool("Give a file its former version, or move a new file to the trash.", result=Undone)
async def undo_version(ctx: ToolContext, *, object_key: Key, version: int | None, former: int) -> ToolResult:
    found = (await _present(ctx, [object_key])).get(object_key.upper())
    if found is None:
        return ToolResult(result=Undone(left={} if former == 0 else {object_key.upper(): _GONE}))
    if found.version == former:
        return ToolResult(result=Undone(left={}))
    if found.version != version:
        return ToolResult(result=Undone(left={object_key.upper(): CHANGED}))
    if former == 0:
        await ctx.client.move_to_trash([found])
    else:
        await ctx.client.versions.restore(found, former)
    return ToolResult(result=Undone(left={}), undo=())


@tool("Look whether a file was uploaded although its answer was lost.", result=Undone)
async def undo_upload(ctx: ToolContext, *, name: Name, former: int, parent_key: OptionalKey = None) -> ToolResult:
    async for found in ctx.client.list_folder(parent_key, kind="f"):
        if found.name == name and found.version != former:
            return ToolResult(result=Undone(left={found.key.upper(): _UNKNOWN}))
    return ToolResult(result=Undone(left={}))


@tool("Take a tag off again.", result=Undone)
async def undo_tag(ctx: ToolContext, *, object_keys: Keys, name: Name) -> ToolResult:
    async for one in ctx.client.tags.list():
        if one.tag_name == name and one.tag_id is not None:
            tagged = await tagged_with(ctx.client, name)
            going = [key for key in object_keys if key.upper() in tagged]
            batch = await ctx.client.tags.remove(one.tag_id, going, on_error="return") if going else BatchResult(())
            return ToolResult(result=Undone(left=_refused(batch)), undo=())
    return ToolResult(result=Undone(left={}))


async def tagged_with(client: AsyncClient, name: str) -> set[str]:
    """The keys, in capitals, of the objects that have a tag."""
    tags = [one.tag_id async for one in client.tags.list() if one.tag_name == name and one.tag_id is not None]
    return {found.key.upper() for tag_id in tags async for found in client.tags.objects(tag_id)}


@tool("Delete an album without other members.", result=Undone)
async def undo_album(ctx: ToolContext, *, board_key: Name, files: int) -> ToolResult:
    try:
        board = (await ctx.client.boards.get(board_key)).board
    except (ObjectNotFoundError, ForbiddenError):
        return ToolResult(result=Undone(left={}))
    if board is None or (board.users_count or 0) > 1 or (board.files_count or 0) > files:
        return ToolResult(result=Undone(left={board_key: "others use the album by now"}))
    await ctx.client.boards.delete(board_key)
    return ToolResult(result=Undone(left={}), undo=())


@tool("Say that the outcome of a call is unknown.", result=Undone)
async def undo_unknown(_ctx: ToolContext) -> ToolResult:
    return ToolResult(result=Undone(left={"": _UNKNOWN}))


UNKNOWN_UNDO: Final = ToolCall("undo_unknown", {})
"""For changes whose objects have no keys before they are made."""


def rename_undo(object_key: str, *, name: str, former: str) -> ToolCall:
    """The call that undoes a rename."""
    return ToolCall("undo_rename", {"object_key": object_key, "name": name, "former": former})


def favorite_undo(object_keys: list[str], favorite: bool) -> tuple[ToolCall, ...]:
    """The call that marks objects as before; none for no objects."""
    return (ToolCall("undo_favorite", {"object_keys": object_keys, "favorite": favorite}),) if object_keys else ()


def trash_undo(object_keys: list[str]) -> ToolCall:
    """The call that restores objects."""
    return ToolCall("undo_trash", {"object_keys": object_keys})


def places_undo(places: dict[str, dict[str, object]]) -> ToolCall:
    """The call that moves objects to the trash if they are still where they were put."""
    return ToolCall("undo_restore", {"places": places})


async def restored_undo(ctx: ToolContext, batch: BatchResult, before: dict[str, RemoteObject]) -> ToolCall:
    """The call that undoes a restore: it needs to know what folders contained."""
    known = {key.upper(): one for key, one in before.items()}
    known |= {one.key.upper(): one.object for one in batch.succeeded if one.object is not None and one.object.name}
    keys = [one.key for one in batch.succeeded]
    if not all(key.upper() in known for key in keys):
        known |= await _present(ctx, keys)
    places: dict[str, dict[str, object]] = {}
    for key in keys:
        now = known.get(key.upper())
        # Contents that cannot be counted have no fingerprint, so the folder will be left.
        counted = None if now is None else await contents_of(ctx.client, [now])
        fingerprint = counted.fingerprint if counted is not None and counted.whole else None
        places[key] = {} if now is None else place_of(now, fingerprint)
    return places_undo(places)


UNDO_TOOLS: Final[dict[str, Tool]] = {
    tool.name: tool
    for tool in (
        undo_rename,
        undo_favorite,
        undo_trash,
        undo_restore,
        undo_creation,
        undo_link,
        undo_move,
        undo_version,
        undo_upload,
        undo_tag,
        undo_album,
        undo_unknown,
        # Journals of earlier versions have this one.
        revoke_link,
    )
}
