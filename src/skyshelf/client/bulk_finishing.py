"""The last part of a bulk download: what has arrived is put in place, many files at once."""

import asyncio
from typing import Final

from skyshelf.client.bulk_report import BulkReport
from skyshelf.client.disk_threads import DiskThreads, may_go_on
from skyshelf.client.errors import LocalFileError
from skyshelf.client.finishing import Arrived, put_all_in_place
from skyshelf.client.local_files import DiskFullError
from skyshelf.client.open_destination import OpenDestination
from skyshelf.client.open_parts import OpenParts

FINISHED_TOGETHER: Final = 128
"""Files that are put in place at once."""


class BulkFinishing:
    """One finisher, which takes from `arrived`."""

    def __init__(
        self,
        destination: OpenDestination,
        parts: OpenParts,
        report: BulkReport,
        arrived: "asyncio.Queue[Arrived]",
        notes: DiskThreads,
    ) -> None:
        self._root, self._state = destination.folders.root, destination.state
        self._parts = parts
        self._report = report
        self._arrived = arrived
        self._notes = notes

    async def finish_files(self) -> None:
        """All that is there at once, again and again, until it is cancelled."""
        while may_go_on():
            batch = [await self._arrived.get()]
            while len(batch) < FINISHED_TOGETHER and not self._arrived.empty():
                batch.append(self._arrived.get_nowait())
            try:
                outcomes = await self._notes.run(put_all_in_place, batch, self._root, self._state)
            finally:
                for one in batch:
                    self._parts.release(one.file, one.part)
                    self._arrived.task_done()
            for one, wrong in outcomes:
                self._finished(one, wrong)

    def _finished(self, one: Arrived, wrong: LocalFileError | None) -> None:
        if isinstance(wrong, DiskFullError):
            raise wrong
        if wrong is not None:
            self._report.failed(one.file, wrong)
        else:
            self._report.done(one.file, one.part.length)
