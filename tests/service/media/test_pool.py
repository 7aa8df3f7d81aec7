"""The pool of media workers: shares, waiting, giving up, and limits on time and memory."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image
from tests.service.pictures import encoded

from skyshelf.service.media.pool import MediaBusy, Run, Workers
from skyshelf.service.media.process import MediaUnavailable
from skyshelf.service.media.protocol import HEAVY, LIGHT, CaptureDateJob, ThumbnailJob


@pytest.fixture
def workers() -> Iterator[Workers]:
    with closing(Workers(2)) as workers:
        yield workers


class Held:
    """Work that goes on until it is released; it needs no process."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.released = threading.Event()

    def __call__(self, _run: Run) -> str:
        self.began.set()
        assert self.released.wait(30)
        return "done"


def test_others_are_served_while_one_account_keeps_its_share_busy(workers: Workers) -> None:
    held = Held()
    attack = [workers.submit(1, held) for _ in range(5)]
    assert held.began.wait(30)
    assert workers.submit(2, lambda _run: "served").result(30) == "served"
    held.released.set()
    assert [future.result(30) for future in attack] == ["done"] * 5


def test_who_asks_for_the_same_waits_for_the_same_work(workers: Workers) -> None:
    held, count = Held(), []

    def work(run: Run) -> str:
        count.append(1)
        return held(run)

    futures = [workers.submit(1, work, key="the same") for _ in range(4)]
    assert held.began.wait(30)
    futures[0].cancel()
    held.released.set()
    assert [future.result(30) for future in futures[1:]] == ["done"] * 3
    assert len(count) == 1


def test_a_job_that_nobody_waits_for_is_dropped_unless_it_has_begun(workers: Workers) -> None:
    held, ran = Held(), []
    running = workers.submit(1, held)
    assert held.began.wait(30)
    waiting = [workers.submit(1, lambda _run: ran.append(1), key=number) for number in range(3)]
    last = workers.submit(1, lambda _run: "last")
    for future in waiting:
        assert future.cancel()
    running.cancel()
    held.released.set()
    assert last.result(30) == "last"
    assert ran == []


def test_a_full_queue_refuses_and_the_largest_account_gives_up_a_place() -> None:
    held = Held()
    with closing(Workers(1, places=3, places_per_account=3)) as workers:
        workers.submit(1, held)
        assert held.began.wait(30)
        mine = [workers.submit(1, held) for _ in range(3)]
        with pytest.raises(MediaBusy):
            workers.submit(1, held)
        other = workers.submit(2, lambda _run: "served")
        with pytest.raises(MediaBusy):
            mine[2].result(30)
        held.released.set()
        assert other.result(30) == "served"


def test_a_closed_pool_says_nothing_about_the_file() -> None:
    held = Held()
    workers = Workers(1)
    workers.submit(1, held)
    assert held.began.wait(30)
    waiting = workers.submit(1, held)
    threading.Timer(0.05, held.released.set).start()
    workers.close()
    with pytest.raises(MediaUnavailable):
        waiting.result(30)
    with pytest.raises(MediaUnavailable):
        workers.submit(1, held)


@pytest.mark.whole
def test_a_worker_that_is_killed_by_the_end_of_the_pool_says_nothing_about_the_file(tmp_path: Path) -> None:
    endless = tmp_path / "endless"
    os.mkfifo(endless)
    workers = Workers(1)
    began = threading.Event()

    def work(run: Run) -> object:
        began.set()
        return run(ThumbnailJob(str(endless), "image", "jpeg", 256, False))

    future: Future[object] = workers.submit(1, work)
    assert began.wait(30)
    workers.close()
    with pytest.raises(MediaUnavailable):
        future.result(30)


Written = Callable[[bytes], str]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(data: bytes) -> str:
        path = tmp_path / "file"
        path.write_bytes(data)
        return str(path)

    return write


def test_a_picture_that_is_too_much_for_a_light_job_is_a_heavy_one(workers: Workers, written: Written) -> None:
    side = round((LIGHT.pixels / 4 * 1.1) ** 0.5)
    path = written(encoded("PNG", Image.new("RGB", (side, side), "red"), compress_level=1))
    done = workers.run(1, ThumbnailJob(path, "image", "png", 256, False))
    assert done is not None
    assert done.data


def test_a_picture_that_is_too_much_for_any_job_has_no_thumbnail(workers: Workers, written: Written) -> None:
    side = round((HEAVY.pixels / 4 * 1.1) ** 0.5)
    path = written(encoded("PNG", Image.new("RGB", (side, side), "red"), compress_level=1))
    done = workers.run(1, ThumbnailJob(path, "image", "png", 256, False))
    assert done is not None
    assert not done.data


def test_a_photo_of_100_megapixels_has_a_thumbnail(workers: Workers, written: Written) -> None:
    path = written(encoded("JPEG", Image.new("L", (11_600, 8_700), "white"), quality=10))
    done = workers.run(1, ThumbnailJob(path, "image", "jpeg", 256, False))
    assert done is not None
    assert done.data


def test_the_date_of_a_very_large_picture_needs_no_pixels(workers: Workers, written: Written) -> None:
    path = written(encoded("PNG", Image.new("1", (13_000, 13_000))))
    done = workers.run(1, CaptureDateJob(path, "image", "png"))
    assert done is not None
    assert not done.is_heavy


def test_the_environment_of_a_worker_holds_no_secrets(
    workers: Workers, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret of the server")
    assert workers.run(1, CaptureDateJob(written(encoded("PNG")), "image", "png")) is not None
    pid = next(process.pid for process in workers._processes if process.pid is not None)
    assert b"a secret of the server" not in Path(f"/proc/{pid}/environ").read_bytes()
