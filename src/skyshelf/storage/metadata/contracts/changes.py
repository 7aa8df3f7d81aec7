"""Changes: what happened in an account, in order."""

import msgspec

CREATED = "created"
CONTENT = "content"
RENAMED = "renamed"
MOVED = "moved"
FAVORITE = "favorite"
TRASHED = "trashed"
RESTORED = "restored"
PURGED = "purged"
EMPTIED = "emptied"
"""The trash was emptied, wholly or of what was old; the object is the root."""
KINDS = frozenset({CREATED, CONTENT, RENAMED, MOVED, FAVORITE, TRASHED, RESTORED, PURGED, EMPTIED})


class Change(msgspec.Struct, frozen=True):
    seq: int
    at: int
    kind: str
    object_key: str
