"""What is looked at of a content as it arrives, and whether that looks as if somebody else had encrypted it.

The bytes pass by once, so pieces of them are kept: the beginning, the end, and a few of the middle, at places that need
no size to be known. They are at most 3.5 KiB, whatever the size.
"""

from typing import Final, NamedTuple

from skyshelf.wire.names import split_mime

_HEAD: Final = 1024
_TAIL: Final = 512
_PIECE: Final = 256
_PIECES: Final = 8
_FIRST: Final = 1061
"""Where the first piece is. Each later one is half as far again, so no period of a content meets them all."""


class Sample(NamedTuple):
    """Parts of a content; empty where nobody has seen its bytes."""

    head: bytes = b""
    middle: tuple[bytes, ...] = ()
    tail: bytes = b""

    def with_block(self, offset: int, block: bytes | bytearray | memoryview) -> "Sample":
        """Return the sample with the next bytes of the content, which begin at that offset."""
        head, middle, end = self.head, self.middle, offset + len(block)
        if offset < _HEAD:
            head += bytes(block[: _HEAD - offset])
        at = _FIRST
        while at < end:
            if at >= offset:
                middle = (*middle[1 - _PIECES :], bytes(block[at - offset : at - offset + _PIECE]))
            at += at >> 1
        tail = bytes(block[-_TAIL:])
        return Sample(head, middle, tail if len(tail) == _TAIL else (self.tail + tail)[-_TAIL:])


UNSEEN: Final = Sample()
_UNKNOWN: Final = ("application", "octet-stream")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OLD_OFFICE: Final = (b"\xd0\xcf\x11\xe0",)
_BOXES: Final = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"jP  ", b"JXL ")
_PICTURES: Final = (
    b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"II", b"MM\0", b"RIFF", b"8BPS", b"\0\0\1\0", b"FUJIFILM",
    b"\xff\x0a",
)  # fmt: skip
_MEDIA: Final = (
    b"RIFF", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xf1", b"\xff\xf9", b"fLaC", b"OggS",
    b"\x1aE\xdf\xa3", b"\x00\x00\x01\xb3", b"\x00\x00\x01\xba", b"FLV", b"FORM", b"MThd", b"#!AMR",
    b"\x30\x26\xb2\x75",
)  # fmt: skip
_OTHERS: Final = (
    b"%PDF", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!",
    b"SQLite format 3", b"\x7fELF", b"MZ", b"wOFF", b"wOF2", b"\x00\x01\x00\x00", b"OTTO", b"%!PS", b"\x00asm",
    b"-----BEGIN",
)  # fmt: skip
_ANY: Final = (*_ZIP, *_OLD_OFFICE, *_PICTURES, *_MEDIA, *_OTHERS)
_AT_257: Final = b"ustar"
# How the content of a name begins, by its type and subtype or by its type; anything known where neither is here.
_BEGINNINGS: Final = {"image": _PICTURES, "audio": _MEDIA, "video": _MEDIA, "application/pdf": (b"%PDF",)}
_OFFICE: Final = (*_ZIP, *_OLD_OFFICE)
_ENDINGS: Final = {b"PK\x03\x04": b"PK\x05\x06", b"\x89PNG": b"IEND", b"\xff\xd8\xff": b"\xff\xd9", b"%PDF": b"%%EOF"}
"""How a content ends that begins in some way."""
_TEXTS: Final = ("json", "xml", "yaml", "toml", "rtf", "rfc822")
_TEXT_BYTES: Final = bytes([0, 8, 9, 10, 12, 13, 27, *range(32, 256)])
"""Bytes that texts have, in any encoding; the others are control characters."""
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
"""The beginnings of texts in UTF-16, where any byte may occur."""
_MPEG: Final = b"GG"
"""Films have the ending of TypeScript, too: packets of 188 bytes, each with that first byte."""
_CONTROLS: Final = 4
"""Different control characters in one piece, from which on it is no text."""
_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=\r\n"
_BASE64_DIFFERENT: Final = 40
_FEWEST: Final = 256
"""In fewer bytes, too few values occur to tell random ones from others."""
_SHARE: Final = 0.94
_BLANK: Final = 4
"""Different bytes in all that was seen of a content, up to which it says nothing."""
_PRINTED: Final = bytes([10, 13, *range(33, 127)])
"""What encoded bytes consist of, in hex or base 85: printable characters without blanks."""
_SEPARATORS: Final = b",;"
_SEPARATED: Final = 0.05
"""Tables have more of these."""


