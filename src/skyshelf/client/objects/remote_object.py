"""Files and folders as the client represents them, and targets: the object itself, its key, or its path."""

import re
from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Raw, Struct, json

from skyshelf.client.engine.requests import decode, refuse_repeated_members
from skyshelf.client.errors import InvalidRequestError
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.wire.error_codes import BAD_KEY
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.batch import echo
from skyshelf.wire.resources.objects import CloudObject, ObjectType

SEPARATOR: Final = "/"
# No encoder escapes these letters, but an escape can hide a member's name.
_ESCAPED_LETTER: Final = re.compile(rb"\\u00[4-7]")
_MD5: Final = re.compile(r"[0-9a-fA-F]{32}")


_Value = TypeVar("_Value")


class _WireField(property, Generic[_Value]):
    """A field as the server sent it, or `missing` where it did not."""

    def __init__(self, name: str, meaning: str, missing: _Value | None = None) -> None:
        sent = attrgetter(f"wire.{name}")
        super().__init__(sent if missing is None else lambda found: sent(found) or missing)
        self.__doc__ = meaning

    if TYPE_CHECKING:

        def __get__(self, found: object, kind: type | None = None, /) -> _Value: ...  # type: ignore[override]


class RemoteObject:
    """A file or folder, with everything that the server sent about it, known to us or not.

    The properties have readable names, and those of the interface beside them; `wire` has all fields.
    """

    __slots__ = ("_number", "_source", "wire")

    def __init__(self, source: "Raw | _PageBytes", wire: CloudObject, number: int = 0) -> None:
        self._source = source
        self._number = number
        self.wire = wire

    key = _WireField[str]("object_key", "The key.")
    parent_key = _WireField[str | None]("parent_object_key", "The key of the folder that it is in.")
    is_folder = _WireField[bool]("is_folder", "Whether it is a folder.")
    is_file = _WireField[bool]("is_file", "Whether it is a file.")
    size = _WireField[int | None]("size_in_bytes", "The size in bytes, where the server sends it.")
    extension = _WireField[str]("extension", "The extension in lower case, without its dot.")
    created_ms = _WireField[int | None]("file_created_date", "When the file was created, in epoch milliseconds.")
    modified_ms = _WireField[int | None](
        "last_modified_date", "When the content was last changed, in epoch milliseconds."
    )
    is_favorite = _WireField[bool]("is_favorite", "Whether it is a favourite.", False)
    is_executable = _WireField[bool]("is_executable", "Whether it may be run as a program.", False)
    source_folder = _WireField[str]("source_folder", "The folder that it was backed up from.", "")

    @property
    def name(self) -> str:
        """The name as the server sends it; a local file may not be able to have it."""
        return self.wire.object_name or ""

    @property
    def is_root(self) -> bool:
        """Whether it is the root folder, which has no name and is in no listing."""
        return self.is_folder and self.parent_key is None and not self.name

    @property
    def md5(self) -> str | None:
        """The MD5 of the content in lower-case hexadecimal, where the server sends it."""
        return md5_in(self.wire.hash)

    @property
    def mime(self) -> str | None:
        """The media type, such as image/jpeg."""
        return self.wire.mime

    object_key = _WireField[str]("object_key", "The key: the interface's name of `key`.")
    parent_object_key = _WireField[str | None](
        "parent_object_key", "The key of its folder: the interface's name of `parent_key`."
    )
    object_type = _WireField[str | None]("object_type", "`FE` for a file, `FR` for a folder; others are possible.")
    size_in_bytes = _WireField[int | None]("size_in_bytes", "The size: the interface's name of `size`.")
    mime_type = _WireField[str | None]("mime_type", "The first part of the media type, such as image.")
    mime_sub_type = _WireField[str | None]("mime_sub_type", "The second part of the media type, such as jpeg.")
    hash = _WireField[str | None]("hash", "The MD5 of the content as the server sends it; `md5` has it in lower case.")
    file_created_date = _WireField[int | None](
        "file_created_date", "When the file was created: the interface's name of `created_ms`."
    )
    last_modified_date = _WireField[int | None](
        "last_modified_date", "When the content was last changed: the interface's name of `modified_ms`."
    )
    status = _WireField[str | None]("status", "`A` for active, `T` for trashed.")
    url = _WireField[str | None]("url", "Where the content can be downloaded, where the server sends it.")
    image_transcode_url = _WireField[str | None](
        "image_transcode_url", "Where a thumbnail can be downloaded, where the server sends it."
    )
    version = _WireField[int | None]("version", "The number of the current version.")
    source_name = _WireField[str | None]("source_name", "Where it comes from: `DRIVE` and others.")
    object_name = _WireField[str]("object_name", "The name: the interface's name of `name`.", "")
    is_hidden = _WireField[bool]("is_hidden", "Whether it is hidden.", False)
    is_locked = _WireField[bool]("is_locked", "Whether it is locked.", False)
    is_readonly = _WireField[bool]("is_readonly", "Whether it must not be changed.", False)

    def echo(self, **changes: object) -> dict[str, Raw]:
        """Return all fields as the server sent them, with changes, as a batch operation needs them."""
        return echo(self._raw(), **changes)

    def sent(self) -> bytes:
        """Return the object's JSON as the server sent it."""
        return bytes(self._raw())

    def detached_copy(self) -> "RemoteObject":
        """Return a copy to keep for long: the original keeps its whole page in memory."""
        return RemoteObject(self._raw().copy(), self.wire)

    def _raw(self) -> Raw:
        return self._source if isinstance(self._source, Raw) else self._source.raw(self._number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemoteObject) and self.sent() == other.sent()

    def __hash__(self) -> int:
        return hash(self.sent())

    def __repr__(self) -> str:
        kind = "folder" if self.is_folder else "file" if self.is_file else "object"
        return f"<{kind} {self.name!r} {self.key}>"


