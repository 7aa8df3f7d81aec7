"""The digests of uploads in progress, kept in memory so that the last chunk need not read the others back.

Losing them costs time and nothing else: the bytes are read once more. They are found by the token of the part they
end with. A token names one attempt, so digests of an attempt that lost, or that another process has overwritten
since, are never taken for those of the bytes that count.
"""

from collections.abc import Sequence

from skyshelf.storage.blobs.bounded_cache import BoundedCache
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.records import Part

UPLOADS_REMEMBERED = 4096


class RunningHashes:
    """What this process knows about uploads: the digests up to the last part, and up to the one before it.

    The one before it serves the caller whose commit failed and who sends the same chunk again.
    """

    def __init__(self) -> None:
        self._states: BoundedCache[str, tuple[tuple[str, ContentHash], ...]] = BoundedCache(UPLOADS_REMEMBERED)

    def upto(self, upload_id: str, part: Part | None) -> ContentHash | None:
        """A copy of the digests of everything up to the end of the part; None when they are not known."""
        if part is None:
            return ContentHash()
        for token, content in self._states.get(upload_id) or ():
            if token == part.token and content.size == part.end:
                return content.copy()
        return None

    def furthest(self, upload_id: str, parts: Sequence[Part]) -> ContentHash:
        """The digests that are known of as many of the parts as possible, counted from the first."""
        known = (self.upto(upload_id, part) for part in reversed(parts))
        return next((content for content in known if content is not None), ContentHash())

    def remember(self, upload_id: str, part: Part, content: ContentHash) -> None:
        before = self._states.get(upload_id) or ()
        self._states.put(upload_id, ((part.token, content), *before[:1]))

    def forget(self, upload_id: str) -> None:
        self._states.forget(upload_id)
