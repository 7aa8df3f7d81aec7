"""What a bulk download would fetch, found out without writing anything where it would go."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfile

from skyshelf.client.download.bulk.destination import OpenDestination, OpenFolders
from skyshelf.client.download.bulk.fetcher import BulkFetching
from skyshelf.client.download.bulk.plan import DownloadPlan
from skyshelf.client.download.bulk.run import BulkDownload
from skyshelf.client.download.bulk.state import DownloadState
from skyshelf.client.local.disk_threads import may_go_on
from skyshelf.client.local.files import LocalFolder
from skyshelf.client.local.names import STATE_FOLDER


class FoldersThatAreThere(OpenFolders):
    """The folders of a destination, none of which is made: an empty one stands for all that are missing."""

    def __init__(self, destination: Path, empty: Path) -> None:
        super().__init__(destination if destination.is_dir() else empty)
        self._empty = empty

    def _entered(self, path: str) -> LocalFolder:
        folder = self.root.enter(".")
        for name in path.split("/") if path else ():
            try:
                if folder.look(name) is None:
                    return LocalFolder.open(self._empty)
                # Something of that name that is no folder is the same error as in the download itself.
                below = folder.enter(name)
            finally:
                folder.close()
            folder = below
        return folder


class NothingFetched(BulkFetching):
    """Workers for whom it is enough that a job is known."""

    async def fetch_files(self) -> None:
        while may_go_on():
            await self._jobs.get()
            self._jobs.task_done()


class DownloadPreview(BulkDownload):
    """A run that lists, names and compares as the download does, and fetches nothing."""

    _fetching = NothingFetched

    def _open(self, opened: ExitStack) -> OpenDestination:
        own = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="skyshelf-preview-")))
        empty = own / "empty"
        empty.mkdir()
        folders = FoldersThatAreThere(self._destination, empty)
        opened.callback(folders.close)
        known = self._destination / STATE_FOLDER / "state.db"
        if known.is_file():
            copyfile(known, own / "state.db")
        state = DownloadState(own / "state.db")
        opened.callback(state.close)
        plan = DownloadPlan(own / "plan.db")
        opened.callback(plan.close)
        return OpenDestination(folders=folders, state=state, plan=plan)
