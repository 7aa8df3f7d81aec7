"""Pictures, videos and PDFs through the worker processes, good ones and hostile ones."""

import io
import os
import signal
import struct
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image
from tests.service.pictures import encoded, jpeg_taken, picture, video

from skyshelf.service.media.pool import Workers
from skyshelf.service.media.protocol import LIGHT, CaptureDateJob, MediaResult, ThumbnailJob


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(1)
    yield workers
    workers.close()


Thumb = Callable[..., Image.Image | None]


@pytest.fixture
def thumb(workers: Workers, tmp_path: Path) -> Thumb:
    def make(data: bytes, mime: str = "image/jpeg", size: int = 256, webp: bool = False) -> Image.Image | None:
        path = tmp_path / "file"
        path.write_bytes(data)
        kind, _, subtype = mime.partition("/")
        done = workers.run(1, ThumbnailJob(str(path), kind, subtype, size, webp))
        assert done is not None, "a worker died of the file"
        return Image.open(io.BytesIO(done.data)) if done.data else None

    return make


def near(pixel: object, wanted: tuple[int, int, int]) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(have - want) < 60 for have, want in zip(pixel, wanted, strict=True))


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "HEIF", "AVIF"])
def test_a_thumbnail_shows_the_picture_within_the_square(thumb: Thumb, form: str) -> None:
    small = thumb(encoded(form))
    assert small is not None
    assert small.size == (256, 192)
    assert near(small.convert("RGB").getpixel((20, 90)), (255, 0, 0))
    assert near(small.convert("RGB").getpixel((230, 90)), (0, 0, 255))


def test_webp_is_made_when_it_is_wanted(thumb: Thumb) -> None:
    small = thumb(encoded("JPEG"), webp=True)
    assert small is not None
    assert small.format == "WEBP"


def test_a_small_picture_is_not_enlarged(thumb: Thumb) -> None:
    small = thumb(encoded("PNG", picture(40, 30)), size=1080)
    assert small is not None
    assert small.size == (40, 30)


def test_a_picture_taken_sideways_stands_upright(thumb: Thumb) -> None:
    small = thumb(jpeg_taken("2020:01:01 10:00:00", orientation=6))
    assert small is not None
    assert small.size == (192, 256)
    assert near(small.getpixel((90, 20)), (255, 0, 0))


def test_what_is_transparent_becomes_white(thumb: Thumb) -> None:
    small = thumb(encoded("PNG", Image.new("RGBA", (50, 50), (0, 0, 0, 0))))
    assert small is not None
    assert near(small.getpixel((25, 25)), (255, 255, 255))


def test_a_thumbnail_carries_no_metadata_of_the_picture(thumb: Thumb) -> None:
    small = thumb(jpeg_taken("2020:01:01 10:00:00"))
    assert small is not None
    assert not small.getexif()


@pytest.mark.parametrize(("rotation", "red"), [(-90, (0.75, 0.25)), (90, (0.25, 0.75)), (180, (0.75, 0.75))])
def test_a_video_of_a_phone_is_upright(thumb: Thumb, tmp_path: Path, rotation: int, red: tuple[float, float]) -> None:
    small = thumb(video(tmp_path / "a.mp4", rotation=rotation).read_bytes(), "video/mp4")
    assert small is not None
    assert (small.width < small.height) == (rotation != 180)
    across, down = red
    pixel = small.convert("RGB").getpixel((int(small.width * across), int(small.height * down)))
    assert isinstance(pixel, tuple)
    assert pixel[0] > 200
    assert pixel[1] < 60


def test_a_video_shows_its_first_frame_that_is_not_black(thumb: Thumb, tmp_path: Path) -> None:
    small = thumb(video(tmp_path / "a.mp4", black_frames=4).read_bytes(), "video/mp4")
    assert small is not None
    assert small.size == (256, 192)
    assert near(small.getpixel((100, 100)), (0, 200, 0))


def test_a_pdf_shows_its_first_page(thumb: Thumb) -> None:
    small = thumb(encoded("PDF"), "application/pdf")
    assert small is not None
    assert max(small.size) == 256
    assert near(small.getpixel((20, 90)), (255, 0, 0))


