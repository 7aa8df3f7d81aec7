"""When and where something was taken: the forms in which files record it, and a JPEG's first bytes."""

import math
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from skyshelf.storage.metadata.contracts.files import MICRODEGREES, MediaFacts

CaptureTime = tuple[int, int]
"""Epoch milliseconds, and month and day by the camera's clock (1231 is 31 December)."""

_EXIF_TIME = re.compile(r"^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
_OFFSET = re.compile(r"^([+-])(\d\d):(\d\d)$", re.ASCII)
Place = tuple[int, int]
"""Latitude and longitude in millionths of a degree."""

# ISO 6709, as phones write it into videos: +38.7223-009.1393+010.000/
_ISO_6709 = re.compile(r"^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)", re.ASCII)


def exif_date(text: object, offset: object) -> CaptureTime | None:
    """Parse a date as cameras write it; in UTC if it has no offset."""
    match = _EXIF_TIME.match(text) if isinstance(text, str) else None
    if match is None:
        return None
    try:
        zone = timezone(timedelta(minutes=offset_minutes(offset) or 0))
        return as_taken(datetime(*map(int, match.groups()), tzinfo=zone))  # type: ignore[arg-type, misc]
    except (ValueError, OverflowError):
        return None


def offset_minutes(offset: object) -> int | None:
    """Parse a clock's offset from UTC as cameras write it."""
    shift = _OFFSET.match(offset.strip("\0 ")) if isinstance(offset, str) else None
    if shift is None:
        return None
    minutes = int(shift[2]) * 60 + int(shift[3])
    return -minutes if shift[1] == "-" else minutes


def as_taken(moment: datetime) -> CaptureTime | None:
    """Convert a date; None if it is before photography or in the future, as from a clock that was never set."""
    if not moment.year >= 1826 or moment > datetime.now(UTC) + timedelta(days=2):
        return None
    return round(moment.timestamp() * 1000), moment.month * 100 + moment.day


def place_of(
    latitude: Sequence[float], north_or_south: object, longitude: Sequence[float], east_or_west: object
) -> Place | None:
    """Convert degrees, minutes and seconds, and the letters of their hemispheres."""
    if len(latitude) != 3 or len(longitude) != 3:
        return None
    north = -1 if str(north_or_south).upper().startswith("S") else 1
    east = -1 if str(east_or_west).upper().startswith("W") else 1
    return _checked(north * _decimal(latitude), east * _decimal(longitude))


def iso_6709(text: str | None) -> Place | None:
    """Parse the text that videos have."""
    match = _ISO_6709.match(text.strip()) if text else None
    return None if match is None else _checked(float(match[1]), float(match[2]))


def _decimal(parts: Sequence[float]) -> float:
    degrees, minutes, seconds = parts
    return degrees + minutes / 60 + seconds / 3600


def _checked(latitude: float, longitude: float) -> Place | None:
    """Return None for positions that are not on Earth, and for 0, 0, which devices write if they do not know."""
    if not (math.isfinite(latitude) and math.isfinite(longitude)):
        return None
    if abs(latitude) > 90 or abs(longitude) > 180 or (latitude == 0 and longitude == 0):
        return None
    return round(latitude * MICRODEGREES), round(longitude * MICRODEGREES)


# The capture date, place and size of a JPEG, read from its first bytes.
#
# Almost all pictures are JPEGs with their metadata at the beginning, and reading it there is so little work that it
# need not wait for a worker. This is the only parser of pictures in the serving process: it looks at every byte at most
# once, copies nothing but the values it needs, and leaves anything unusual to the workers.

HEAD_BYTES: Final = 128 * 1024
_SEGMENTS_MAX = 100
_ENTRIES_MAX = 500
_TEXT_MAX = 64

_EXIF = b"Exif\0\0"
_APP1, _START_OF_SCAN, _END = 0xE1, 0xDA, 0xD9
_ASCII, _LONG = 2, 4
_DATE, _DETAILS = 0x0132, 0x8769
# The date and its offset from UTC: of the original, then of its digitisation.
_DATES: Final = ((0x9003, 0x9011), (0x9004, 0x9012))
# Frames: all of C0 to CF that are not tables.
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SHORT, _RATIONAL = 3, 5
_ORIENTATION, _GPS = 0x0112, 0x8825
_OFFSETS: Final = (0x9011, 0x9012)
_LYING: Final = frozenset({5, 6, 7, 8})


class Undecided(Exception):
    """These bytes do not say whether there is a date."""


def _segments(head: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the kind of each segment, and where its content begins and ends."""
    at = 2
    for _ in range(_SEGMENTS_MAX):
        mark, kind, length = struct.unpack_from(">BBH", head, at)
        if mark != 0xFF or kind in {0x00, 0xFF} or length < 2:
            raise Undecided
        yield kind, at + 4, at + 2 + length
        at += 2 + length
    raise Undecided


def date_in(head: bytes) -> CaptureTime | None:
    """Return the date in the first bytes of a JPEG, or None if it certainly has none."""
    if head[:2] != b"\xff\xd8":
        raise Undecided
    seen = False
    try:
        for kind, start, end in _segments(head):
            if kind in {_START_OF_SCAN, _END}:
                return None
            if kind == _APP1 and head.startswith(_EXIF, start):
                if seen or end > len(head):
                    raise Undecided
                seen = True
                found = _date_in_exif(ExifReader(head[start + len(_EXIF) : end]))
                if found is not None:
                    return found
    except struct.error as problem:
        raise Undecided from problem
    raise Undecided


def _date_in_exif(exif: "ExifReader") -> CaptureTime | None:
    details = exif.entries(exif.number(exif.main.get(_DETAILS))) if _DETAILS in exif.main else {}
    for date, offset in _DATES:
        found = exif_date(exif.text(details.get(date)), exif.text(details.get(offset)))
        if found is not None:
            return found
    return exif_date(exif.text(exif.main.get(_DATE)), None)


Entry = tuple[int, int, int]
"""Type, count, and the position of the value or its offset."""


class ExifReader:
    """Reads entries of EXIF data; Undecided for anything unusual."""

    def __init__(self, data: bytes) -> None:
        order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
        if order is None:
            raise Undecided
        self._data = data
        self._order = order
        self.main = self.entries(*self._values("I", 4))

    def _values(self, form: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(f"{self._order}{form}", self._data, at)

    def entries(self, at: int) -> dict[int, Entry]:
        (count,) = self._values("H", at)
        if count > _ENTRIES_MAX:
            raise Undecided
        found: dict[int, Entry] = {}
        for number in range(count):
            place = at + 2 + 12 * number
            tag, kind, values = self._values("HHI", place)
            found[tag] = (kind, values, place + 8)
        return found

    def number(self, entry: Entry | None) -> int:
        if entry is None or entry[:2] != (_LONG, 1):
            raise Undecided
        return self._values("I", entry[2])[0]

    def text(self, entry: Entry | None) -> str | None:
        if entry is None or entry[0] != _ASCII:
            return None
        _, length, at = entry
        if length > 4:
            (at,) = self._values("I", at)
        if length > _TEXT_MAX or at + length > len(self._data):
            raise Undecided
        return self._data[at : at + length].rstrip(b"\0").decode("latin-1")

    def is_lying(self) -> bool:
        """Whether the picture lies on its side."""
        entry = self.main.get(_ORIENTATION)
        return entry is not None and entry[:2] == (_SHORT, 1) and self._values("H", entry[2])[0] in _LYING

    def degrees(self, entry: Entry | None) -> list[float]:
        if entry is None or entry[:2] != (_RATIONAL, 3):
            return []
        numbers = self._values("6I", *self._values("I", entry[2]))
        return [numbers[part] / (numbers[part + 1] or 1) for part in (0, 2, 4)]


def facts_in(head: bytes) -> MediaFacts | None:
    """Return the facts in the first bytes of a JPEG; None if they do not include its size."""
    found, is_lying = MediaFacts(), False
    with suppress(Undecided, struct.error):
        for kind, start, end in _segments(head):
            if kind in {_START_OF_SCAN, _END}:
                return None
            if kind in _FRAMES:
                height, width = struct.unpack_from(">HH", head, start + 1)
                if not width or not height:
                    return None
                shape = (height, width) if is_lying else (width, height)
                return MediaFacts(*shape, found.latitude, found.longitude, found.utc_offset)
            if kind == _APP1 and head.startswith(_EXIF, start) and end <= len(head):
                found, is_lying = _in_exif(head[start + len(_EXIF) : end])
    return None


def _in_exif(data: bytes) -> tuple[MediaFacts, bool]:
    """Return the facts without the size, and whether the picture lies on its side."""
    is_lying, place, offset = False, None, None
    with suppress(Undecided, struct.error):
        exif = ExifReader(data)
        with suppress(struct.error):
            is_lying = exif.is_lying()
        with suppress(Undecided, struct.error):
            place = _place(exif)
        offset = _offset(exif)
    latitude, longitude = place or (None, None)
    return MediaFacts(None, None, latitude, longitude, offset), is_lying


def _offset(exif: ExifReader) -> int | None:
    details = exif.entries(exif.number(exif.main.get(_DETAILS)))
    offsets = (offset_minutes(exif.text(details.get(tag))) for tag in _OFFSETS)
    return next((found for found in offsets if found is not None), None)


def _place(exif: ExifReader) -> tuple[int, int] | None:
    gps = exif.entries(exif.number(exif.main.get(_GPS)))
    north, east = exif.text(gps.get(1)), exif.text(gps.get(3))
    return place_of(exif.degrees(gps.get(2)), north, exif.degrees(gps.get(4)), east)
