"""From the account to this machine, and only below the folder that the operator gave."""

import asyncio
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.context import ReportProgress, ToolContext
from skyshelf.agent.results import DownloadedFile, DownloadedFolder
from skyshelf.agent.tool import Answer, Arguments, Confirm, Extension, Key, Tool
from skyshelf.agent.tools import quoted
from skyshelf.client.download.bulk.report import BulkDownloadError, BulkSummary, DownloadEvent
from skyshelf.client.errors import DestinationExistsError, SkyshelfError
from skyshelf.client.objects.remote_object import Target

_NAMED_MAX: Final = 5

LocalPath = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4096,
        description="A path below the folder that downloads may go to, relative to it; nothing outside is possible.",
    ),
]


class FileToDownload(Arguments, frozen=True, kw_only=True):
    """A file and where it goes."""

    object_key: Key
    destination: LocalPath
    overwrite: Annotated[bool, Meta(description="true replaces a file that is there already.")] = False
    confirm: Confirm


async def _download_file(ctx: ToolContext, given: FileToDownload) -> Answer:
    place: Path = await asyncio.to_thread(ctx.downloads.place, given.destination)
    target: Target = given.object_key
    if await asyncio.to_thread(place.is_dir):
        # The file keeps its own name there, which only the object itself tells.
        (target,) = await ctx.seen.resolve(ctx.client, [given.object_key])
    elif not given.overwrite and await asyncio.to_thread(place.exists):
        raise DestinationExistsError(f"{given.destination} is there already")
    got = await ctx.client.download(
        target,
        place,
        overwrite=given.overwrite,
        within=ctx.downloads.path,
        progress=lambda received, total: ctx.report_progress(received, total, "bytes"),
    )
    shown = DownloadedFile(
        object_key=got.object_key, path=str(got.path), size_bytes=got.size, md5=got.md5, verified=got.verified
    )
    return Answer(result=shown)


async def _ask_for_one(ctx: ToolContext, given: FileToDownload) -> str:
    (found,) = await ctx.seen.resolve(ctx.client, [given.object_key])
    replaced = " A file that is there is replaced." if given.overwrite else ""
    return f"Download {quoted(found.name)} to {quoted(given.destination)} on this machine?{replaced}"


class EverythingToDownload(Arguments, frozen=True, kw_only=True):
    """Where everything goes."""

    destination_dir: LocalPath
    extension: Extension | None = None
    max_workers: Annotated[int, Meta(ge=1, le=16, description="How many files are fetched at once.")] = 4
    confirm: Confirm


class _Counter:
    """Sums up the bytes of many files. How many there will be, nobody knows before the last folder is listed."""

    def __init__(self, report_progress: ReportProgress) -> None:
        self._tell = report_progress
        self._underway: dict[str, int] = {}
        self._bytes = 0
        self._files = 0

    def __call__(self, event: DownloadEvent) -> None:
        if event.kind == "progress":
            self._underway[event.path] = event.received
        elif event.kind in {"done", "skipped", "failed"}:
            self._underway.pop(event.path, None)
            self._files += 1
            self._bytes += event.received
        self._tell(self._bytes + sum(self._underway.values()), None, f"bytes, {self._files} files")


async def _download_all(ctx: ToolContext, given: EverythingToDownload) -> Answer:
    place: Path = await asyncio.to_thread(ctx.downloads.place, given.destination_dir)
    done = await ctx.client.download_all(
        place,
        extension=given.extension,
        workers=given.max_workers,
        within=ctx.downloads.path,
        progress=_Counter(ctx.report_progress),
    )
    if not done.ok:
        return Answer(error=_incomplete(done))
    shown = DownloadedFolder(
        path=str(place),
        downloaded=done.done,
        skipped=done.skipped,
        folders=done.folders,
        bytes_received=done.bytes_received,
    )
    return Answer(result=shown, count=done.done + done.skipped)


async def _ask_for_all(_context: ToolContext, given: EverythingToDownload) -> str:
    which = f"all files that end in {quoted(given.extension)}" if given.extension else "all files of the account"
    return f"Download {which} to {quoted(given.destination_dir)} on this machine?"


def _incomplete(done: BulkSummary) -> SkyshelfError:
    """What is missing, in one error; where all that is missing was in the way already, it says just that."""
    named = "; ".join(f"{failure.path}: «{failure.reason[:120]}»" for failure in done.failures[:_NAMED_MAX])
    message = f"{done.done} were downloaded, {done.skipped} were there already, {len(done.failures)} are missing"
    message += f": {named}" if named else ""
    message += f". It was stopped: «{done.stopped_by[:200]}»" if done.stopped_by else ""
    kinds = {failure.error for failure in done.failures}
    if kinds == {DestinationExistsError.__name__} and not done.stopped_by:
        return DestinationExistsError(message)
    incomplete = BulkDownloadError(done)
    incomplete.message = message
    return incomplete


DOWNLOAD_FILE: Final = Tool(
    name="download_file",
    words="Download one file to this machine, checked byte by byte. Where the destination is a folder, the file keeps "
    "its name. A file that is there already is refused with DestinationExists unless `overwrite` is true. "
    "Ask the user first.",
    arguments=FileToDownload,
    result=DownloadedFile,
    run=_download_file,
    ask=_ask_for_one,
    guarded=True,
    local=True,
    # With `overwrite`, a file of this machine is replaced.
    destructive=True,
    idempotent=True,
)
DOWNLOAD_ALL: Final = Tool(
    name="download_all",
    words="Download all files of the account, or all with one extension, with their folders, to this machine. What is "
    "there already and right is skipped. It can take long and much room on the disk. Ask the user first.",
    arguments=EverythingToDownload,
    result=DownloadedFolder,
    run=_download_all,
    ask=_ask_for_all,
    guarded=True,
    local=True,
    idempotent=True,
)