def _png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))

    head = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(bytes(10_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        (b"", "image/jpeg"),
        (b"not a picture at all", "image/png"),
        (encoded("JPEG")[:200], "image/jpeg"),
        (_png_that_claims(60_000, 60_000), "image/png"),
        (b"%PDF-1.7\n%%EOF", "application/pdf"),
        (b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n", "video/mp4"),
        (b"ffconcat version 1.0\nfile /etc/passwd\n", "video/mp4"),
        (os.urandom(5000), "video/mp4"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"),
    ],
)
def test_a_broken_or_hostile_file_has_no_thumbnail(thumb: Thumb, data: bytes, mime: str) -> None:
    assert thumb(data, mime) is None


def test_a_worker_goes_on_after_a_bad_file(thumb: Thumb) -> None:
    assert thumb(b"nonsense") is None
    assert thumb(encoded("JPEG")) is not None


def _progressive_jpeg(side: int, scans: int) -> bytes:
    """A small file of that many pixels squared whose last scan comes again and again."""
    data = encoded("JPEG", Image.new("L", (64, 64)), progressive=True)
    size, last = data.index(b"\xff\xc2"), data.rindex(b"\xff\xda")
    huge = data[: size + 5] + struct.pack(">HH", side, side) + data[size + 9 :]
    return huge[:-2] + huge[last:-2] * scans + b"\xff\xd9"


@pytest.mark.whole
def test_a_file_that_keeps_a_decoder_busy_has_its_cpu_time_and_no_more(tmp_path: Path) -> None:
    """On a busy machine, too: no clock on the wall is involved."""
    path = tmp_path / "scans.jpg"
    path.write_bytes(_progressive_jpeg(3_000, 20_000))
    workers = Workers(1, wall_seconds=300)
    try:
        before = os.times()
        assert workers.run(1, ThumbnailJob(str(path), "image", "jpeg", 256, False)) is None
        after = os.times()
    finally:
        workers.close()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert used < LIGHT.cpu_seconds + 3


@pytest.mark.whole
def test_a_file_that_takes_too_long_is_cancelled(tmp_path: Path) -> None:
    """A pipe that nobody writes to stands for a file that keeps a decoder busy for ever."""
    endless = tmp_path / "endless"
    os.mkfifo(endless)
    workers = Workers(1, wall_seconds=3)
    try:
        assert workers.run(1, ThumbnailJob(str(endless), "image", "jpeg", 256, False)) is None
        good = tmp_path / "good.jpg"
        good.write_bytes(encoded("JPEG"))
        assert (workers.run(1, ThumbnailJob(str(good), "image", "jpeg", 256, False)) or MediaResult()).data
    finally:
        workers.close()


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    good = tmp_path / "good.jpg"
    good.write_bytes(encoded("JPEG"))
    job = ThumbnailJob(str(good), "image", "jpeg", 256, False)
    workers = Workers(1)
    try:
        assert (workers.run(1, job) or MediaResult()).data
        pid = workers._processes[0].pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert (workers.run(1, job) or MediaResult()).data
    finally:
        workers.close()


def taken(workers: Workers, path: Path, mime: str = "image/jpeg") -> tuple[int, int] | None:
    kind, _, subtype = mime.partition("/")
    done = workers.run(1, CaptureDateJob(str(path), kind, subtype))
    assert done is not None
    return done.taken


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("when", "offset", "expected"),
    [
        ("2019:12:31 23:30:00", None, (ms("2019-12-31T23:30:00"), 1231)),
        ("2019:12:31 23:30:00", "+02:00", (ms("2019-12-31T21:30:00"), 1231)),
        ("2020:02:29 08:00:00", "-05:00", (ms("2020-02-29T13:00:00"), 229)),
        ("0000:00:00 00:00:00", None, None),
        ("2999:01:01 00:00:00", None, None),
        ("yesterday", None, None),
    ],
)
def test_a_picture_has_the_date_it_was_taken(
    workers: Workers, tmp_path: Path, when: str, offset: str | None, expected: tuple[int, int] | None
) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(jpeg_taken(when, offset=offset))
    assert taken(workers, path) == expected


def test_a_video_has_the_date_it_was_filmed(workers: Workers, tmp_path: Path) -> None:
    path = video(tmp_path / "a.mp4", created="2018-05-17T12:00:00.000000Z")
    assert taken(workers, path, "video/mp4") == (ms("2018-05-17T12:00:00"), 517)


def test_a_file_without_metadata_has_no_date(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(encoded("PNG"))
    assert taken(workers, path, "image/png") is None
    path.write_bytes(b"broken")
    assert taken(workers, path, "image/png") is None
