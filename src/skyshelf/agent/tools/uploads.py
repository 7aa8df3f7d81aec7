"""Uploads from this machine, only from below the upload folder. Only with `--tools extended`."""

from typing import Annotated

from msgspec import Meta

from skyshelf.agent.call import ToolResult
from skyshelf.agent.errors import SOURCE_NOT_ALLOWED, ToolRefusal
from skyshelf.agent.redaction import quote_text
from skyshelf.agent.results import ObjectSummary
from skyshelf.agent.tool import ToolContext, tool
from skyshelf.agent.tools.edit import NewName, ParentKey
from skyshelf.agent.tools.texts import ExpectedVersion, stored
from skyshelf.agent.upload_root import UploadRoot
from skyshelf.client.objects.batch import name_for
from skyshelf.wire.sizes import format_size

SourcePath = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4096,
        description="A path relative to the upload folder; nothing outside that folder is possible.",
    ),
]
UploadName = Annotated[NewName | None, Meta(description="The name on the drive; defaults to the local name.")]


def _root(ctx: ToolContext) -> UploadRoot:
    if ctx.uploads is None:
        raise ToolRefusal(
            SOURCE_NOT_ALLOWED, "uploads need a folder that they may come from: ask the user to set --upload-root"
        )
    return ctx.uploads


async def _ask_to_upload(
    ctx: ToolContext,
    *,
    source: SourcePath,
    name: UploadName,
    expected_version: ExpectedVersion,
    **_: object,
) -> str:
    with _root(ctx).open(source) as file:
        size = format_size(file.size)
    given = f" as {quote_text(name)}" if name else ""
    what = f", replacing version {expected_version}" if expected_version else ""
    return f"Upload {quote_text(source)} ({size}) from this machine{given}{what}?"


@tool(
    "Upload one file of this machine's upload folder: a new file, or one that replaces the version you know. The "
    "former content stays a version. Ask the user first.",
    result=ObjectSummary,
    ask=_ask_to_upload,
    destructive=True,
)
async def upload(
    ctx: ToolContext,
    *,
    source: SourcePath,
    parent_folder_key: ParentKey = None,
    name: UploadName = None,
    expected_version: ExpectedVersion = 0,
) -> ToolResult:
    with _root(ctx).open(source) as file:
        ctx.report_progress(file.size, file.size, "bytes")
        return await stored(ctx, file.path, parent_folder_key, name_for(name or file.name), expected_version)
