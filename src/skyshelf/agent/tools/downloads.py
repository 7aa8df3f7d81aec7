"""Downloads to this machine, only below the download folder."""

import asyncio
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.call import Extension, Key, ToolResult
from skyshelf.agent.redaction import quote_text
from skyshelf.agent.results import DownloadedFile, DownloadedFolder
from skyshelf.agent.tool import ReportProgress, ToolContext, tool
from skyshelf.client.errors import DestinationExistsError, SkyshelfError
from skyshelf.client.transfers import KEEP_REPLACED, TransferError, TransferEvent, TransferSummary

_LISTED_MAX: Final = 5

LocalPath = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4096,
        description="A path relative to the download folder; nothing outside that folder is possible.",
    ),
]


Overwrite = Annotated[bool, Meta(description="true replaces an existing file.")]
Workers = Annotated[int, Meta(ge=1, le=16, description="How many files are downloaded at once.")]


async def _ask_to_download_file(ctx: ToolContext, *, object_key: Key, destination: LocalPath, overwrite: bool) -> str:
    (found,) = await ctx.parents.resolve(ctx.client, [object_key])
    warning = " An existing file will be replaced." if overwrite else ""
    return f"Download {quote_text(found.name)} to {quote_text(destination)} on this machine?{warning}"


@tool(
    "Download one file to this machine and verify it. If the destination is a folder, the file keeps its "
    "name. An existing file is refused with DestinationExists unless `overwrite` is true. Ask the user first.",
    result=DownloadedFile,
    ask=_ask_to_download_file,
    local=True,
    # With `overwrite`, a local file is replaced.
    destructive=True,
    idempotent=True,
)
async def download_file(
    ctx: ToolContext, *, object_key: Key, destination: LocalPath, overwrite: Overwrite = False
) -> ToolResult:
    path: Path = await asyncio.to_thread(ctx.downloads.resolve, destination)
    is_folder = await asyncio.to_thread(path.is_dir)
    if not is_folder and not overwrite and await asyncio.to_thread(path.exists):
        raise DestinationExistsError(f"{destination} already exists: choose another name or set `overwrite`")
    # The whole object: its hash verifies the content, and in a folder the file keeps its name.
    (found,) = await ctx.parents.resolve(ctx.client, [object_key])
    downloaded = await ctx.client.download(
        found,
        path,
        overwrite=overwrite,
        within=ctx.downloads.path,
        progress=lambda received, total: ctx.report_progress(received, total, "bytes"),
    )
    return ToolResult(result=DownloadedFile.of(downloaded))


class _ProgressSum:
    """Adds up the bytes of all files. The total is unknown until the last folder has been listed."""

    def __init__(self, report_progress: ReportProgress) -> None:
        self._report_progress = report_progress
        self._in_flight: dict[str, int] = {}
        self._bytes = 0
        self._files = 0

    def __call__(self, event: TransferEvent) -> None:
        if event.kind == "progress":
            self._in_flight[event.path] = event.transferred
        elif event.kind in {"done", "skipped", "failed"}:
            self._in_flight.pop(event.path, None)
            self._files += 1
            self._bytes += event.transferred
        self._report_progress(self._bytes + sum(self._in_flight.values()), None, f"bytes, {self._files} files")


async def _ask_to_download_all(
    _ctx: ToolContext, *, destination_dir: LocalPath, extension: Extension | None, **_: object
) -> str:
    files = f"all files with the extension {quote_text(extension)}" if extension else "all files"
    return f"Download {files} to {quote_text(destination_dir)} on this machine?"


@tool(
    "Download all files of the account, or all with one extension, to this machine, keeping the folders. "
    "Files that are already up to date are skipped. This can take a long time and a lot of disk space. "
    "Ask the user first.",
    result=DownloadedFolder,
    ask=_ask_to_download_all,
    local=True,
    idempotent=True,
)
async def download_all(
    ctx: ToolContext, *, destination_dir: LocalPath, extension: Extension | None = None, max_workers: Workers = 4
) -> ToolResult:
    path: Path = await asyncio.to_thread(ctx.downloads.resolve, destination_dir)
    done = await ctx.client.download_all(
        path,
        extension=extension,
        workers=max_workers,
        within=ctx.downloads.path,
        keep_replaced=KEEP_REPLACED,
        progress=_ProgressSum(ctx.report_progress),
    )
    if not done.ok:
        return ToolResult(error=_incomplete(done))
    return ToolResult(result=DownloadedFolder.of(done, path=str(path)), count=done.done + done.skipped)


def _incomplete(done: TransferSummary) -> SkyshelfError:
    """One error for everything missing; DestinationExists if existing files are the only reason."""
    failures = "; ".join(f"{failure.path}: {quote_text(failure.reason, 120)}" for failure in done.failed[:_LISTED_MAX])
    message = f"{done.done} downloaded, {done.skipped} skipped, {len(done.failed)} failed"
    message += f": {failures}" if failures else ""
    message += f". Stopped: {quote_text(str(done.stopped_by), 200)}" if done.stopped_by else ""
    kinds = {type(failure.error) for failure in done.failed}
    if kinds == {DestinationExistsError} and not done.stopped_by:
        return DestinationExistsError(message)
    incomplete = TransferError(done)
    incomplete.message = message
    return incomplete
