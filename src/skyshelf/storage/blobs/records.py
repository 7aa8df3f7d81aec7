"""What the blob stores hand out: stored blobs, parts of an upload, and the lines of their listings."""

import re
import secrets
from dataclasses import dataclass
from typing import Literal

from skyshelf.storage.errors import BadLocation

_UPLOAD_ID = re.compile(r"[0-9a-f]{32}|[0-9A-F]{32}")


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """Bytes that are durable. The location is opaque to everybody but the store that gave it out."""

    location: str
    size: int
    md5: str
    sha256: str
    head: bytes = b""
    """How the bytes begin; empty where they were not seen."""


LinkMode = Literal["copy", "reflink", "hard"]
"""How a file of this machine is brought into a store.

- copy: its bytes are written again.
- reflink: both share their blocks on the disk; a write to one of them copies the written blocks.
- hard: both are one file with two names. A write to one of them changes the other.
"""


@dataclass(frozen=True, slots=True)
class TakenFile:
    """A file as a batch took it, and how: a file that the system cannot link is copied."""

    blob: StoredBlob
    mode: LinkMode


@dataclass(frozen=True, slots=True)
class Part:
    """One acknowledged chunk of an upload, as the caller keeps it beside the upload's row.

    The token names this very attempt: two chunks that were sent for the same offset have two tokens.
    """

    offset: int
    size: int
    md5: str
    token: str

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass(frozen=True, slots=True)
class ListedBlob:
    """A blob as the sweeper sees it; upload_id is set where it shares its bytes with that upload."""

    location: str
    size: int
    modified_ms: int
    upload_id: str | None = None


@dataclass(frozen=True, slots=True)
class ListedUpload:
    """Bytes that belong to no blob yet, as the sweeper sees them."""

    upload_id: str
    size: int
    modified_ms: int


def check_upload_id(upload_id: str) -> str:
    """The id itself, when it is 32 hex digits in one case; BadLocation for anything else.

    The case is kept as it was given: to the sweeper, an id that came back in another case would be an
    unknown upload.
    """
    if not _UPLOAD_ID.fullmatch(upload_id):
        raise BadLocation("An upload id is 32 hex digits, and this one is not.")
    return upload_id


def is_upload_id(name: str) -> bool:
    return _UPLOAD_ID.fullmatch(name) is not None


def new_upload_id() -> str:
    """An id for bytes that arrive in one call: nobody else will ever ask for it."""
    return secrets.token_hex(16)


def new_nonce() -> str:
    """Sixteen hex digits that make a name unique: a location or a token is never given out twice."""
    return secrets.token_hex(8)
