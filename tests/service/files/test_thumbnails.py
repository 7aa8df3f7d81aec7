"""Thumbnails: once per account and content, and a hostile file costs its time once."""

import hashlib

import pytest
from tests.server.api import HeldClock, new_account
from tests.service.callers import caller_of
from tests.service.pictures import encoded

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import thumbnails
from skyshelf.service.files.thumbnails import MissingThumbnail, Thumbnail
from skyshelf.service.media.process import MediaUnavailable, WorkerProcess
from skyshelf.service.media.protocol import RENDERER, Job, MediaResult
from skyshelf.service.process.reservations import Reservation
from skyshelf.service.uploads.commit import commit_file, store_content
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.uploads import UploadMetadata


def upload(ctx: ServiceContext, caller: Caller, name: str, data: bytes) -> str:
    md5 = hashlib.md5(data, usedforsecurity=False).hexdigest()
    about = UploadMetadata(name=name, size=len(data), hash=md5, folder_key=caller.root_key)
    return commit_file(
        ctx, caller, about, store_content(ctx, caller, about, [data], Reservation(ctx.reservations, caller.account_id))
    ).object_key


def thumbnail(ctx: ServiceContext, caller: Caller, key: str, *, size: int = 256, webp: bool = False) -> Thumbnail:
    found = thumbnails.find(ctx, caller, key, size=size, webp=webp)
    return thumbnails.generate(ctx, found).result(60) if isinstance(found, MissingThumbnail) else found


def has_none(ctx: ServiceContext, caller: Caller, key: str, *, size: int = 256, webp: bool = False) -> bool:
    with pytest.raises(ServiceError) as refused:
        thumbnail(ctx, caller, key, size=size, webp=webp)
    return refused.value.code == codes.NO_THUMBNAIL.code


class Runs:
    """Counts jobs, and has them end as the test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.done: MediaResult | None = None

        def run(_process: WorkerProcess, _job: Job) -> MediaResult | None:
            self.count += 1
            return self.done

        monkeypatch.setattr(WorkerProcess, "run", run)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(monkeypatch)


def test_a_picture_that_another_account_has_is_as_much_work_as_a_new_one(
    ctx: ServiceContext, caller: Caller, runs: Runs
) -> None:
    runs.done = MediaResult(data=b"small")
    other = caller_of(new_account(ctx, "other@example.org"))
    picture = encoded("PNG")
    mine, theirs = upload(ctx, caller, "a.png", picture), upload(ctx, other, "b.png", picture)
    assert thumbnail(ctx, caller, mine).size == 5
    assert runs.count == 1
    assert isinstance(thumbnails.find(ctx, other, theirs, size=256, webp=False), MissingThumbnail)
    assert thumbnail(ctx, other, theirs).location != thumbnail(ctx, caller, mine).location
    assert runs.count == 2


def test_a_copy_in_the_same_account_is_no_work(ctx: ServiceContext, caller: Caller, runs: Runs) -> None:
    runs.done = MediaResult(data=b"small")
    first, copy = upload(ctx, caller, "a.png", encoded("PNG")), upload(ctx, caller, "b.png", encoded("PNG"))
    assert thumbnail(ctx, caller, first) == thumbnail(ctx, caller, copy)
    assert runs.count == 1


def test_a_file_that_kills_a_worker_costs_its_time_once_in_whatever_size_it_is_wanted(
    ctx: ServiceContext, caller: Caller, runs: Runs, clock: HeldClock
) -> None:
    key = upload(ctx, caller, "bomb.pdf", b"a bomb")
    for size in (256, 512, 1080):
        assert has_none(ctx, caller, key, size=size)
        assert has_none(ctx, caller, key, size=size, webp=True)
    assert runs.count == 1
    clock.advance(days=1)
    assert has_none(ctx, caller, key)
    assert runs.count == 2


def test_a_broken_file_is_not_tried_again_until_the_renderer_can_do_more(
    ctx: ServiceContext, caller: Caller, runs: Runs, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs.done = MediaResult()
    key = upload(ctx, caller, "broken.png", b"no picture")
    assert has_none(ctx, caller, key)
    clock.advance(days=400)
    assert has_none(ctx, caller, key)
    assert runs.count == 1
    monkeypatch.setattr(thumbnails, "RENDERER", RENDERER + 1)
    runs.done = MediaResult(data=b"small")
    assert thumbnail(ctx, caller, key).size == 5


def test_requests_that_wait_together_for_a_bomb_cost_its_time_once(
    ctx: ServiceContext, caller: Caller, runs: Runs
) -> None:
    key = upload(ctx, caller, "bomb.pdf", b"a bomb")
    missing = [thumbnails.find(ctx, caller, key, size=size, webp=False) for size in (256, 512, 1080) * 4]
    futures = [thumbnails.generate(ctx, one) for one in missing if isinstance(one, MissingThumbnail)]
    errors = [future.exception(60) for future in futures]
    assert len(errors) == 12
    assert all(isinstance(error, ServiceError) for error in errors)
    assert runs.count == 1


def test_no_failure_is_remembered_where_no_worker_could_start(
    ctx: ServiceContext, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_process: WorkerProcess, _job: Job) -> None:
        raise MediaUnavailable

    key = upload(ctx, caller, "a.png", encoded("PNG"))
    with monkeypatch.context() as patched:
        patched.setattr(WorkerProcess, "run", none)
        with pytest.raises(MediaUnavailable):
            thumbnail(ctx, caller, key)
    assert thumbnail(ctx, caller, key).size > 0
