"""Holding an upload means holding the file that has its name, whatever happens on the way to the lock."""

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.errors import UploadBusy


class OvertakenFiles(DurableFiles):
    """Between opening a file and locking it, somebody else is faster, once or every time."""

    def __init__(self, others: Callable[[], None], times: int) -> None:
        self._others = others
        self._times = times

    def lock(self, file: int) -> bool:
        if self._times > 0:
            self._times -= 1
            self._others()
        return super().lock(file)


def test_an_upload_discarded_before_it_was_locked_starts_over(tmp_path: Path) -> None:
    upload_id, other = uuid4().hex, DiskBlobs(tmp_path)
    with other.uploading(upload_id) as upload:
        upload.append([b"to be discarded"], after=None)
    store = DiskBlobs(tmp_path, OvertakenFiles(lambda: other.discard(upload_id), 1))
    with store.uploading(upload_id) as upload:
        part = upload.append([b"acknowledged"], after=None)
    with other.uploading(upload_id) as upload:
        assert b"".join(other.read(upload.finish([part], 12).location)) == b"acknowledged"


def test_an_upload_that_went_on_in_a_copy_is_held_there_and_not_in_its_old_file(tmp_path: Path) -> None:
    upload_id, other = uuid4().hex, DiskBlobs(tmp_path)
    with other.uploading(upload_id) as upload:
        first = upload.append([b"first"], after=None)
        finished = upload.finish([first], 5).location

    def go_on() -> None:
        with other.uploading(upload_id) as upload:
            upload.append([b" second"], after=first)

    store = DiskBlobs(tmp_path, OvertakenFiles(go_on, 1))
    with store.uploading(upload_id) as upload:
        third = upload.append([b" third"], after=first)
        assert b"".join(store.read(upload.finish([first, third], 11).location)) == b"first third"
    assert b"".join(store.read(finished)) == b"first"


def test_somebody_who_is_always_faster_makes_the_upload_busy_and_not_endless(tmp_path: Path) -> None:
    upload_id, other = uuid4().hex, DiskBlobs(tmp_path)
    store = DiskBlobs(tmp_path, OvertakenFiles(lambda: other.discard(upload_id), 10**9))
    with pytest.raises(UploadBusy), store.uploading(upload_id):
        pass
