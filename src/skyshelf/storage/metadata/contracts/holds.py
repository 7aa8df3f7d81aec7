"""Legal holds: nothing of a held account is deleted for good."""

import msgspec


class Hold(msgspec.Struct, frozen=True):
    """Why nothing of an account is deleted for good, since when, and who decided that."""

    at: int
    by: str
    reason: str


class HeldSpace(msgspec.Struct, frozen=True):
    """What the hold alone keeps, each with its bytes: it would have been deleted by now."""

    contents: int = 0
    """Contents of deleted files and versions that history would have forgotten."""
    content_bytes: int = 0
    trashed: int = 0
    """Objects in the trash beyond their time, without what is below folders."""
    trashed_bytes: int = 0

    @property
    def size(self) -> int:
        return self.content_bytes + self.trashed_bytes
