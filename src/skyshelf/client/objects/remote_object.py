"""Files and folders as a client holds them, and the ways to name one: the object itself, its key, or its path."""

from typing import Final, TypeAlias

from msgspec import Raw, Struct, json

from skyshelf.client.engine.requests import PlannedRequest, decode
from skyshelf.client.errors import InvalidRequestError
from skyshelf.wire.error_codes import BAD_KEY
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.batch import echo
from skyshelf.wire.resources.objects import CloudObject, ObjectType

SEPARATOR: Final = "/"


class RemoteObject:
    """A file or folder, with everything that the server said about it, known to us or not.

    The names here are for people; `wire` has all fields under the names of the interface.
    """

    __slots__ = ("_raw", "wire")

    def __init__(self, raw: Raw, wire: CloudObject) -> None:
        self._raw = raw
        self.wire = wire

    @property
    def key(self) -> str:
        """The key."""
        return self.wire.object_key

    @property
    def parent_key(self) -> str | None:
        """The key of the folder that it is in."""
        return self.wire.parent_object_key

    @property
    def name(self) -> str:
        """The name as the server gives it, which need not be one that a local file can have."""
        return self.wire.object_name or ""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.wire.is_folder

    @property
    def is_file(self) -> bool:
        """Whether it is a file."""
        return self.wire.is_file

    @property
    def is_root(self) -> bool:
        """Whether it is the root, which no listing shows and which has no name."""
        return self.is_folder and self.parent_key is None and not self.name

    @property
    def size(self) -> int | None:
        """The size in bytes, where the server tells it."""
        return self.wire.size_in_bytes

    @property
    def md5(self) -> str | None:
        """The MD5 of the content in lower-case hexadecimal, where the server tells it."""
        return self.wire.hash.lower() if self.wire.hash else None

    @property
    def extension(self) -> str:
        """The extension in lower case, without its dot."""
        return self.wire.extension

    @property
    def mime(self) -> str | None:
        """The media type, such as image/jpeg."""
        parts = [part for part in (self.wire.mime_type, self.wire.mime_sub_type) if part]
        return "/".join(parts) or None

    @property
    def created_ms(self) -> int | None:
        """When the file was made, in epoch milliseconds."""
        return self.wire.file_created_date

    @property
    def modified_ms(self) -> int | None:
        """When the content was changed last, in epoch milliseconds."""
        return self.wire.last_modified_date

    @property
    def is_favorite(self) -> bool:
        """Whether it is a favourite."""
        return bool(self.wire.is_favorite)

    @property
    def source_folder(self) -> str:
        """Where a backup found it."""
        return self.wire.source_folder or ""

    def echo(self, **changes: object) -> dict[str, Raw]:
        """All fields as they were sent, some of them changed; what a batch operation wants."""
        return echo(self._raw, **changes)

    def sent(self) -> bytes:
        """The object as it was sent."""
        return bytes(self._raw)

    def detached_copy(self) -> "RemoteObject":
        """The same object with bytes of its own, to be kept for long; others hold on to the page that they came in."""
        return RemoteObject(self._raw.copy(), self.wire)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemoteObject) and bytes(self._raw) == bytes(other._raw)

    def __hash__(self) -> int:
        return hash(bytes(self._raw))

    def __repr__(self) -> str:
        kind = "folder" if self.is_folder else "file" if self.is_file else "object"
        return f"<{kind} {self.name!r} {self.key}>"


Target: TypeAlias = RemoteObject | CloudObject | str
"""What a method takes for an object: the object, its key, or its path, which begins with a slash."""


def is_path(target: Target) -> bool:
    """Whether a target is a path."""
    return isinstance(target, str) and target.startswith(SEPARATOR)


def key_of(target: RemoteObject | CloudObject | str) -> str:
    """The key of a target that is no path."""
    if isinstance(target, RemoteObject):
        return target.key
    key = target.object_key if isinstance(target, CloudObject) else target
    if not is_key(key):
        raise InvalidRequestError(
            f"{key!r} is neither a key (32 hexadecimal digits) nor a path (it begins with a slash)", code=BAD_KEY.code
        )
    return key


def remote_object(raw: Raw | bytes) -> RemoteObject:
    """An object as it came, or UnexpectedAnswerError where it is none."""
    return RemoteObject(raw if isinstance(raw, Raw) else Raw(raw), decode(CloudObject, raw))


class _Typed(Struct):
    """The objects of a page, read all at once; that is much quicker than one by one."""

    objects: list[CloudObject] | None = None


class _Sent(Struct):
    """The same objects, as they were sent."""

    objects: list[Raw] | None = None


def objects_in(body: bytes, request: PlannedRequest | None = None) -> list[RemoteObject]:
    """The objects of a page."""
    typed = decode(_Typed, body, request).objects or ()
    sent = decode(_Sent, body, request).objects or ()
    return [RemoteObject(raw, wire) for raw, wire in zip(sent, typed, strict=True)]


def root_object(key: str) -> RemoteObject:
    """The root folder, which no listing shows."""
    shown = {"objectKey": key, "objectName": "", "objectType": ObjectType.FOLDER.value}
    return remote_object(json.encode(shown))
