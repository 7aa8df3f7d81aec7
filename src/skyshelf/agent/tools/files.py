"""Browsing files and folders: listings, search, recent files, versions."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.call import Arguments, Extension, Key, Limit, ToolResult
from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import ObjectSummary, VersionSummary, object_summary, version_summary
from skyshelf.agent.tool import Tool
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.resources.objects import CloudObject, ObjectSort

Sort = Annotated[ObjectSort, Meta(description="The field to sort by, `+` for ascending or `-` for descending.")]


class ListFilesArguments(Arguments, frozen=True, kw_only=True):
    """Which folder, how many entries, in which order."""

    folder_key: Annotated[Key | None, Meta(description="The folder's key; defaults to the root folder.")] = None
    limit: Limit = 50
    sort: Sort = "-fileCreatedDate"


async def _list_files(ctx: ToolContext, given: ListFilesArguments) -> ToolResult:
    listed: list[ObjectSummary] = []
    count = 0
    async for remote in ctx.client.list_folder(given.folder_key, sort=given.sort):
        count += 1
        if count <= given.limit:
            listed.append(object_summary(ctx.parents.remember(remote.wire)))
    return ToolResult(result=listed, count=count)


class SearchFilesArguments(Arguments, frozen=True, kw_only=True):
    """What to search for."""

    query: Annotated[
        str,
        Meta(
            max_length=1000,
            description="Words or parts of words in the name, in any order; case and accents are ignored. "
            "An empty query matches all names.",
        ),
    ]
    extension: Extension | None = None
    limit: Limit = 200


async def _search_files(ctx: ToolContext, given: SearchFilesArguments) -> ToolResult:
    return await ctx.searches.get_or_search(ctx.client, given, lambda: _search(ctx, given))


async def _search(ctx: ToolContext, given: SearchFilesArguments) -> ToolResult:
    matches: list[ObjectSummary] = []
    count = 0
    async for found in ctx.client.search(given.query, extension=given.extension):
        count += 1
        if count <= given.limit:
            matches.append(object_summary(ctx.parents.remember(found.object.wire)))
    return ToolResult(result=matches, count=count)


class RecentActivityArguments(Arguments, frozen=True, kw_only=True):
    """How many recent files."""

    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=2 * RECENT_OBJECTS_MAX,
            description="Maximum number of files to return; `count` is the total.",
        ),
    ] = 50


def _last_change(found: CloudObject) -> int:
    return found.last_updated_date or found.created_date or found.last_modified_date or found.file_created_date or 0


async def _recent_activity(ctx: ToolContext, given: RecentActivityArguments) -> ToolResult:
    recent = await ctx.client.recent()
    found = sorted([*(recent.objects_imgs or ()), *(recent.objects_docs or ())], key=_last_change, reverse=True)
    newest = [object_summary(ctx.parents.remember(each)) for each in found[: given.limit]]
    return ToolResult(result=newest, count=len(found))


class VersionHistoryArguments(Arguments, frozen=True, kw_only=True):
    """Which file."""

    object_key: Key


async def _version_history(ctx: ToolContext, given: VersionHistoryArguments) -> ToolResult:
    found = await ctx.client.versions.list(given.object_key)
    versions = [version_summary(version) for version in found.obj_versions or ()]
    return ToolResult(result=versions, count=len(versions) if found.total_versions is None else found.total_versions)


LIST_FILES: Final = Tool(
    name="list_files",
    summary="List the contents of one folder, folders first, then files. Returns the keys that other tools need.",
    arguments=ListFilesArguments,
    result=list[ObjectSummary],
    run=_list_files,
    read_only=True,
    idempotent=True,
)
SEARCH_FILES: Final = Tool(
    name="search_files",
    summary="Find files and folders anywhere in the account by words in their names, or files by extension. "
    "If the server has no search, every folder is listed, which takes a while in a large account.",
    arguments=SearchFilesArguments,
    result=list[ObjectSummary],
    run=_search_files,
    read_only=True,
    idempotent=True,
)
RECENT_ACTIVITY: Final = Tool(
    name="recent_activity",
    summary="List recently added or changed files, newest first: pictures, videos and documents.",
    arguments=RecentActivityArguments,
    result=list[ObjectSummary],
    run=_recent_activity,
    read_only=True,
    idempotent=True,
)
VERSION_HISTORY: Final = Tool(
    name="version_history",
    summary="List the stored versions of one file, newest first, with their author and time.",
    arguments=VersionHistoryArguments,
    result=list[VersionSummary],
    run=_version_history,
    read_only=True,
    idempotent=True,
)
