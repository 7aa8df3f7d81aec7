"""A dry run of a bulk download: what it would fetch, without writing to the destination."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfile

from skyshelf.client.download.bulk.destination import OpenDestination, OpenFolders
from skyshelf.client.download.bulk.fetcher import BulkFetching
from skyshelf.client.download.bulk.plan import DownloadPlan
from skyshelf.client.download.bulk.run import BulkDownload
from skyshelf.client.download.bulk.state import DownloadState
from skyshelf.client.local.disk_threads import is_not_cancelled
from skyshelf.client.local.files import LocalFolder
from skyshelf.client.local.names import STATE_FOLDER


class ExistingFolders(OpenFolders):
    """The folders of a destination, none of which is created: an empty folder stands for missing ones."""

    def __init__(self, destination: Path, empty: Path) -> None:
        super().__init__(destination if destination.is_dir() else empty)
        self._empty = empty

    def _enter(self, path: str) -> LocalFolder:
        folder = self.root.enter(".")
        for name in path.split("/") if path else ():
            try:
                if folder.stat(name) is None:
                    return LocalFolder.open(self._empty)
                # A file of that name is the same error as in the download itself.
                below = folder.enter(name)
            finally:
                folder.close()
            folder = below
        return folder


class NoFetching(BulkFetching):
    """Workers that take jobs and do nothing."""

    async def fetch_files(self) -> None:
        while is_not_cancelled():
            await self._jobs.get()
            self._jobs.task_done()


class DownloadPreview(BulkDownload):
    """A run that lists, names and compares like the download, and fetches nothing."""

    _fetching = NoFetching

    def _open(self, opened: ExitStack) -> OpenDestination:
        own = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="skyshelf-preview-")))
        empty = own / "empty"
        empty.mkdir()
        folders = ExistingFolders(self._destination, empty)
        opened.callback(folders.close)
        known = self._destination / STATE_FOLDER / "state.db"
        if known.is_file():
            copyfile(known, own / "state.db")
        state = DownloadState(own / "state.db")
        opened.callback(state.close)
        plan = DownloadPlan(own / "plan.db")
        opened.callback(plan.close)
        return OpenDestination(folders=folders, state=state, plan=plan)
