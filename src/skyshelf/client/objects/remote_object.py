"""Files and folders as the client represents them, and targets: the object itself, its key, or its path."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from msgspec import Raw, Struct, json

from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import InvalidRequestError, UnexpectedAnswerError
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.wire.error_codes import BAD_KEY
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.batch import echo
from skyshelf.wire.resources.objects import CloudObject, ObjectType

SEPARATOR: Final = "/"
# No encoder escapes these, and a member's name can hide behind it.
_ESCAPED_LETTER: Final = re.compile(rb"\\u00[4-7]")


class RemoteObject:
    """A file or folder, with everything that the server sent about it, known to us or not.

    The properties have readable names, and those of the interface beside them; `wire` has all fields.
    """

    __slots__ = ("_number", "_source", "wire")

    def __init__(self, source: "Raw | _PageBytes", wire: CloudObject, number: int = 0) -> None:
        self._source = source
        self._number = number
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
        """The name as the server sends it; a local file may not be able to have it."""
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
        """Whether it is the root folder, which has no name and is in no listing."""
        return self.is_folder and self.parent_key is None and not self.name

    @property
    def size(self) -> int | None:
        """The size in bytes, where the server sends it."""
        return self.wire.size_in_bytes

    @property
    def md5(self) -> str | None:
        """The MD5 of the content in lower-case hexadecimal, where the server sends it."""
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
        """When the file was created, in epoch milliseconds."""
        return self.wire.file_created_date

    @property
    def modified_ms(self) -> int | None:
        """When the content was last changed, in epoch milliseconds."""
        return self.wire.last_modified_date

    @property
    def is_favorite(self) -> bool:
        """Whether it is a favourite."""
        return bool(self.wire.is_favorite)

    @property
    def source_folder(self) -> str:
        """The folder that it was backed up from."""
        return self.wire.source_folder or ""

    @property
    def object_key(self) -> str:
        """The key: the interface's name of `key`."""
        return self.wire.object_key

    @property
    def parent_object_key(self) -> str | None:
        """The key of its folder: the interface's name of `parent_key`."""
        return self.wire.parent_object_key

    @property
    def object_name(self) -> str:
        """The name: the interface's name of `name`."""
        return self.name

    @property
    def object_type(self) -> str | None:
        """`FE` for a file, `FR` for a folder; others are possible."""
        return self.wire.object_type

    @property
    def size_in_bytes(self) -> int | None:
        """The size: the interface's name of `size`."""
        return self.wire.size_in_bytes

    @property
    def mime_type(self) -> str | None:
        """The first part of the media type, such as image."""
        return self.wire.mime_type

    @property
    def mime_sub_type(self) -> str | None:
        """The second part of the media type, such as jpeg."""
        return self.wire.mime_sub_type

    @property
    def hash(self) -> str | None:
        """The MD5 of the content as the server sends it; `md5` has it in lower case."""
        return self.wire.hash

    @property
    def file_created_date(self) -> int | None:
        """When the file was created: the interface's name of `created_ms`."""
        return self.wire.file_created_date

    @property
    def last_modified_date(self) -> int | None:
        """When the content was last changed: the interface's name of `modified_ms`."""
        return self.wire.last_modified_date

    @property
    def status(self) -> str | None:
        """`A` for active, `T` for trashed."""
        return self.wire.status

    @property
    def is_hidden(self) -> bool:
        """Whether it is hidden."""
        return bool(self.wire.is_hidden)

    @property
    def is_locked(self) -> bool:
        """Whether it is locked."""
        return bool(self.wire.is_locked)

    @property
    def is_readonly(self) -> bool:
        """Whether it must not be changed."""
        return bool(self.wire.is_readonly)

    @property
    def url(self) -> str | None:
        """Where the content can be downloaded, where the server sends it."""
        return self.wire.url

    @property
    def image_transcode_url(self) -> str | None:
        """Where a thumbnail can be downloaded, where the server sends it."""
        return self.wire.image_transcode_url

    @property
    def version(self) -> int | None:
        """The number of the current version."""
        return self.wire.version

    @property
    def source_name(self) -> str | None:
        """Where it comes from: `DRIVE` and others."""
        return self.wire.source_name

    def echo(self, **changes: object) -> dict[str, Raw]:
        """All fields as the server sent them, some of them changed, as a batch operation needs them."""
        return echo(self._raw(), **changes)

    def sent(self) -> bytes:
        """The object's JSON as the server sent it."""
        return bytes(self._raw())

    def detached_copy(self) -> "RemoteObject":
        """A copy to keep for long: the original keeps the whole page in memory that it came in."""
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


def is_path(target: Target) -> bool:
    """Whether a target is a path."""
    return isinstance(target, str) and target.startswith(SEPARATOR)


def key_of(target: RemoteObject | CloudObject | str) -> str:
    """The key of a target that is not a path."""
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
    """A decoded object; UnexpectedAnswerError where it is not one."""
    return RemoteObject(raw if isinstance(raw, Raw) else Raw(raw), decode(CloudObject, raw))


class _Page(Struct):
    objects: list[CloudObject] | None = None


class _RawPage(Struct):
    objects: list[Raw] | None = None


class _PageBytes:
    """The body of a page, split into raw objects only when one of them is needed as it was sent."""

    __slots__ = ("_body", "_objects")

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._objects: list[Raw] | None = None

    def raw(self, number: int) -> Raw:
        if self._objects is None:
            found = decode(_RawPage, self._body).objects or []
            # Nulls are not objects, and are left out of the decoded page too.
            self._objects = [raw for raw in found if bytes(raw).strip() != b"null"]
        return self._objects[number]


def objects_in(body: bytes, request: PlannedRequest | None = None) -> list[RemoteObject]:
    """The objects of a page."""
    return page_objects(decode(_Page, body, request).objects, body)


def page_objects(objects: Iterable[CloudObject] | None, body: bytes) -> list[RemoteObject]:
    """The decoded objects of a page, together with its body."""
    page, found = _PageBytes(body), list(objects or ())
    if (
        body.count(b'"objects"') != 1
        or body.count(b'"objectKey"') != len(found)
        or _ESCAPED_LETTER.search(body) is not None
    ):
        _refuse_repeated_members(body)
    return [RemoteObject(page, wire, number) for number, wire in enumerate(found)]


def _refuse_repeated_members(body: bytes) -> None:
    """JSON with the same member twice means whatever a reader makes of it: a list of objects, or an empty one."""
    from json import JSONDecodeError, loads

    def members(pairs: list[tuple[str, object]]) -> None:
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UnexpectedAnswerError(f"the server's response contradicts itself: it has {twice[:80]!r} twice")

    try:
        loads(body, object_pairs_hook=members)
    except (JSONDecodeError, UnicodeDecodeError, RecursionError, ValueError):
        # Not our question: the body was decoded before.
        return


def root_object(key: str) -> RemoteObject:
    """The root folder, which is in no listing."""
    shown = {"objectKey": key, "objectName": "", "objectType": ObjectType.FOLDER.value}
    return remote_object(json.encode(shown))
