"""What must hold for an object beside its words: one rule, as a question to a server and for a walk."""

from msgspec import Struct

from skyshelf.client.objects import RemoteObject
from skyshelf.wire.limits import FILE_BYTES_MAX, NAME_BYTES_MAX, TIME_MS_MAX


class Conditions(Struct, frozen=True, kw_only=True):
    """All that is given must hold. An extension and a size leave folders out."""

    extension: str | None = None
    larger_than: int | None = None
    modified_after: int | None = None
    favorites: bool = False

    @property
    def ending(self) -> str | None:
        """The extension as names are compared with it."""
        return self.extension.lstrip(".").lower() if self.extension else None

    @property
    def size_from(self) -> int | None:
        """The smallest size that holds."""
        return None if self.larger_than is None else max(0, self.larger_than + 1)

    @property
    def modified_from(self) -> int | None:
        """The earliest time that holds, in epoch milliseconds."""
        return None if self.modified_after is None else max(0, self.modified_after + 1)

    @property
    def can_be_sent(self) -> bool:
        """Whether a server takes them: what is beyond its limits can only be walked for."""
        return (
            len(self.extension or "") <= NAME_BYTES_MAX
            and (self.size_from or 0) <= FILE_BYTES_MAX
            and (self.modified_from or 0) <= TIME_MS_MAX
        )

    def hold_for(self, found: RemoteObject) -> bool:
        """Whether an object is as it should be."""
        if self.ending is not None and (found.is_folder or found.extension != self.ending):
            return False
        if self.size_from is not None and (found.is_folder or (found.size or 0) < self.size_from):
            return False
        if self.modified_from is not None and (found.modified_ms or 0) < self.modified_from:
            return False
        return found.is_favorite or not self.favorites
