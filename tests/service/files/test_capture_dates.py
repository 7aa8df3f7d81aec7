"""Capture dates: a JPEG has its date at once; other files get theirs from a background job, never during the upload."""

import hashlib
from pathlib import Path

import pytest
from PIL import ExifTags, Image
from tests.server.api import HeldClock
from tests.service.pictures import encoded, jpeg_taken, video

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files.capture_dates import FILES_AT_ONCE
from skyshelf.service.files.downloads import restore_version
from skyshelf.service.jobs.runner import MEDIA_JOBS, JobRunner
from skyshelf.service.media.pool import Workers
from skyshelf.service.media.process import MediaUnavailable, WorkerProcess
from skyshelf.service.process.reservations import Reservation
from skyshelf.service.uploads.batch import upload_files
from skyshelf.service.uploads.chunked import initiate
from skyshelf.service.uploads.commit import commit_file, store_content
from skyshelf.storage.metadata.contracts.files import MediaFacts
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.objects import VersionRestoreRequest
from skyshelf.wire.resources.uploads import FileToUpload, UploadMetadata

TAKEN = "2019:07:23 10:00:00"
DATE = (1563876000000, 723)


def heic_taken(when: str = TAKEN) -> bytes:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = when
    return encoded("HEIF", Image.new("RGB", (64, 64)), exif=exif.tobytes())


def metadata(caller: Caller, name: str, data: bytes) -> UploadMetadata:
    md5 = hashlib.md5(data, usedforsecurity=False).hexdigest()
    return UploadMetadata(name=name, size=len(data), hash=md5, folder_key=caller.root_key)


def upload(ctx: ServiceContext, caller: Caller, name: str, data: bytes) -> StoredObject:
    about = metadata(caller, name, data)
    return commit_file(
        ctx, caller, about, store_content(ctx, caller, about, [data], Reservation(ctx.reservations, caller.account_id))
    )


def date_of(ctx: ServiceContext, stored: StoredObject) -> tuple[int | None, int | None]:
    with ctx.metadata.read() as unit:
        now = unit.tree.get(stored.account_id, stored.object_key)
    return now.taken_at, now.taken_day


def run_job(ctx: ServiceContext) -> bool:
    return JobRunner(ctx, jobs=MEDIA_JOBS, tasks=()).work_once()


