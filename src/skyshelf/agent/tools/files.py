"""Reading: files and folders, their versions, searches; the account, its boards and its contacts."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.call import Extension, Key, Limit, ToolResult
from skyshelf.agent.results import (
    AccountSummary,
    BoardSummary,
    ContactSummary,
    ObjectSummary,
    VersionSummary,
    first_results,
)
from skyshelf.agent.tool import ToolContext, reading_tool
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.resources.objects import CloudObject, ObjectSort

Sort = Annotated[ObjectSort, Meta(description="The field to sort by, `+` for ascending or `-` for descending.")]


FolderKey = Annotated[Key | None, Meta(description="The folder's key; defaults to the root folder.")]
Query = Annotated[
    str,
    Meta(
        max_length=1000,
        description="Words or parts of words in the name, in any order; case and accents are ignored. "
        "An empty query matches all names.",
    ),
]
RecentLimit = Annotated[
    int, Meta(ge=1, le=2 * RECENT_OBJECTS_MAX, description="Maximum number of files to return; `count` is the total.")
]


@reading_tool(
    "List the contents of one folder, folders first, then files. Returns the keys that other tools need.",
    result=list[ObjectSummary],
)
async def list_files(
    ctx: ToolContext, *, folder_key: FolderKey = None, limit: Limit = 50, sort: Sort = "-fileCreatedDate"
) -> ToolResult:
    found = ctx.client.list_folder(folder_key, sort=sort)
    return await first_results(found, limit, lambda one: ObjectSummary.of(ctx.parents.remember(one.wire)))


@reading_tool(
    "Find files and folders anywhere in the account by words in their names, or files by extension. "
    "If the server has no search, every folder is listed, which takes a while in a large account.",
    result=list[ObjectSummary],
)
async def search_files(
    ctx: ToolContext, *, query: Query, extension: Extension | None = None, limit: Limit = 200
) -> ToolResult:
    async def search() -> ToolResult:
        found = ctx.client.search(query, extension=extension)
        return await first_results(found, limit, lambda one: ObjectSummary.of(ctx.parents.remember(one.object.wire)))

    return await ctx.searches.get_or_search(ctx.client, (query, extension, limit), search)


def _last_change(found: CloudObject) -> int:
    return found.last_updated_date or found.created_date or found.last_modified_date or found.file_created_date or 0


@reading_tool(
    "List recently added or changed files, newest first: pictures, videos and documents.", result=list[ObjectSummary]
)
async def recent_activity(ctx: ToolContext, *, limit: RecentLimit = 50) -> ToolResult:
    recent = await ctx.client.recent()
    found = sorted([*(recent.objects_imgs or ()), *(recent.objects_docs or ())], key=_last_change, reverse=True)
    newest = [ObjectSummary.of(ctx.parents.remember(each)) for each in found[:limit]]
    return ToolResult(result=newest, count=len(found))


@reading_tool(
    "List the stored versions of one file, newest first, with their author and time.", result=list[VersionSummary]
)
async def version_history(ctx: ToolContext, *, object_key: Key) -> ToolResult:
    found = await ctx.client.versions.list(object_key)
    versions = [VersionSummary.of(version) for version in found.obj_versions or ()]
    return ToolResult(result=versions, count=len(versions) if found.total_versions is None else found.total_versions)


CONTACTS_DEFAULT: Final = 1000


@reading_tool(
    "Show the account's owner, root folder key, devices, and how much storage is used and free.", result=AccountSummary
)
async def account_info(ctx: ToolContext) -> ToolResult:
    return ToolResult(result=AccountSummary.of(await ctx.client.account.profile()))


@reading_tool(
    "List the boards (shared albums) the user is a member of, with the number of files and members of each.",
    result=list[BoardSummary],
)
async def list_boards(ctx: ToolContext) -> ToolResult:
    credentials = ctx.client.credentials
    user_id = credentials.user_id.upper() if credentials else ""
    boards = [
        BoardSummary.of(board, is_mine=(board.owner_user_id or "").upper() == user_id)
        async for board in ctx.client.boards.list()
    ]
    return ToolResult(result=boards, count=len(boards))


@reading_tool(
    "List the contacts in the address book with their email addresses and phone numbers.", result=list[ContactSummary]
)
async def get_contacts(ctx: ToolContext, *, limit: Limit = CONTACTS_DEFAULT) -> ToolResult:
    return await first_results(ctx.client.contacts.list(), limit, ContactSummary.of)
