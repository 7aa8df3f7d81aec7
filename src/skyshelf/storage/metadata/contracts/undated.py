"""Files whose capture date has yet to be read from their content."""

from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.media_facts import MediaFacts


class UndatedFile(msgspec.Struct, frozen=True):
    """A version that waits for its date."""

    object_key: str
    version: int
    location: str
    size: int
    mime_type: str
    mime_subtype: str


class Undated(Protocol):
    """A file is put with its date, or waits here for it (NewFile.needs_date)."""

    def some(self, account_id: int, limit: int) -> list[UndatedFile]:
        """Files that wait, with their current versions."""

    def settle(
        self, account_id: int, file: UndatedFile, taken: tuple[int, int] | None, facts: MediaFacts | None = None
    ) -> bool:
        """End the waiting of that version, with (taken_at, taken_day) or without a date, and with its facts.

        False, and it waits on with its current version, where another one has come.
        """
