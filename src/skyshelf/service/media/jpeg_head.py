"""The capture date of a JPEG, from its first bytes.

Almost all pictures are JPEGs with their date at the beginning, and reading it there is so little work that it need not
wait for a worker. It is the only parser of pictures in the serving process: it looks at every byte at most once, copies
none but those of dates, and leaves whatever is unusual to the workers.
"""

import struct
from typing import Final

from skyshelf.service.media.dates import Taken, exif_date

HEAD_BYTES: Final = 128 * 1024
_SEGMENTS_MAX = 100
_ENTRIES_MAX = 500
_TEXT_MAX = 64

_EXIF = b"Exif\0\0"
_APP1, _START_OF_SCAN, _END = 0xE1, 0xDA, 0xD9
_ASCII, _LONG = 2, 4
_DATE, _DETAILS = 0x0132, 0x8769
# Of the original, then of its digitisation: the date, and its offset from UTC.
_DATES: Final = ((0x9003, 0x9011), (0x9004, 0x9012))


class Undecided(Exception):
    """These bytes do not say whether there is a date."""


def date_in(head: bytes) -> Taken | None:
    """The date in the first bytes of a JPEG, or None where it certainly has none."""
    if head[:2] != b"\xff\xd8":
        raise Undecided
    at, seen = 2, False
    try:
        for _ in range(_SEGMENTS_MAX):
            mark, kind, length = struct.unpack_from(">BBH", head, at)
            if mark != 0xFF or kind in {0x00, 0xFF} or length < 2:
                raise Undecided
            if kind in {_START_OF_SCAN, _END}:
                return None
            if kind == _APP1 and head.startswith(_EXIF, at + 4):
                if seen or at + 2 + length > len(head):
                    raise Undecided
                seen = True
                found = _date_in_exif(head, at + 4 + len(_EXIF), at + 2 + length)
                if found is not None:
                    return found
            at += 2 + length
    except struct.error as problem:
        raise Undecided from problem
    raise Undecided


def _date_in_exif(head: bytes, start: int, end: int) -> Taken | None:
    """The date in the EXIF data between start and end."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(head[start : start + 4])
    if order is None:
        raise Undecided
    exif = ExifReader(head[start:end], order)
    (first,) = struct.unpack_from(f"{order}I", exif.data, 4)
    main = exif.entries(first)
    details = exif.entries(exif.number(main.get(_DETAILS))) if _DETAILS in main else {}
    for date, offset in _DATES:
        found = exif_date(exif.text(details.get(date)), exif.text(details.get(offset)))
        if found is not None:
            return found
    return exif_date(exif.text(main.get(_DATE)), None)


Entry = tuple[int, int, int]
"""Type, count, and where the value or its offset is."""


class ExifReader:
    """Reads entries of EXIF data; Undecided for what is unusual."""

    def __init__(self, data: bytes, order: str) -> None:
        self.data = data
        self._order = order

    def entries(self, at: int) -> dict[int, Entry]:
        (count,) = struct.unpack_from(f"{self._order}H", self.data, at)
        if count > _ENTRIES_MAX:
            raise Undecided
        found: dict[int, Entry] = {}
        for number in range(count):
            place = at + 2 + 12 * number
            tag, kind, values = struct.unpack_from(f"{self._order}HHI", self.data, place)
            found[tag] = (kind, values, place + 8)
        return found

    def number(self, entry: Entry | None) -> int:
        if entry is None or entry[:2] != (_LONG, 1):
            raise Undecided
        (value,) = struct.unpack_from(f"{self._order}I", self.data, entry[2])
        return int(value)

    def text(self, entry: Entry | None) -> str | None:
        if entry is None or entry[0] != _ASCII:
            return None
        _, length, at = entry
        if length > 4:
            (at,) = struct.unpack_from(f"{self._order}I", self.data, at)
        if length > _TEXT_MAX or at + length > len(self.data):
            raise Undecided
        return self.data[at : at + length].rstrip(b"\0").decode("latin-1")
