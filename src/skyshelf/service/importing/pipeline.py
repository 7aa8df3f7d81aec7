"""The threads of an import, each at its own step.

While some prepare the files of a group, the group before it waits for the disk, and the one before that is committed.
"""

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import ImportOptions
from skyshelf.service.importing.commit import Group, Sealing
from skyshelf.service.importing.prepare import Arriving, Preparing
from skyshelf.storage.metadata.contracts.tree import NewFolder

_HANDFUL = 8
_HANDFUL_BYTES = 1024 * 1024
_BEHIND = 2
"""So many groups are sealed or committed while the next one is prepared."""


class Pipeline:
    """Takes folders and files in an order in which a folder comes before what is in it."""

    def __init__(
        self, ctx: ServiceContext, options: ImportOptions, preparing: Preparing, sealing: Sealing, stop: threading.Event
    ) -> None:
        self._ctx = ctx
        self._options = options
        self._preparing = preparing
        self._sealing = sealing
        self._stop = stop
        self._preparers = ThreadPoolExecutor(options.threads, "skyshelf-import")
        self._sealer = ThreadPoolExecutor(1, "skyshelf-import-seal")
        self._committer = ThreadPoolExecutor(1, "skyshelf-import-commit")
        self._behind: deque[tuple[Group, Future[None]]] = deque()
        self._begin()

    def _begin(self) -> None:
        self._group = Group(self._ctx)
        self._many, self._bytes = 0, 0
        self._handful: list[Arriving] = []
        self._handful_bytes = 0

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._stop.set()
        self._preparers.shutdown(wait=True, cancel_futures=True)
        self._sealer.shutdown(wait=True)
        self._committer.shutdown(wait=True)
        for group, _committing in self._behind:
            group.close()
        self._group.close()

    def add_folder(self, folder: tuple[str, NewFolder]) -> None:
        self._group.folders.append(folder)
        self._added(0)

    def add_file(self, arriving: Arriving) -> None:
        self._handful.append(arriving)
        self._handful_bytes += arriving.file.size
        if len(self._handful) >= _HANDFUL or self._handful_bytes >= _HANDFUL_BYTES:
            self._prepare_handful()
        self._added(arriving.file.size)

    def flush(self) -> None:
        """Everything that was added is in the drive when this returns; errors of the stores come out."""
        self._hand_over()
        while self._behind:
            self._wait()

    def _prepare_handful(self) -> None:
        handful, self._handful, self._handful_bytes = self._handful, [], 0
        preparing = self._preparers.submit(self._preparing.prepare_all, self._group.batch, handful)
        self._group.handfuls.append((handful, preparing))

    def _added(self, size: int) -> None:
        self._many += 1
        self._bytes += size
        if self._many >= self._options.group_files or self._bytes >= self._options.group_bytes:
            self._hand_over()

    def _hand_over(self) -> None:
        if self._handful:
            self._prepare_handful()
        while len(self._behind) >= _BEHIND:
            self._wait()
        group = self._group
        sealing = self._sealer.submit(self._sealing.seal, group)
        self._behind.append((group, self._committer.submit(self._sealing.commit, group, sealing)))
        self._begin()

    def _wait(self) -> None:
        """Until the oldest group is in the drive."""
        group, committing = self._behind[0]
        committing.result()
        group.close()
        self._behind.popleft()
