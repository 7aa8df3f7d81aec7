"""What is moved, from where to where, and what came of it."""

from collections.abc import Iterator
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec

from skyshelf.storage.access import Access
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.store import MetadataStore, referred_contents
from skyshelf.storage.metadata.transfer.stores import refuse_filled, rows_of
from skyshelf.storage.open import open_blobs, open_metadata

_PAGE: Final = 500
_HOLDERS: Final = 3


class MoveRefused(StorageError):
    """The move cannot be made like this; nothing was changed, and the sentence says what to do."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """From where to where; a half that stays has no target."""

    metadata: str
    blobs: str
    to_metadata: str | None
    to_blobs: str | None
    reason: str
    threads: int = 8
    leave_damaged: bool = False
    """Whether contents that the source has lost are left out, instead of stopping the move."""

    @property
    def target(self) -> str:
        """The new place in words, without passwords."""
        return " and ".join(described(url) for url in (self.to_metadata, self.to_blobs) if url is not None)


class Figures(msgspec.Struct, kw_only=True, rename="camel"):
    """What there is to move, or what was moved."""

    contents: int = 0
    bytes: int = 0
    rows: int = 0
    uploads: int = 0
    damaged_uploads: int = 0
    read_only_seconds: float = 0.0
    resumed: bool = False
    left_out: list[str] = []
    """A sentence for each content that the source had lost."""


class Watcher(Protocol):
    """Shows progress; raises to interrupt."""

    def phase(self, sentence: str) -> None: ...
    def expect(self, size: int) -> None: ...
    def copied(self, contents: int, size: int) -> None: ...
    def rows(self, done: int, total: int) -> None: ...


def described(url: str) -> str:
    """Return a URL without its password and options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else url


def measure(plan: Plan) -> Figures:
    """Return what a move would do; changes nothing."""
    metadata, blobs = open_metadata(plan.metadata, Access.LOOK), open_blobs(plan.blobs, Access.LOOK)
    try:
        if plan.to_metadata is not None:
            refuse_filled(plan.to_metadata)
        figures = Figures()
        for page in referred_contents(metadata):
            figures.contents += len(page)
            figures.bytes += sum(one.size for one in page)
        figures.uploads = sum(1 for _ in uploads_of(metadata))
        with rows_of(plan.metadata) as rows:
            figures.rows = sum(map(rows.count, rows.tables()))
        return figures
    finally:
        blobs.close()
        metadata.close()


def uploads_of(metadata: MetadataStore) -> Iterator[tuple[int, str]]:
    """Yield all unfinished uploads, as account and key."""
    after = ""
    while True:
        with metadata.read() as unit:
            page = unit.inspection.uploads(after, limit=_PAGE)
        if not page:
            return
        yield from ((one.account_id, one.upload_key) for one in page)
        after = page[-1].upload_key


def holders_of(metadata: MetadataStore, sha256: str) -> str:
    """Return the files that a content belongs to, as a part of a sentence."""
    with metadata.read() as unit:
        holders = unit.inspection.holders(sha256, limit=_HOLDERS + 1)
    named = ", ".join(f"version {one.version} of “{one.name}” (account {one.account_id})" for one in holders[:_HOLDERS])
    return f"{named or 'a version without a file'}{' and others' if len(holders) > _HOLDERS else ''}"
