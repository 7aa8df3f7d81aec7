"""Local names for remote objects: safe (`wire/names.py`), and unique within a folder.

Several objects of a folder may have the same name; on a file system that ignores case, `a.jpg` and `A.JPG` too. The
one with the smallest key gets it (the oldest, where keys are ordered by time, so new objects change nothing); every
other one is marked with a hash of its key: `a (#k3j5h2g6f4d7s2a5p4q3).jpg`. The result depends only on the folder, not
on the order of a listing or on an earlier run.
"""

import base64
import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.names import cut_to, safe_name, split_ending
from skyshelf.wire.text import JOINERS

__all__ = [
    "REPLACED_FOLDER",
    "RESERVED",
    "STATE_FOLDER",
    "SYNC_FOLDER",
    "comparable",
    "local_names",
    "marked",
    "needs_mark",
    "part_name",
    "path_part",
    "safe_name",
]

STATE_FOLDER: Final = ".skyshelf-backup"
"""Where a bulk download keeps its state, at the top of its destination; no object gets this name."""

REPLACED_FOLDER: Final = ".skyshelf-replaced"
"""Where a bulk download keeps the files that it replaces, at the top of its destination; no object gets this name."""

SYNC_FOLDER: Final = ".skyshelf-sync"
"""Index, trash and unfinished downloads of a sync, at the top of the local folder; no object gets this name."""

RESERVED: Final = frozenset({STATE_FOLDER, REPLACED_FOLDER, SYNC_FOLDER})
"""Names of folders that programs of this client keep beside files: they are no part of what is kept."""

_MARK_CHARS: Final = 20
_MARK: Final = re.compile(r" \(#[a-z2-7]{20}\)(?:\.[^.]*)?$")
_PART: Final = re.compile(r"\.[a-z2-7]{12}\.part$")


def comparable(local_name: str) -> str:
    """Return the form in which some file system takes names for equal: no case, Unicode form or ignored characters."""
    if local_name.isascii():
        return local_name.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", local_name).casefold())
    visible = "".join(character for character in folded if character not in JOINERS and not _is_selector(character))
    return unicodedata.normalize("NFKC", visible)


def needs_mark(local_name: str) -> bool:
    """Whether the name looks like one that is generated here; an object only gets such a name with a mark."""
    folded = comparable(local_name)
    if "#" not in folded and not folded.endswith((".part", *RESERVED)):
        return False
    return bool(folded in RESERVED or _MARK.search(folded) or _PART.search(folded))


def marked(local_name: str, object_key: str) -> str:
    """Append the object's mark to a name."""
    stem, ending = split_ending(local_name)
    mark = f" (#{_digest(object_key, _MARK_CHARS)})"
    return cut_to(stem, NAME_BYTES_MAX - len((mark + ending).encode())) + mark + ending


def path_part(name: str) -> str:
    """Return a name as one component of a path: neither empty nor with a slash, and leading nowhere else."""
    part = name.replace("/", "_").replace(os.sep, "_").replace("\0", "_")
    return "_" if part in {"", ".", ".."} else part


def part_name(local_name: str, object_key: str) -> str:
    """Return the name of the object's part file until its download is complete; unique per object."""
    tail = f".{_digest(object_key, 12)}.part"
    return cut_to(local_name, NAME_BYTES_MAX - len(tail)) + tail


def local_names(children: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the key and local name of each child of a folder, given as key and name.

    The children must be sorted by `comparable(safe_name(name))`, then by key, each key once.
    """
    group: str | None = None
    for object_key, name in children:
        local = safe_name(name)
        folded = comparable(local)
        is_first = folded != group and not needs_mark(local)
        group = folded
        yield object_key, local if is_first else marked(local, object_key)


def _is_selector(character: str) -> bool:
    """Whether a character is a variation selector, which chooses a glyph and which file systems may ignore."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _digest(object_key: str, length: int) -> str:
    """Return a hash in case-insensitive letters and digits; a server cannot choose two keys with the same one."""
    digest = hashlib.sha256(object_key.encode("utf-8", "surrogatepass")).digest()
    # Five bytes are eight characters; encoding the rest would cost more than the hash.
    return base64.b32encode(digest[: (length + 7) // 8 * 5]).decode().lower()[:length]
