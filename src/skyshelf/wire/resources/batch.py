"""Batch operations on objects, what both sides do with an echoed object, copies, and the trash: restoring, the legacy
delete, which no longer deletes, and permanent deletion.
"""

from enum import StrEnum
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Raw, json, structs

from skyshelf.wire.error_codes import BATCH_MALFORMED, ErrorCode
from skyshelf.wire.keys import Key
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, COPIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, RequestModel
from skyshelf.wire.resources.objects import CloudObject

_FIELDS: Final = json.Decoder(dict[str, Raw])
_WIRE_NAMES: Final = {field.name: field.encode_name for field in structs.fields(CloudObject)}


class Operation(StrEnum):
    """The operation of a batch entry."""

    SET_FAVORITE = "SETFAV"
    UNSET_FAVORITE = "UNSETFAV"
    RENAME = "RENAME"
    MOVE = "MOVE"
    TRASH = "TRASH"


class EchoedObject(RequestModel, frozen=True, kw_only=True):
    """The fields of an echoed object that a server reads; the rest is ignored.

    Only the key is required: an absent name or source refuses the entry and not the call.
    """

    object_key: str
    object_name: str | None = None
    parent_object_key: str | None = None
    source_name: str | None = None
    status: str | None = None


class BatchEntry(RequestModel, frozen=True, kw_only=True):
    """One operation, as a server reads it."""

    operation: Operation
    object: EchoedObject
    correlation_id: str | None = None


class BatchRequest(RequestModel, frozen=True, kw_only=True):
    """The operations of one call, as a server reads them."""

    refused_with: ClassVar[ErrorCode] = BATCH_MALFORMED
    not_json_with: ClassVar[ErrorCode] = BATCH_MALFORMED
    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    objects: Annotated[list[BatchEntry], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class EchoEntry(RequestModel, frozen=True, kw_only=True):
    """One operation as a client sends it: the object is a full echo, see `echo`."""

    operation: Operation
    correlation_id: str
    object: dict[str, Raw]


class EchoBatch(RequestModel, frozen=True, kw_only=True):
    """The operations of one call, as a client sends them."""

    objects: Annotated[list[EchoEntry], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


def echo(sent: Raw, **changes: object) -> dict[str, Raw]:
    """Return the object of a batch entry: every field as it was sent, some changed by their snake_case names.

    The interface asks for a full echo in the order in which the fields came. Unknown values are never interpreted, so
    even a number that no float can hold is returned digit by digit.
    """
    fields = _FIELDS.decode(sent)
    for name, value in changes.items():
        wire_name = _WIRE_NAMES.get(name)
        if wire_name is None:
            raise TypeError(f"an object has no field {name!r}")
        fields[wire_name] = Raw(json.encode(value))
    return fields


class ProcessedEntry(AnswerModel, frozen=True, kw_only=True):
    """An applied operation and the resulting object."""

    operation: str | None = None
    correlation_id: str | None = None
    object: CloudObject | None = None


class UnprocessedObject(AnswerModel, frozen=True, kw_only=True):
    """The object of a refused entry, and the reason."""

    object_key: str | None = None
    error_message: str | None = None
    error_code: str | None = None


class UnprocessedEntry(AnswerModel, frozen=True, kw_only=True):
    """A refused operation. Servers omit a lot here, so no field is required."""

    operation: str | None = None
    correlation_id: str | None = None
    object: UnprocessedObject | None = None


class BatchAnswer(AnswerModel, frozen=True, kw_only=True):
    """The result of each entry; the status is 200 even if entries were refused."""

    objects: list[ProcessedEntry] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class ObjectKeysRequest(RequestModel, frozen=True, kw_only=True):
    """The objects of a call in which each is processed or refused separately, even for an invalid key."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


# Copies of files and folders.


class CopyRequest(RequestModel, frozen=True, kw_only=True):
    """The objects to copy, and the folder that the copies go into. A folder is copied without its contents."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[Key], Meta(min_length=1, max_length=COPIES_MAX)]
    parent_object_key: Key


class CopiedObject(AnswerModel, frozen=True, kw_only=True):
    """A copy, and the key of the object that was copied."""

    source_key: str
    object: CloudObject | None = None


class CopyAnswer(AnswerModel, frozen=True, kw_only=True):
    """The copies, each under a free name, and the objects that were refused."""

    objects: list[CopiedObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


# Extension: the executable bit of files.


class ExecutableRequest(RequestModel, frozen=True, kw_only=True):
    """The files, and whether they may be run as programs."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]
    is_executable: bool


class ExecutableAnswer(AnswerModel, frozen=True, kw_only=True):
    """The files as they are now, and those that were refused."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


# The trash.


class RestoreRequest(ObjectKeysRequest, frozen=True, kw_only=True):
    """The objects to restore; a key that is not in the trash is returned in `unprocessed`."""


class RestoreAnswer(AnswerModel, frozen=True, kw_only=True):
    """The restored objects, and those that were refused."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class LegacyDeleteRequest(RequestModel, frozen=True, kw_only=True):
    """Keys that the legacy delete accepts and ignores."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(max_length=BATCH_ENTRIES_MAX)]


class LegacyDeleteAnswer(AnswerModel, frozen=True, kw_only=True):
    """Every key, unprocessed."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


# Extensions: permanent deletion.


class PurgeRequest(ObjectKeysRequest, frozen=True, kw_only=True):
    """Trashed objects to delete permanently; a key that is not in the trash is returned in `unprocessed`."""


class PurgedObject(AnswerModel, frozen=True, kw_only=True):
    """A deleted object."""

    object_key: str


class PurgeAnswer(AnswerModel, frozen=True, kw_only=True):
    """The deleted objects, and those that were refused. `usedSpace` shrinks as their bytes are removed."""

    objects: list[PurgedObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class EmptyTrashAnswer(AnswerModel, frozen=True, kw_only=True):
    """The trash is empty. `usedSpace` shrinks as its bytes are removed."""

    used_space: int | None = None
    is_upload_allowed: bool | None = None
