"""Exports of the whole account in open forms."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from skyshelf.client.api.calls import Calls
from skyshelf.client.download import export as download
from skyshelf.client.errors import InvalidRequestError, LocalFileError
from skyshelf.client.local.disk_threads import DiskThreads
from skyshelf.wire.endpoints.exports import BEGIN_EXPORT, EXPORT_PARTS
from skyshelf.wire.limits import EXPORT_PART_BYTES_DEFAULT
from skyshelf.wire.resources.exports import BegunExport, ExportPart, ExportQuery, ExportRequest


class ExportedAccount(Struct, frozen=True, kw_only=True):
    """A complete export: how many parts and files it has, and how many bytes were downloaded in all."""

    path: Path
    begun_date: int
    parts: int
    files: int
    bytes_done: int
    is_zipped: bool


class AsyncExports(Calls):
    """Exports of everything in your account, in open forms. An extension: see `NotOfferedError`.

    Example:
        ```python
        client.exports.download("my-account", password="…")
        ```
    """

    _feature = "export an account; `download_all` downloads its files"

    async def begin(
        self, password: str, *, code: str | None = None, part_bytes: int = EXPORT_PART_BYTES_DEFAULT
    ) -> BegunExport:
        """Begin an export; its parts can be downloaded for seven days. The account's owner is informed.

        Args:
            password: The account's password: a session alone is not enough.
            code: A code of the second factor, where logins need one.
            part_bytes: The size of the parts; one file with its versions may be larger.

        Raises:
            ForbiddenError: Wrong password or code.
        """
        body = ExportRequest(password=password, code=code, part_bytes=part_bytes)
        unknown = "begin another export: one that is not downloaded leaves nothing behind"
        return await self._call(BEGIN_EXPORT, body=body, unknown=unknown)

    async def parts(self, export: str) -> list[ExportPart]:
        """List the parts of an export, each a ZIP file.

        Args:
            export: The export, as `begin` returned it.

        Raises:
            ObjectNotFoundError: There is no such export, or its time is over.
        """
        return (await self._call(EXPORT_PARTS, query=ExportQuery(export=export))).parts or []

    async def is_begun(self, destination: Path | str) -> bool:
        """Tell whether an export into a folder was begun and is not complete, so that it needs no password to continue.

        Args:
            destination: The folder.

        Raises:
            LocalFileError: The folder has a complete export, or something else.
        """
        folder = Path(destination)
        state = await DiskThreads().run(download.state_of, folder)
        if state is None:
            download.check_new(folder)
            return False
        if state.is_complete:
            raise LocalFileError(f"{folder} has a complete export: name a new folder for another")
        return True

    async def download(
        self,
        destination: Path | str,
        *,
        password: str | None = None,
        code: str | None = None,
        part_bytes: int = EXPORT_PART_BYTES_DEFAULT,
        keep_zips: bool = False,
        progress: Callable[[download.ExportEvent], None] | None = None,
    ) -> ExportedAccount:
        """Download everything in the account: files with versions, albums, contacts, history. Run it again to resume.

        Every file is verified against its checksum. Each part needs room for itself and for its contents.

        Args:
            destination: A new folder, or one with an interrupted export.
            password: The account's password, to begin an export.
            code: A code of the second factor, where logins need one.
            part_bytes: The size of the parts.
            keep_zips: Keep the ZIP files instead of unpacking them.
            progress: Called with an event for everything that happens.

        Raises:
            LocalFileError: The folder has a complete export, or something else.
            InvalidRequestError: A new export needs a password.
            ObjectNotFoundError: The time of an interrupted export is over.
        """
        folder, report = Path(destination), progress or (lambda _: None)
        is_begun = await self.is_begun(folder)
        with download.locked(folder):
            state = download.state_of(folder) if is_begun else None
            if state is None:
                if password is None:
                    raise InvalidRequestError("a password is needed to begin an export")
                begun = await self.begin(password, code=code, part_bytes=part_bytes)
                state = download.ExportState(
                    begun=begun.begun_date or 0,
                    expires=begun.expiry_date or 0,
                    keep_zips=keep_zips,
                    parts=download.kept_parts(await self.parts(begun.export)),
                )
                download.save_state(folder, state)
            count = len(state.parts)
            for at, part in enumerate(state.parts):
                if not part.is_done:
                    state.parts[at] = await download.download_part(
                        self._engine, folder, part, count, keep_zip=state.keep_zips, progress=report
                    )
                    download.save_state(folder, state)
                size = state.parts[at].size
                report(download.ExportEvent(part.number, count, size, size, is_done=True))
        return ExportedAccount(
            path=folder,
            begun_date=state.begun,
            parts=count,
            files=sum(part.files for part in state.parts),
            bytes_done=sum(part.size for part in state.parts),
            is_zipped=state.keep_zips,
        )
