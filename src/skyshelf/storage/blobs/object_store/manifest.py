"""The small object that lists the parts of a large blob."""

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from skyshelf.storage.blobs.object_store.layout import ObjectOfPart, check_token, objects_in_range, objects_of
from skyshelf.storage.blobs.records import Part
from skyshelf.storage.blobs.streams import check_joined
from skyshelf.storage.errors import BlobCorrupt, StorageError

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
        """The objects that hold the content, from the one with the byte at start on."""
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
