"""Records that several commands print as JSON; those of one command are declared beside it.

Their fields have stable names, times are RFC 3339 in UTC, and null means that the server gives no value.
"""

from typing import Annotated, Literal

from skyshelf.client.objects.remote_object import RemoteObject, md5_in
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.objects import CloudObject


def _type(wire: CloudObject) -> str:
    return "folder" if wire.is_folder else "file" if wire.is_file else "other"


class ObjectRecord(Projection, frozen=True, kw_only=True):
    """A file or folder; `path` where the command knows it, `md5` of files."""

    object_key: str
    name: Annotated[str, From("object_name")]
    path: str | None
    type: Annotated[Literal["file", "folder", "other"], From(_type)]
    size_bytes: Annotated[int | None, From("size_in_bytes")]
    md5: Annotated[str | None, From(lambda wire: md5_in(wire.hash))]
    extension: str
    mime: str | None
    modified: Annotated[Time, From("last_modified_date")]
    created: Annotated[Time, From("file_created_date")]
    is_favorite: bool
    parent_object_key: str | None


def object_record(found: RemoteObject | CloudObject, path: str | None = None) -> ObjectRecord:
    return ObjectRecord.of(found.wire if isinstance(found, RemoteObject) else found, path=path)


class OutcomeRecord(Projection, frozen=True, kw_only=True):
    """The result for one item: done, or refused with the reason."""

    object_key: Annotated[str, From("key")]
    ok: bool
    name: Annotated[str | None, From("object.name")]
    code: str | None
    message: Annotated[str | None, From(lambda outcome: None if outcome.ok else outcome.reason)]


class FailureRecord(Projection, frozen=True, kw_only=True):
    """A file that was not transferred."""

    path: str
    reason: str


class TransferRecord(Projection, frozen=True, kw_only=True):
    """The result of a transfer, or the plan of a dry run; `failed` lists the missing files with the reason."""

    done: int
    skipped: int
    bytes: Annotated[int, From("bytes_done")]
    failed: list[FailureRecord]
    unverified: int = 0
    dry_run: Annotated[bool, From(lambda _: False)] = False


class DownloadRecord(Projection, frozen=True, kw_only=True):
    """A downloaded file; `verified` is true if the server sent a hash and it matched."""

    path: Annotated[str, From(lambda done: str(done.path))]
    object_key: str
    size_bytes: Annotated[int, From("size")]
    md5: str
    verified: bool
