"""The pipeline of an import: while one group is prepared, the previous one is sealed, and the one before committed."""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

from skyshelf.service.importing import ImportRun
from skyshelf.service.importing.commit import FolderToCreate, GroupCommitter, ImportGroup
from skyshelf.service.importing.prepare import FilePreparer, ImportItem

_TASK_FILES = 8
_TASK_BYTES = 1024 * 1024
_GROUPS_BEHIND = 2
"""How many groups are sealed or committed while the next one is prepared."""


class Pipeline:
    """Takes folders and files in an order in which a folder comes before its contents."""

    def __init__(self, run: ImportRun, preparer: FilePreparer) -> None:
        self._run = run
        self._preparer = preparer
        self._committer = GroupCommitter(run)
        self._prepare_threads = ThreadPoolExecutor(run.options.threads, "skyshelf-import")
        self._seal_thread = ThreadPoolExecutor(1, "skyshelf-import-seal")
        self._commit_thread = ThreadPoolExecutor(1, "skyshelf-import-commit")
        self._behind: deque[tuple[ImportGroup, Future[None]]] = deque()
        self._begin_group()

    def _begin_group(self) -> None:
        self._group = ImportGroup(self._run.ctx)
        self._group_items, self._group_bytes = 0, 0
        self._task: list[ImportItem] = []
        self._task_bytes = 0

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._run.stop.set()
        self._prepare_threads.shutdown(wait=True, cancel_futures=True)
        self._seal_thread.shutdown(wait=True)
        self._commit_thread.shutdown(wait=True)
        for group, _committing in self._behind:
            group.close()
        self._group.close()

    def add_folder(self, folder: FolderToCreate) -> None:
        self._group.folders.append(folder)
        self._added(0)

    def add_file(self, item: ImportItem) -> None:
        self._task.append(item)
        self._task_bytes += item.file.size
        if len(self._task) >= _TASK_FILES or self._task_bytes >= _TASK_BYTES:
            self._submit_task()
        self._added(item.file.size)

    def flush(self) -> None:
        """Wait until everything that was added is committed; errors of the stores are raised."""
        self._submit_group()
        while self._behind:
            self._wait_for_oldest()

    def _added(self, size: int) -> None:
        self._group_items += 1
        self._group_bytes += size
        options = self._run.options
        if self._group_items >= options.group_files or self._group_bytes >= options.group_bytes:
            self._submit_group()

    def _submit_task(self) -> None:
        items, self._task, self._task_bytes = self._task, [], 0
        preparing = self._prepare_threads.submit(self._preparer.prepare_all, self._group.blobs, items)
        self._group.tasks.append((items, preparing))

    def _submit_group(self) -> None:
        if self._task:
            self._submit_task()
        while len(self._behind) >= _GROUPS_BEHIND:
            self._wait_for_oldest()
        group = self._group
        sealing = self._seal_thread.submit(self._committer.seal, group)
        self._behind.append((group, self._commit_thread.submit(self._committer.commit, group, sealing)))
        self._begin_group()

    def _wait_for_oldest(self) -> None:
        group, committing = self._behind[0]
        committing.result()
        group.close()
        self._behind.popleft()