@pytest.fixture
def no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever needs a media worker now fails."""

    def submit(*_args: object, **_more: object) -> None:
        raise AssertionError("a worker is needed")

    monkeypatch.setattr(Workers, "submit", submit)


@pytest.mark.usefixtures("no_workers")
def test_a_jpeg_has_its_date_at_once_and_needs_no_job(ctx: ServiceContext, caller: Caller) -> None:
    dated = upload(ctx, caller, "a.jpg", jpeg_taken(TAKEN))
    undated = upload(ctx, caller, "b.jpg", encoded("JPEG"))
    assert date_of(ctx, dated) == DATE
    assert date_of(ctx, undated) == (None, None)
    assert not run_job(ctx)


@pytest.mark.usefixtures("no_workers")
def test_no_way_to_add_a_file_needs_a_worker(ctx: ServiceContext, caller: Caller) -> None:
    heic = heic_taken()
    upload(ctx, caller, "a.heic", heic)
    assert isinstance(initiate(ctx, caller, metadata(caller, "known.heic", heic)), StoredObject)
    about = metadata(caller, "b.heic", b"another")
    in_batch = FileToUpload(name="b.heic", size=about.size, hash=about.hash, folder_key=caller.root_key)
    assert isinstance(upload_files(ctx, caller, [in_batch], [b"another"])[0], StoredObject)
    second = upload(ctx, caller, "a.heic", b"a second version")
    restore_version(ctx, caller, VersionRestoreRequest(object_key=second.object_key, version=1), "")


def test_other_pictures_and_videos_get_their_date_from_the_job(
    ctx: ServiceContext, caller: Caller, tmp_path: Path
) -> None:
    filmed = video(tmp_path / "a.mp4", created="2018-05-17T12:00:00.000000Z").read_bytes()
    stored = {
        "heic": upload(ctx, caller, "a.heic", heic_taken()),
        "mp4": upload(ctx, caller, "a.mp4", filmed),
        "broken": upload(ctx, caller, "broken.heic", b"no picture"),
    }
    assert {name: date_of(ctx, one) for name, one in stored.items()} == dict.fromkeys(stored, (None, None))
    assert run_job(ctx)
    assert {name: date_of(ctx, one) for name, one in stored.items()} == {
        "heic": DATE,
        "mp4": (1526558400000, 517),
        "broken": (None, None),
    }
    assert not run_job(ctx)


def test_a_picture_that_the_account_had_already_gets_its_date_as_well(ctx: ServiceContext, caller: Caller) -> None:
    upload(ctx, caller, "a.heic", heic_taken())
    copy = initiate(ctx, caller, metadata(caller, "copy.heic", heic_taken()))
    assert isinstance(copy, StoredObject)
    jpeg = upload(ctx, caller, "a.jpg", jpeg_taken(TAKEN))
    known = initiate(ctx, caller, metadata(caller, "known.jpg", jpeg_taken(TAKEN)))
    assert isinstance(known, StoredObject)
    assert (date_of(ctx, jpeg), date_of(ctx, known)) == (DATE, DATE)
    assert run_job(ctx)
    assert date_of(ctx, copy) == DATE


def test_a_restored_version_gets_its_date(ctx: ServiceContext, caller: Caller) -> None:
    stored = upload(ctx, caller, "a.heic", heic_taken())
    upload(ctx, caller, "a.heic", heic_taken("2020:01:01 00:00:00"))
    assert run_job(ctx)
    restore_version(ctx, caller, VersionRestoreRequest(object_key=stored.object_key, version=1), "")
    assert run_job(ctx)
    assert date_of(ctx, stored) == DATE


def test_a_file_that_kills_a_worker_costs_its_time_once(
    ctx: ServiceContext, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[object] = []
    monkeypatch.setattr(WorkerProcess, "run", lambda _process, job: runs.append(job))
    stored = upload(ctx, caller, "bomb.heic", b"a bomb")
    assert run_job(ctx)
    assert not run_job(ctx)
    assert date_of(ctx, stored) == (None, None)
    assert len(runs) == 1


def test_dates_that_could_not_be_read_for_lack_of_a_worker_are_read_later(
    ctx: ServiceContext, caller: Caller, monkeypatch: pytest.MonkeyPatch, clock: HeldClock
) -> None:
    def none(_process: WorkerProcess, _job: object) -> None:
        raise MediaUnavailable

    stored = upload(ctx, caller, "a.heic", heic_taken())
    with monkeypatch.context() as patched:
        patched.setattr(WorkerProcess, "run", none)
        assert run_job(ctx)
        assert not run_job(ctx)
    clock.advance(minutes=1)
    assert run_job(ctx)
    assert date_of(ctx, stored) == DATE


def test_an_account_with_many_files_lets_others_go_first(
    ctx: ServiceContext, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkerProcess, "run", lambda _process, _job: None)
    for number in range(FILES_AT_ONCE + 1):
        upload(ctx, caller, f"{number}.heic", b"%d" % number)

    def left() -> int:
        with ctx.metadata.read() as unit:
            return len(unit.undated.some(caller.account_id, 100))

    assert run_job(ctx)
    assert left() == 1
    assert run_job(ctx)
    assert left() == 0


def test_a_jpeg_has_its_facts_at_once_and_other_files_get_theirs_from_the_job(
    ctx: ServiceContext, caller: Caller
) -> None:
    jpeg = upload(ctx, caller, "a.jpg", jpeg_taken(TAKEN, offset="+01:00", orientation=6))
    heic = upload(ctx, caller, "a.heic", heic_taken())

    def facts() -> dict[str, MediaFacts]:
        with ctx.metadata.read() as unit:
            found = unit.photos.of_objects(caller.account_id, [jpeg.object_key, heic.object_key])
        return {one.object_key: one.facts for one in found}

    turned = MediaFacts(480, 640, utc_offset=60)
    assert facts() == {jpeg.object_key: turned, heic.object_key: MediaFacts()}
    assert run_job(ctx)
    assert facts() == {jpeg.object_key: turned, heic.object_key: MediaFacts(64, 64)}
