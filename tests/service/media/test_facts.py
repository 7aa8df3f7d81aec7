"""Facts of pictures and videos: the quick reader of JPEGs finds what Pillow finds; videos say where they are from."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image
from tests.service.pictures import encoded, picture, video

from skyshelf.service.media import images, videos
from skyshelf.service.media.capture import HEAD_BYTES, facts_in, iso_6709
from skyshelf.storage.metadata.contracts.files import MediaFacts

BELEM = (38_691_600, -9_216_000)


def taken_in_belem(*, orientation: int = 1, offset: str | None = "+01:00") -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    details, gps = exif.get_ifd(ExifTags.IFD.Exif), exif.get_ifd(ExifTags.IFD.GPSInfo)
    details[ExifTags.Base.DateTimeOriginal] = "2019:07:23 10:00:00"
    if offset:
        details[ExifTags.Base.OffsetTimeOriginal] = offset
    tags = ExifTags.GPS
    gps[tags.GPSLatitudeRef], gps[tags.GPSLatitude] = "N", (38.0, 41.0, 29.76)
    gps[tags.GPSLongitudeRef], gps[tags.GPSLongitude] = "W", (9.0, 12.0, 57.6)
    return encoded("JPEG", picture(640, 480), exif=exif)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_quick_reader_finds_what_pillow_finds(tmp_path: Path, orientation: int) -> None:
    data = taken_in_belem(orientation=orientation)
    (tmp_path / "a.jpg").write_bytes(data)
    found = facts_in(data[:HEAD_BYTES])
    assert found == images.facts(str(tmp_path / "a.jpg"))
    shape = (640, 480) if orientation < 5 else (480, 640)
    assert found == MediaFacts(*shape, *BELEM, 60)


def test_a_picture_that_says_nothing_has_its_size_at_least() -> None:
    assert facts_in(encoded("JPEG", picture(30, 20))) == MediaFacts(30, 20)


def test_a_heic_and_a_png_have_their_size(tmp_path: Path) -> None:
    for form in ("HEIF", "PNG"):
        path = tmp_path / f"a.{form}"
        path.write_bytes(encoded(form, picture(64, 48)))
        assert images.facts(str(path)) == MediaFacts(64, 48)


def test_a_video_has_the_size_of_its_frames(tmp_path: Path) -> None:
    assert videos.facts(str(video(tmp_path / "a.mp4"))) == MediaFacts(320, 240)
    # A phone that was held upright.
    assert videos.facts(str(video(tmp_path / "b.mp4", rotation=-90))) == MediaFacts(240, 320)
    assert videos.facts(str(video(tmp_path / "c.mp4", rotation=180))) == MediaFacts(320, 240)


@given(cut=st.integers(0, 700), at=st.integers(0, 700), byte=st.integers(0, 255))
def test_damaged_beginnings_are_no_trouble(cut: int, at: int, byte: int) -> None:
    data = bytearray(taken_in_belem())
    data[at % len(data)] = byte
    facts = facts_in(bytes(data[: len(data) - cut]))
    assert facts is None or (facts.latitude is None) == (facts.longitude is None)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("+38.6916-009.2160+010.000/", BELEM),
        ("-33.8568+151.2153/", (-33_856_800, 151_215_300)),
        ("+00.0000+000.0000/", None),
        ("+98.0000+010.0000/", None),
        ("nowhere", None),
        (None, None),
    ],
)
def test_places_of_videos_are_read(text: str | None, place: tuple[int, int] | None) -> None:
    assert iso_6709(text) == place


def test_a_gps_of_zeros_is_no_place() -> None:
    data = io.BytesIO()
    exif = Image.Exif()
    gps = exif.get_ifd(ExifTags.IFD.GPSInfo)
    gps[ExifTags.GPS.GPSLatitudeRef], gps[ExifTags.GPS.GPSLatitude] = "N", (0.0, 0.0, 0.0)
    gps[ExifTags.GPS.GPSLongitudeRef], gps[ExifTags.GPS.GPSLongitude] = "E", (0.0, 0.0, 0.0)
    picture(8, 8).save(data, "JPEG", exif=exif)
    assert facts_in(data.getvalue()) == MediaFacts(8, 8)