class FoundObject(NamedTuple):
    """An object and where it was found: by a walk, a search, or a path.

    `parts` are the names that lead to it from where the search began; a name may contain any character. They are empty
    for the root, and for an object that was looked up by its key.
    """

    parts: tuple[str, ...]
    object: RemoteObject
    folder_key: str
    """The key of the folder that it is in; empty where it is not known."""

    @property
    def path(self) -> str:
        """The path from where the search began, with a leading slash."""
        return SEPARATOR + SEPARATOR.join(self.parts)


Target: TypeAlias = RemoteObject | CloudObject | str
"""What methods accept as an object: the object, its key, or its path, which starts with a slash."""


def md5_in(sent: str | None) -> str | None:
    """Return the MD5 that a server sends, in lower case; None for anything else, which may even be a path."""
    return sent.strip().lower() if sent is not None and _MD5.fullmatch(sent.strip()) else None


def is_path(target: Target) -> bool:
    """Whether a target is a path."""
    return isinstance(target, str) and target.startswith(SEPARATOR)


def key_of(target: RemoteObject | CloudObject | str) -> str:
    """Return the key of a target that is not a path."""
    if isinstance(target, RemoteObject):
        return target.key
    key = target.object_key if isinstance(target, CloudObject) else target
    if not is_key(key):
        raise InvalidRequestError(
            f"{key!r} is neither a key (32 hexadecimal digits) nor a path (which starts with a slash)",
            code=BAD_KEY.code,
        )
    return key


def remote_object(raw: Raw | bytes) -> RemoteObject:
    """Decode an object; UnexpectedAnswerError where it is not one."""
    return RemoteObject(raw if isinstance(raw, Raw) else Raw(raw), decode(CloudObject, raw))


class _Page(Struct):
    objects: list[CloudObject] | None = None


class _RawObjects(Struct):
    objects: list[Raw] | None = None


class RawPage(_RawObjects, rename="camel"):
    """A page of objects, each as the server sent it, and the next page's cursor."""

    next_cursor: str | None = None


class _PageBytes:
    """The body of a page, split into raw objects only when one of them is needed as it was sent."""

    __slots__ = ("_body", "_objects")

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._objects: list[Raw] | None = None

    def raw(self, number: int) -> Raw:
        if self._objects is None:
            self._objects = decode(_RawObjects, self._body).objects or []
        return self._objects[number]


def objects_in(body: bytes, request: PlannedRequest | None = None) -> list[RemoteObject]:
    """Return the objects of a page."""
    return page_objects(decode(_Page, body, request).objects, body)


def page_objects(objects: Iterable[CloudObject] | None, body: bytes) -> list[RemoteObject]:
    """Return the decoded objects of a page, together with its body."""
    page, found = _PageBytes(body), list(objects or ())
    if (
        body.count(b'"objects"') != 1
        or body.count(b'"objectKey"') != len(found)
        or _ESCAPED_LETTER.search(body) is not None
    ):
        refuse_repeated_members(body)
    return [RemoteObject(page, wire, number) for number, wire in enumerate(found)]


def root_object(key: str) -> RemoteObject:
    """Return the root folder, which is in no listing."""
    return remote_object(json.encode({"objectKey": key, "objectName": "", "objectType": ObjectType.FOLDER.value}))
