"""What a host does for its user: browsing folders, attaching files and completing paths. Models call other tools."""

import base64
from typing import Annotated, Final
from unicodedata import normalize

from msgspec import Meta, Struct

from skyshelf.agent.call import Key, ToolResult
from skyshelf.agent.errors import NOT_TEXT, TOO_LARGE, ToolRefusal
from skyshelf.agent.redaction import strip_invisible
from skyshelf.agent.results import ObjectSummary
from skyshelf.agent.tool import ToolContext, reading_tool
from skyshelf.agent.tools.texts import text_part
from skyshelf.client.objects.listing import KINDS, PAGE_SIZE
from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject
from skyshelf.wire.sizes import format_size

ENTRIES_MAX: Final = 100
"""Entries of one page of a folder."""
TEXT_BYTES_MAX: Final = 256 * 1024
"""How much of a text one answer has: encoded, it still fits into a message of 1 MiB."""
BLOB_BYTES_MAX: Final = 700 * 1024
COMPLETIONS_MAX: Final = 100
_NO_TEXT: Final = ("image/", "video/", "audio/")

Path = Annotated[str, Meta(max_length=8192, description="A path from the root folder.")]
Start = Annotated[int, Meta(ge=0, le=2**53, description="The byte, or the entry of a folder, to begin at.")]


class Attachment(Struct, frozen=True, kw_only=True):
    """A part of a file or folder: `entries` of a folder, a `text`, or a whole file in base64.

    `next_start` is where the next part begins; null if this is the last one.
    """

    object: ObjectSummary
    next_start: int | None = None
    text: str = ""
    base64: str | None = None
    entries: list[ObjectSummary] | None = None


@reading_tool(
    "Read a part of a file or folder, named by its key or else by its path.", result=Attachment, keeps_lines=True
)
async def attach(
    ctx: ToolContext, *, object_key: Key | None = None, path: Path = SEPARATOR, start: Start = 0
) -> ToolResult:
    if object_key is not None:
        (found,) = await ctx.parents.resolve(ctx.client, [object_key])
    else:
        found = await ctx.client.get(SEPARATOR + path.strip(SEPARATOR))
        ctx.parents.remember(found.wire)
    shown = ObjectSummary.of(found.wire)
    if found.is_folder:
        number = start // ENTRIES_MAX
        page = await ctx.client.page(found.key, number=number, limit=ENTRIES_MAX)
        entries = [ObjectSummary.of(ctx.parents.remember(each.wire)) for each in page.objects]
        more = (number + 1) * ENTRIES_MAX if len(entries) == ENTRIES_MAX else None
        return ToolResult(result=Attachment(object=shown, entries=entries, next_start=more))
    counted = 0
    if not (shown.mime or "").startswith(_NO_TEXT):
        counted = min(found.size or 0, TEXT_BYTES_MAX)
        try:
            part = await text_part(ctx, found, start, TEXT_BYTES_MAX)
        except ToolRefusal as refusal:
            if refusal.type != NOT_TEXT:
                raise
        else:
            return ToolResult(result=Attachment(object=shown, text=part.text, next_start=part.next_start))
    return ToolResult(result=Attachment(object=shown, base64=await _whole(ctx, found, counted)))


async def _whole(ctx: ToolContext, found: RemoteObject, counted: int) -> str:
    if found.size is None or found.size > BLOB_BYTES_MAX:
        size = "" if found.size is None else f" of {format_size(found.size)}"
        raise ToolRefusal(
            TOO_LARGE,
            f"this file{size} is no text, and such files are attached up to {format_size(BLOB_BYTES_MAX)}: "
            "download it with download_file instead",
        )
    ctx.report_progress(counted + found.size, counted + found.size, "bytes")
    return base64.b64encode(await ctx.client.read(found)).decode()


FoldersOnly = Annotated[bool, Meta(description="Whether only folders are of interest.")]


@reading_tool("Complete a path that the user is typing.", result=list[str])
async def complete_path(ctx: ToolContext, *, path: Path, folders_only: FoldersOnly = False) -> ToolResult:
    above, slash, beginning = path.rpartition(SEPARATOR)
    wanted = normalize("NFC", beginning).casefold()
    folder = await ctx.client.get(SEPARATOR + above.strip(SEPARATOR))
    names: list[str] = []
    for kind in KINDS[:1] if folders_only else KINDS:
        page = await ctx.client.page(folder.key, kind=kind, limit=PAGE_SIZE)
        end = SEPARATOR if kind == "w" else ""
        names += [
            above + slash + each.name + end
            for each in page.objects
            # What is removed from a name before it is shown would be missing in its path.
            if strip_invisible(each.name) == each.name and normalize("NFC", each.name).casefold().startswith(wanted)
        ]
    return ToolResult(result=names[:COMPLETIONS_MAX], count=len(names))
