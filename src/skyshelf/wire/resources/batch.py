"""Batch operations on objects, and what both sides do with an echoed object."""

from enum import StrEnum
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Raw, json, structs

from skyshelf.wire.error_codes import BATCH_MALFORMED, ErrorCode
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
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
    """The object of a batch entry: every field as it was sent, some changed by their snake_case names.

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
