"""What a rewind would do, in words."""

from typing import Final

from skyshelf.wire.resources.rewind import RewindCounts

_WORDS: Final = {
    "restored": "come back",
    "moved": "move",
    "renamed": "get their former name",
    "content": "get their former content",
    "favorite": "change as favourites",
    "tags": "get their former tags",
    "boards": "come back into albums, or leave them",
    "links": "are no longer shared by a link",
    "others": "albums, comments or contacts come back",
    "trashed": "go to the trash",
    "left": "stay as they are",
}


def plan_sentence(counts: RewindCounts | None) -> str:
    """Return how many objects come back, move, change and go, in one sentence."""
    parts = [
        f"{number:,} {words}"
        for name, words in _WORDS.items()
        if counts is not None and (number := getattr(counts, name) or 0)
    ]
    return ", ".join(parts) or "nothing to change"
