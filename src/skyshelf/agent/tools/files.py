"""Looking at files and folders: listing, searching, what is new, earlier versions."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import ObjectSummary, VersionSummary, object_summary, version_summary
from skyshelf.agent.tool import Answer, Arguments, Extension, Key, Limit, Tool
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.resources.objects import CloudObject, ObjectSort

Sort = Annotated[ObjectSort, Meta(description="The field to sort by, `+` ascending or `-` descending.")]


class FolderWanted(Arguments, frozen=True, kw_only=True):
    """Which folder, how much of it, in which order."""

    folder_key: Annotated[Key | None, Meta(description="The key of the folder; the root folder without it.")] = None
    limit: Limit = 50
    sort: Sort = "-fileCreatedDate"


async def _list_files(ctx: ToolContext, given: FolderWanted) -> Answer:
    shown: list[ObjectSummary] = []
    count = 0
    async for each in ctx.client.list_folder(given.folder_key, sort=given.sort):
        count += 1
        if count <= given.limit:
            shown.append(object_summary(ctx.seen.note(each.wire)))
    return Answer(result=shown, count=count)


class SearchWanted(Arguments, frozen=True, kw_only=True):
    """What to look for."""

    query: Annotated[
        str,
        Meta(
            max_length=1000,
            description="Words, or parts of words, that the name has in any order; accents and case do not matter. "
            "Empty matches all names.",
        ),
    ]
    extension: Extension | None = None
    limit: Limit = 200


async def _search_files(ctx: ToolContext, given: SearchWanted) -> Answer:
    return await ctx.searches.answer(ctx.client, given, lambda: _searched(ctx, given))


async def _searched(ctx: ToolContext, given: SearchWanted) -> Answer:
    shown: list[ObjectSummary] = []
    count = 0
    async for each in ctx.client.search(given.query, extension=given.extension):
        count += 1
        if count <= given.limit:
            shown.append(object_summary(ctx.seen.note(each.object.wire)))
    return Answer(result=shown, count=count)


class RecentWanted(Arguments, frozen=True, kw_only=True):
    """How many recent files."""

    limit: Annotated[
        int,
        Meta(ge=1, le=2 * RECENT_OBJECTS_MAX, description="How many files the result may hold; `count` tells of all."),
    ] = 50


def _newest(found: CloudObject) -> int:
    return found.last_updated_date or found.created_date or found.last_modified_date or found.file_created_date or 0


async def _recent_activity(ctx: ToolContext, given: RecentWanted) -> Answer:
    recent = await ctx.client.recent()
    found = sorted([*(recent.objects_imgs or ()), *(recent.objects_docs or ())], key=_newest, reverse=True)
    shown = [object_summary(ctx.seen.note(each)) for each in found[: given.limit]]
    return Answer(result=shown, count=len(found))


class OneFile(Arguments, frozen=True, kw_only=True):
    """Which file."""

    object_key: Key


async def _version_history(ctx: ToolContext, given: OneFile) -> Answer:
    found = await ctx.client.versions(given.object_key)
    versions = [version_summary(each) for each in found.obj_versions or ()]
    return Answer(result=versions, count=len(versions) if found.total_versions is None else found.total_versions)


LIST_FILES: Final = Tool(
    name="list_files",
    words="List what is in one folder, folders first and then files. Shows the keys that other tools need.",
    arguments=FolderWanted,
    result=list[ObjectSummary],
    run=_list_files,
    read_only=True,
    idempotent=True,
)
SEARCH_FILES: Final = Tool(
    name="search_files",
    words="Find files and folders anywhere in the account by words of their name, or files by their extension. "
    "A server that cannot search is walked through, which takes a while in a large account.",
    arguments=SearchWanted,
    result=list[ObjectSummary],
    run=_search_files,
    read_only=True,
    idempotent=True,
)
RECENT_ACTIVITY: Final = Tool(
    name="recent_activity",
    words="List the files that were added or changed last, newest first: pictures, videos and documents.",
    arguments=RecentWanted,
    result=list[ObjectSummary],
    run=_recent_activity,
    read_only=True,
    idempotent=True,
)
VERSION_HISTORY: Final = Tool(
    name="version_history",
    words="List the versions of one file that are kept, newest first, with who made them and when.",
    arguments=OneFile,
    result=list[VersionSummary],
    run=_version_history,
    read_only=True,
    idempotent=True,
)
