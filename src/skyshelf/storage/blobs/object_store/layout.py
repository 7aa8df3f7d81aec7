"""What the keys in the bucket are called, and what locations and tokens say about them.

    blobs/<sha256>-<nonce>.<size>           a blob that fits into one object
    parts/<upload id>/<offset>-<nonce>      one object of a part; the offset in 16 hex digits
    parts/<upload id>/<nonce>.<size>.parts  a manifest: a blob that consists of parts

The manifest is beside its parts, so one listing of a prefix shows all that an upload has, and a listing of all
uploads shows, without reading a single body, which of them became blobs. A part's token is <nonce>.<object size>: with
the part's offset and size it gives the keys of all its objects. Locations have no slash: they are not paths.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from skyshelf.storage.blobs.protocols import Part, new_nonce
from skyshelf.storage.blobs.streams import check_joined
from skyshelf.storage.errors import BadLocation, BlobCorrupt, StorageError

BLOBS = "blobs/"
PARTS = "parts/"

_SIZE = r"(?P<size>0|[1-9][0-9]{0,18})"
_ID = r"(?P<upload_id>[0-9a-f]{32}|[0-9A-F]{32})"
_ONE = re.compile(rf"[0-9a-f]{{64}}-[0-9a-f]{{16}}\.{_SIZE}")
_MANY = re.compile(rf"{_ID}-(?P<nonce>[0-9a-f]{{16}})\.{_SIZE}\.parts")
_BLOB_KEY = re.compile(rf"blobs/(?P<location>{_ONE.pattern})")
_MANIFEST_KEY = re.compile(rf"parts/{_ID}/(?P<name>[0-9a-f]{{16}}\.{_SIZE}\.parts)")
_PART_KEY = re.compile(rf"parts/{_ID}/[0-9a-f]{{16}}-[0-9a-f]{{16}}")
_TOKEN = re.compile(r"(?P<nonce>[0-9a-f]{16})\.(?P<object_size>[1-9][0-9]{0,18})")


@dataclass(frozen=True, slots=True)
class ParsedLocation:
    """A parsed location: its key, the blob's size, and the upload's id if it is a manifest."""

    key: str
    size: int
    upload_id: str | None


@dataclass(frozen=True, slots=True)
class ObjectOfPart:
    """One object, and where its bytes are in the content."""

    key: str
    offset: int
    size: int


def new_location(sha256: str, size: int) -> str:
    return f"{sha256}-{new_nonce()}.{size}"


def new_manifest_location(upload_id: str, size: int) -> str:
    return f"{upload_id}-{new_nonce()}.{size}.parts"


def parse_location(location: str) -> ParsedLocation:
    """BadLocation for anything that this store did not give out."""
    if match := _ONE.fullmatch(location):
        return ParsedLocation(BLOBS + location, int(match["size"]), None)
    if match := _MANY.fullmatch(location):
        upload_id, _, name = location.partition("-")
        return ParsedLocation(prefix_of(upload_id) + name, int(match["size"]), upload_id)
    raise BadLocation("This is not a location that the object store gives out.")


def location_of(key: str) -> str | None:
    """Return the location whose key this is; None for parts and for what is not ours."""
    if match := _BLOB_KEY.fullmatch(key):
        return match["location"]
    if match := _MANIFEST_KEY.fullmatch(key):
        return f"{match['upload_id']}-{match['name']}"
    return None


def upload_of(key: str) -> str | None:
    """Return the upload that a part belongs to; None for manifests and for what is not ours."""
    match = _PART_KEY.fullmatch(key)
    return match["upload_id"] if match else None


def prefix_of(upload_id: str) -> str:
    return f"{PARTS}{upload_id}/"


def new_token(object_size: int) -> str:
    return f"{new_nonce()}.{object_size}"


def part_key(upload_id: str, offset: int, token: str) -> str:
    return f"{prefix_of(upload_id)}{offset:016x}-{token[:16]}"


def objects_of(upload_id: str, part: Part) -> Iterator[ObjectOfPart]:
    """Yield the objects of a part in their order; BadLocation when this store did not give out its token."""
    step = check_token(part.token)
    for offset in range(part.offset, part.end, step):
        yield ObjectOfPart(part_key(upload_id, offset, part.token), offset, min(step, part.end - offset))


def last_object_of(upload_id: str, part: Part) -> ObjectOfPart | None:
    """Return the object that was written last; None when the part is empty."""
    step = check_token(part.token)
    if part.size <= 0:
        return None
    offset = part.offset + (part.size - 1) // step * step
    return ObjectOfPart(part_key(upload_id, offset, part.token), offset, part.end - offset)


def objects_in_range(upload_id: str, part: Part, start: int) -> Iterator[ObjectOfPart]:
    """objects_of, from the one that holds the byte at start on."""
    step = check_token(part.token)
    skipped = max(0, start - part.offset) // step * step
    rest = Part(part.offset + skipped, part.size - skipped, part.md5, part.token)
    return objects_of(upload_id, rest)


def check_token(token: str) -> int:
    """Return the object size in the token; BadLocation when this store did not give it out."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise BadLocation("This is not a token that the object store gives out.")
    return int(match["object_size"])


_FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """Never changes once it is written. The digests are for recovery from the bucket alone."""

    upload_id: str
    size: int
    md5: str
    sha256: str
    parts: tuple[Part, ...]

    def objects(self, start: int = 0) -> Iterator[ObjectOfPart]:
        """Yield the objects that hold the content, from the one with the byte at start on."""
        first = max(0, bisect_right(self.parts, start, key=lambda part: part.offset) - 1)
        begun = (objects_in_range(self.upload_id, part, start) for part in self.parts[first : first + 1])
        later = (objects_of(self.upload_id, part) for part in self.parts[first + 1 :])
        return chain.from_iterable(chain(begun, later))

    def encode(self) -> bytes:
        parts = [[part.size, part.token, part.md5] for part in self.parts]
        content = {"format": _FORMAT, "size": self.size, "md5": self.md5, "sha256": self.sha256, "parts": parts}
        return json.dumps(content, separators=(",", ":")).encode()

    @classmethod
    def decode(cls, upload_id: str, data: bytes, size: int) -> "Manifest":
        """BlobCorrupt unless it is a complete manifest of a content of that size."""
        try:
            content = json.loads(data)
            if content["format"] != _FORMAT or content["size"] != size:
                raise BlobCorrupt("A manifest is about another content, or of a kind that this version does not know.")
            parts = []
            offset = 0
            for part_size, token, md5 in content["parts"]:
                check_token(token)
                parts.append(Part(offset, int(part_size), str(md5), token))
                offset += int(part_size)
            check_joined(parts, size)
            return cls(upload_id, size, str(content["md5"]), str(content["sha256"]), tuple(parts))
        except (ValueError, KeyError, TypeError, StorageError) as error:
            raise BlobCorrupt("A manifest cannot be understood.") from error
