"""Signs that a content was encrypted by somebody else: cheap, and known when it arrives.

A content looks scrambled if its first KiB contains nearly every byte value, as random bytes do, and begins like no
known format. That alone means little: archives and keys look like that. It counts when such a content replaces a file
whose name says that it is a text, a picture, a document or any other known type.
"""

from typing import Final

from skyshelf.wire.names import split_mime

_FEWEST: Final = 256
"""In fewer bytes, too few values occur to tell random ones from others."""
_SHARE: Final = 0.94
_UNKNOWN: Final = ("application", "octet-stream")

# How known formats begin, at an offset.
_BEGINNINGS: Final = (
    b"\xff\xd8\xff",  # JPEG
    b"\x89PNG",
    b"GIF8",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"RIFF",
    b"%PDF",
    b"PK\x03\x04",  # ZIP, and documents of office programs
    b"PK\x05\x06",
    b"\xd0\xcf\x11\xe0",  # older documents of office programs
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf\x27\x1c",
    b"\x28\xb5\x2f\xfd",
    b"Rar!",
    b"ID3",
    b"\xff\xfb",
    b"\xff\xf3",
    b"\xff\xf2",
    b"\xff\xf1",
    b"\xff\xf9",
    b"fLaC",
    b"OggS",
    b"\x1aE\xdf\xa3",  # Matroska
    b"\x00\x00\x01\xb3",
    b"\x00\x00\x01\xba",
    b"FLV",
    b"SQLite format 3",
    b"8BPS",
    b"\x7fELF",
    b"MZ",
    b"wOFF",
    b"wOF2",
    b"\x00\x01\x00\x00",
    b"OTTO",
    b"%!PS",
    b"\x00asm",
    b"-----BEGIN",
)
_AFTER_FOUR: Final = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"jP  ")
_AT_257: Final = b"ustar"


def looks_scrambled(name: str, head: bytes) -> bool:
    """Whether the content of a file with that name is none of its type, as far as its first bytes show."""
    return is_known_type(name) and _is_random(head) and not _begins_like_a_format(head)


def hides_type(name: str, new_name: str) -> bool:
    """Whether a new name takes a known type from a file, as `report.docx.locked` does."""
    return is_known_type(name) and not is_known_type(new_name)


def is_known_type(name: str) -> bool:
    return split_mime(name) != _UNKNOWN


def _is_random(head: bytes) -> bool:
    count = len(head)
    if count < _FEWEST:
        return False
    expected = 256 * (1 - (255 / 256) ** count)
    return len(set(head)) >= _SHARE * expected


def _begins_like_a_format(head: bytes) -> bool:
    return head.startswith(_BEGINNINGS) or head[4:8] in _AFTER_FOUR or head[257:262] == _AT_257
