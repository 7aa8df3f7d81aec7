"""Objects as wire JSON, encoded once, when they are written, and stored beside their columns.

A page of 2,000 objects is then a join of bytes. URLs depend on the request's origin, so the stored JSON has one byte
instead of the origin that JSON can never contain unescaped; render_urls replaces it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, overload

import msgspec

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.objects import CloudObject

BASE_URL_PLACEHOLDER = b"\x01"
_ESCAPED_MARK = b'"\\u0001'
_RAW_MARK = b'"\x01'
_URL_FIELDS = (b'"url":', b'"imageTranscodeUrl":')
_MARKS = [(field + _ESCAPED_MARK, field + _RAW_MARK) for field in _URL_FIELDS]

ENCODING_VERSION: Final = 2
"""The version of the bytes that encode_object writes; every row says which one it was encoded by.

Raise it by one in every release that encodes any object differently: a field more, less, renamed or reordered, another
URL, another format of a value. Rows of other versions are then encoded from their columns when they are read, and a
background job rewrites them. tests/storage/metadata/test_wire_cache.py fails until it is raised.
"""

_encoder = msgspec.json.Encoder()


class _ShownToOthers(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """The fields of a file that people other than its owner may see.

    Its folder, flags, origin and history are the owner's alone.
    """

    object_key: str
    object_name: str | None = None
    display_name: str | None = None
    object_type: str | None = None
    size_in_bytes: int | None = None
    mime_type: str | None = None
    mime_sub_type: str | None = None
    hash: str | None = None
    file_created_date: int | None = None
    last_modified_date: int | None = None
    status: str | None = None
    url: str | None = None
    image_transcode_url: str | None = None


_shown_to_others = msgspec.json.Decoder(_ShownToOthers)


def wire_object(stored: StoredObject, origin: str) -> CloudObject:
    """Return the object on the wire, with URLs under the origin."""
    key = stored.object_key
    is_file = not stored.is_folder
    return CloudObject(
        object_key=key,
        parent_object_key=stored.parent_key,
        parent_object_type="FR" if stored.parent_key else None,
        object_name=stored.name,
        display_name=stored.name,
        object_type="FE" if is_file else "FR",
        size_in_bytes=stored.size,
        mime_type=stored.mime_type,
        mime_sub_type=stored.mime_subtype,
        source_folder=stored.source_folder,
        hash=stored.md5,
        file_created_date=stored.file_created_at,
        last_modified_date=stored.last_modified_at,
        created_date=stored.created_at,
        last_updated_date=stored.updated_at,
        status=stored.status,
        is_hidden=stored.is_hidden,
        is_locked=stored.is_locked,
        is_readonly=stored.is_readonly,
        is_favorite=stored.is_favorite,
        is_executable=stored.is_executable or None,
        url=f"{origin}/download/files/{key}" if is_file else None,
        image_transcode_url=f"{origin}/download/avimages/{key}" if has_thumbnail(stored) else None,
        version=stored.version,
        latest_version=stored.version,
        source_name=stored.source_name,
    )


def has_thumbnail(stored: StoredObject) -> bool:
    """Return whether it is of a kind that has thumbnails; a broken file may still have none."""
    return not stored.is_folder and (
        stored.mime_type in {"image", "video"} or (stored.mime_type, stored.mime_subtype) == ("application", "pdf")
    )


def encode_object(stored: StoredObject) -> bytes:
    """Return the JSON that is stored beside the columns."""
    return _with_marks(_encoder.encode(wire_object(stored, "\x01")))


class _ObjectKey(msgspec.Struct, rename="camel"):
    object_key: str


def key_in(encoded: bytes) -> str:
    """Return the key of an encoded object."""
    return msgspec.json.decode(render_urls(encoded, ""), type=_ObjectKey).object_key


def encoded_for_others(encoded: bytes) -> bytes:
    """Return an encoded file as other people see it."""
    for escaped, marked in _MARKS:
        encoded = encoded.replace(marked, escaped)
    return _with_marks(_encoder.encode(_shown_to_others.decode(encoded)))


def _with_marks(encoded: bytes) -> bytes:
    # Quotes inside JSON strings are escaped, so these two patterns can only be the URL fields.
    for escaped, marked in _MARKS:
        encoded = encoded.replace(escaped, marked)
    return encoded


def render_urls(encoded: bytes, origin: str) -> bytes:
    """One encoded object, or many joined, with the URLs filled in. The origin is scheme, host and port alone."""
    return encoded.replace(BASE_URL_PLACEHOLDER, _encoder.encode(origin)[1:-1])


BETWEEN: Final = b",\n"
"""Stands between two objects. JSON escapes a line break, so there is none within an object."""


class EncodedObjects(Sequence[bytes]):
    """The JSON of each object of a page, in order, as it comes from the database: one piece of bytes.

    A page of thousands is read and sent without being taken apart: that would take as long as reading it.
    """

    __slots__ = ("_count", "_objects", "joined")

    def __init__(self, joined: bytes, count: int) -> None:
        self.joined = joined
        self._count = count
        self._objects: list[bytes] | None = None

    @classmethod
    def of(cls, objects: Iterable[bytes]) -> "EncodedObjects":
        each = list(objects)
        return cls(BETWEEN.join(each), len(each))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if self._objects is None:
            self._objects = self.joined.split(BETWEEN) if self._count else []
        return self._objects[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"EncodedObjects({list(self)!r})"

    __hash__ = None  # type: ignore[assignment]

    @property
    def last(self) -> bytes:
        """The last object; there must be one."""
        return self.joined.rpartition(BETWEEN)[2]

    def without_last(self) -> "EncodedObjects":
        return EncodedObjects(self.joined[: max(0, self.joined.rfind(BETWEEN))], self._count - 1)

    @property
    def json(self) -> bytes:
        """All of them as a JSON array."""
        return b"".join((b"[", self.joined, b"]"))


NO_OBJECTS: Final = EncodedObjects(b"", 0)