def is_known_type(name: str) -> bool:
    return split_mime(name) != _UNKNOWN


def hides_type(name: str, new_name: str) -> bool:
    """Return whether a new name takes a known type from a file, as `report.docx.locked` does."""
    return is_known_type(name) and not is_known_type(new_name)


def looks_sealed(name: str, sample: Sample) -> bool:
    """Return whether a new file looks like the encrypted copy of another: by its type, or the one that it hides."""
    shown = name if is_known_type(name) else name.removesuffix(f".{name.rpartition('.')[2]}")
    return looks_scrambled(shown, sample)


def looks_scrambled(name: str, sample: Sample) -> bool:
    """Return whether the content of a file with that name is none of its type, as far as the sample shows.

    A text has control characters, or is nothing but Base64. Anything else is random where it should begin as its type
    does, or random where it should end as it began. Compressed contents are random in between, encrypted or not.
    """
    kind, subtype = split_mime(name)
    head = sample.head
    if (kind, subtype) == _UNKNOWN:
        return False
    if _is_base64(head):
        return True
    if kind in {"text", "message"} or subtype.endswith(_TEXTS):
        return _has_controls(sample) and not head.startswith(_WIDE) and head[:189:188] != _MPEG
    if not _begins_like(_beginnings(kind, subtype), head):
        return _is_random(head) or _is_encoded(head)
    ending = next((ending for beginning, ending in _ENDINGS.items() if head.startswith(beginning)), None)
    return ending is not None and ending not in sample.tail and _is_random(sample.tail)


def is_blank(name: str, sample: Sample) -> bool:
    """Return whether nothing is left of a file of a known type but one short pattern, such as zero bytes."""
    values = set(sample.head).union(sample.tail, *sample.middle)
    return is_known_type(name) and len(sample.head) >= _FEWEST and len(values) <= _BLANK


def _beginnings(kind: str, subtype: str) -> tuple[bytes, ...]:
    if subtype.startswith(("vnd.openxml", "vnd.oasis", "epub", "vnd.ms-", "msword", "zip", "java-archive")):
        return _OFFICE
    return _BEGINNINGS.get(f"{kind}/{subtype}") or _BEGINNINGS.get(kind, _ANY)


def _begins_like(beginnings: tuple[bytes, ...], head: bytes) -> bool:
    return head.startswith(beginnings) or (
        beginnings in (_PICTURES, _MEDIA, _ANY) and (head[4:8] in _BOXES or head[257:262] == _AT_257)
    )


def _has_controls(sample: Sample) -> bool:
    pieces = (
        *(sample.head[at : at + _PIECE] for at in range(0, len(sample.head), _PIECE)),
        *sample.middle,
        sample.tail,
    )
    return any(len(set(piece.translate(None, _TEXT_BYTES))) >= _CONTROLS for piece in pieces)


def _is_base64(head: bytes) -> bool:
    # Nearly every content has another byte among its first ones.
    return (
        len(head) >= _FEWEST
        and not head[:64].translate(None, _BASE64)
        and not head.translate(None, _BASE64)
        and len(set(head)) >= _BASE64_DIFFERENT
    )


def _is_encoded(head: bytes) -> bool:
    """Return whether a beginning is text as no person writes it, which hides that it is random."""
    separators = len(head) - len(head.translate(None, _SEPARATORS))
    return len(head) >= _FEWEST and not head.translate(None, _PRINTED) and separators <= _SEPARATED * len(head)


def _is_random(part: bytes) -> bool:
    count = len(part)
    if count < _FEWEST:
        return False
    expected = 256 * (1 - (255 / 256) ** count)
    return len(set(part)) >= _SHARE * expected
