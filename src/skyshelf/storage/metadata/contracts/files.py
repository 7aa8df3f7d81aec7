"""Files: content that gets a name, the versions it has had, what pictures say about themselves; and uploads."""

from typing import NamedTuple

import msgspec

from skyshelf.storage.metadata.contracts.tree import Outcome, StoredObject
from skyshelf.storage.samples import UNSEEN, Sample

MICRODEGREES = 1_000_000


class MediaFacts(msgspec.Struct, frozen=True):
    """None for what is unknown. The size is that of the picture as it is shown, turned upright."""

    width: int | None = None
    height: int | None = None
    latitude: int | None = None
    """In millionths of a degree, as the longitude; both or none."""
    longitude: int | None = None
    utc_offset: int | None = None
    """Offset of the camera's clock, in minutes."""


class PhotoFacts(NamedTuple):
    """The facts of an object's current version, and when it was taken."""

    object_key: str
    version: int
    taken_at: int | None
    """In epoch milliseconds, if the file says."""
    facts: MediaFacts


class UndatedFile(msgspec.Struct, frozen=True):
    """A version that waits for its date."""

    object_key: str
    version: int
    location: str
    size: int
    mime_type: str
    mime_subtype: str


class NewFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it arrives: its place, its name, and the blob that is already durable."""

    object_key: str
    parent_key: str
    name: str
    sha256: str
    md5: str
    size: int
    location: str
    category: str
    mime_type: str
    mime_subtype: str
    file_created_at: int
    last_modified_at: int
    created_by: str
    source_name: str = "DRIVE"
    source_folder: str = ""
    app_code: str = ""
    is_executable: bool = False
    """Whether a new file is executable; the next version of a file keeps what it has."""
    taken_at: int | None = None
    taken_day: int | None = None
    needs_date: bool = False
    """Whether it waits for its capture date (UndatedFile), because nobody has looked for one yet."""
    facts: MediaFacts | None = None
    """Known facts about a picture or video."""
    sample: Sample = UNSEEN
    expected_version: int | None = None
    """The version that it replaces, 0 for a file that must be new; None for whatever is there."""


class PutOutcome(msgspec.Struct, frozen=True):
    object: StoredObject
    created: bool
    location: str
    """Where the content lives now: another location than the one handed in means that ours is redundant."""


class Version(msgspec.Struct, frozen=True):
    version: int
    is_current: bool
    sha256: str
    location: str
    md5: str
    size: int
    mime_type: str
    mime_subtype: str
    created_at: int
    created_by: str
    file_created_at: int
    last_modified_at: int


class CopyOf(msgspec.Struct, frozen=True):
    """The object to copy, and the key of the copy."""

    object_key: str
    copy_key: str


class CopyResult(msgspec.Struct, frozen=True):
    """An outcome for each object, and whether copies wait for their capture date (UndatedFile)."""

    outcomes: list[Outcome]
    needs_dates: bool


class NewUpload(msgspec.Struct, frozen=True, kw_only=True):
    upload_key: str
    parent_key: str
    name: str
    size: int
    md5: str
    details: bytes
    """What the client said about the file, as the service encoded it; kept for the end of the upload."""


class Upload(NewUpload, frozen=True, kw_only=True):
    account_id: int
    received: int
    created_at: int
    updated_at: int


class UploadPart(msgspec.Struct, frozen=True):
    """An acknowledged chunk; token is the blob store's own note about where it put the bytes."""

    start: int
    size: int
    md5: str
    token: str
