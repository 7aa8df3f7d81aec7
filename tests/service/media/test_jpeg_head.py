"""The date in the first bytes of a JPEG: what Pillow finds, or nothing, or left to a worker."""

import random
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image
from tests.service.pictures import encoded, jpeg_taken

from skyshelf.service.media import images
from skyshelf.service.media.capture import HEAD_BYTES, Undecided, date_in


def found_by_pillow(path: Path, data: bytes) -> tuple[int, int] | None:
    path.write_bytes(data)
    return images.taken(str(path))


def dated(date: str, **tags: str) -> bytes:
    exif = Image.Exif()
    for name, value in tags.items():
        exif[ExifTags.Base[name]] = value
    if date:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeDigitized] = date
    return encoded("JPEG", exif=exif)


@pytest.mark.parametrize(
    "data",
    [
        jpeg_taken("2019:12:31 23:30:00"),
        jpeg_taken("2019:12:31 23:30:00", offset="+02:00"),
        jpeg_taken("2019:12:31 23:30:00", offset="-99:99"),
        jpeg_taken("0000:00:00 00:00:00"),
        jpeg_taken("2999:01:01 00:00:00"),
        jpeg_taken("yesterday"),
        dated("2011:05:06 07:08:09"),
        dated("2011:05:06 07:08:09", DateTime="2012:01:01 00:00:00"),
        dated("", DateTime="2012:01:01 00:00:00", Make="a camera with a long name" * 20),
        dated("", Make="no date"),
        encoded("JPEG"),
        encoded("JPEG", progressive=True),
        encoded("JPEG", icc_profile=bytes(5000), comment=b"a comment"),
    ],
)
def test_it_finds_what_pillow_finds(tmp_path: Path, data: bytes) -> None:
    assert date_in(data[:HEAD_BYTES]) == found_by_pillow(tmp_path / "a.jpg", data)


def test_it_reads_both_byte_orders() -> None:
    def exif(order: str, mark: bytes) -> bytes:
        text = b"2020:02:03 04:05:06\0"
        body = mark + struct.pack(f"{order}IH", 8, 1) + struct.pack(f"{order}HHII", 0x0132, 2, len(text), 26)
        payload = b"Exif\0\0" + body + bytes(4) + text
        return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload + b"\xff\xd9"

    assert date_in(exif("<", b"II*\0")) == date_in(exif(">", b"MM\0*")) == (1580702706000, 203)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        b"\xff\xd8",
        b"\xff\xd8\x00\x00\x00\x00",
        b"\xff\xd8\xff\xe0\x00\x00",
        b"\xff\xd8" + b"\xff\xe0\x00\x02" * 1000,
        jpeg_taken("2019:12:31 23:30:00")[:60],
        encoded("PNG"),
        # EXIF data of another kind of file, and an offset to nowhere.
        b"\xff\xd8\xff\xe1\x00\x10Exif\0\0XX\0\0\0\0\0\0",
        b"\xff\xd8\xff\xe1\x00\x10Exif\0\0II*\0\xff\xff\xff\x7f\xff\xd9\xff\xd9",
    ],
)
def test_what_is_unusual_is_left_to_a_worker(data: bytes) -> None:
    with pytest.raises(Undecided):
        date_in(data)


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_damaged_pictures_do_no_harm(seed: int, damages: int) -> None:
    chance = random.Random(seed)
    data = bytearray(jpeg_taken("2019:12:31 23:30:00", offset="+02:00")[:400])
    for _ in range(damages):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        date = date_in(bytes(data))
    except Undecided:
        return
    assert date is None or 101 <= date[1] <= 1231
