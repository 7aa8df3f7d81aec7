"""The facts of a JPEG from its first bytes: size, place, and the camera's offset from UTC.

As jpeg_head.py, it runs in the serving process, looks at every byte at most once, and gives up on whatever is unusual.
"""

import struct
from typing import Final

from skyshelf.service.media.dates import offset_minutes
from skyshelf.service.media.jpeg_head import Entry, ExifReader, Undecided
from skyshelf.service.media.places import place_of
from skyshelf.storage.metadata.contracts.media_facts import MediaFacts

_SEGMENTS_MAX = 100
_EXIF = b"Exif\0\0"
_APP1, _START_OF_SCAN, _END = 0xE1, 0xDA, 0xD9
# Frames: all of C0 to CF that are not tables.
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SHORT, _RATIONAL = 3, 5
_ORIENTATION, _DETAILS, _GPS = 0x0112, 0x8769, 0x8825
_OFFSETS: Final = (0x9011, 0x9012)
_LYING: Final = frozenset({5, 6, 7, 8})


def facts_in(head: bytes) -> MediaFacts | None:
    """The facts in the first bytes of a JPEG; None where they do not hold its size."""
    at, found = 2, MediaFacts()
    is_lying = False
    try:
        for _ in range(_SEGMENTS_MAX):
            mark, kind, length = struct.unpack_from(">BBH", head, at)
            if mark != 0xFF or kind in {0x00, 0xFF, _START_OF_SCAN, _END} or length < 2:
                return None
            if kind in _FRAMES:
                height, width = struct.unpack_from(">HH", head, at + 5)
                if not width or not height:
                    return None
                shape = (height, width) if is_lying else (width, height)
                return MediaFacts(*shape, found.latitude, found.longitude, found.utc_offset)
            if kind == _APP1 and head.startswith(_EXIF, at + 4) and at + 2 + length <= len(head):
                found, is_lying = _in_exif(head[at + 4 + len(_EXIF) : at + 2 + length])
            at += 2 + length
    except struct.error:
        return None
    return None


def _in_exif(data: bytes) -> tuple[MediaFacts, bool]:
    """Without the size, and whether the picture lies on its side."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        return MediaFacts(), False
    exif = ExifReader(data, order)
    try:
        (first,) = struct.unpack_from(f"{order}I", data, 4)
        main = exif.entries(first)
    except (Undecided, struct.error):
        return MediaFacts(), False
    is_lying = _short(data, order, main.get(_ORIENTATION)) in _LYING
    latitude, longitude = _place(exif, data, order, main) or (None, None)
    return MediaFacts(None, None, latitude, longitude, _offset(exif, main)), is_lying


def _short(data: bytes, order: str, entry: Entry | None) -> int | None:
    if entry is None or entry[:2] != (_SHORT, 1):
        return None
    try:
        return int(struct.unpack_from(f"{order}H", data, entry[2])[0])
    except struct.error:
        return None


def _offset(exif: ExifReader, main: dict[int, Entry]) -> int | None:
    try:
        details = exif.entries(exif.number(main.get(_DETAILS)))
        for tag in _OFFSETS:
            found = offset_minutes(exif.text(details.get(tag)))
            if found is not None:
                return found
    except (Undecided, struct.error):
        pass
    return None


def _place(exif: ExifReader, data: bytes, order: str, main: dict[int, Entry]) -> tuple[int, int] | None:
    try:
        gps = exif.entries(exif.number(main.get(_GPS)))
        north, east = exif.text(gps.get(1)), exif.text(gps.get(3))
        return place_of(_degrees(data, order, gps.get(2)), north, _degrees(data, order, gps.get(4)), east)
    except (Undecided, struct.error):
        return None


def _degrees(data: bytes, order: str, entry: Entry | None) -> list[float]:
    if entry is None or entry[:2] != (_RATIONAL, 3):
        return []
    (at,) = struct.unpack_from(f"{order}I", data, entry[2])
    numbers = struct.unpack_from(f"{order}6I", data, at)
    return [numbers[part] / (numbers[part + 1] or 1) for part in (0, 2, 4)]
