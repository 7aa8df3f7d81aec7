"""Names from a server as names on this machine: safe (`wire/safe_names.py`), and no two alike in one folder.

Several objects of one folder may want the same name, on a file system that ignores case also `a.jpg` and `A.JPG`.
The one with the smallest key has it (where keys order by time, the oldest, so that newcomers change nothing), and
each other one gets a mark of its own key: `a (#k3j5h2g6f4d7s2a5p4q3).jpg`. That depends on the folder alone, never on
the order of a listing or on an earlier run.
"""

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.safe_names import cut_to, safe_name, split_ending
from skyshelf.wire.text import JOINERS

__all__ = ["STATE_FOLDER", "comparable", "local_names", "marked", "needs_mark", "part_name", "safe_name"]

STATE_FOLDER: Final = ".skyshelf-backup"
"""Where a bulk download keeps what it knows, at the top of its destination; no object gets this name."""

_MARK_CHARS: Final = 20
_MARK: Final = re.compile(r" \(#[a-z2-7]{20}\)(?:\.[^.]*)?$")
_PART: Final = re.compile(r"\.[a-z2-7]{12}\.part$")


def comparable(local_name: str) -> str:
    """What two names have in common that some file system takes for one: case, form, and characters it ignores."""
    if local_name.isascii():
        return local_name.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", local_name).casefold())
    seen = "".join(one for one in folded if one not in JOINERS and not _is_selector(one))
    return unicodedata.normalize("NFKC", seen)


def needs_mark(local_name: str) -> bool:
    """Whether the name looks like one that we make ourselves: an object only has such a name with its own mark."""
    folded = comparable(local_name)
    if "#" not in folded and not folded.endswith((".part", STATE_FOLDER)):
        return False
    return bool(folded == STATE_FOLDER or _MARK.search(folded) or _PART.search(folded))


def marked(local_name: str, object_key: str) -> str:
    """The name with the mark of the object."""
    stem, ending = split_ending(local_name)
    mark = f" (#{_digest(object_key, _MARK_CHARS)})"
    return cut_to(stem, NAME_BYTES_MAX - len((mark + ending).encode())) + mark + ending


def part_name(local_name: str, object_key: str) -> str:
    """The name that the object has beside its place until all of it is there; two objects never share one."""
    tail = f".{_digest(object_key, 12)}.part"
    return cut_to(local_name, NAME_BYTES_MAX - len(tail)) + tail


def local_names(children: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Key and local name of each child of one folder, given as key and name.

    The children must come in the order of `comparable(safe_name(name))`, and then of their keys, each key once.
    """
    group: str | None = None
    for object_key, name in children:
        local = safe_name(name)
        folded = comparable(local)
        is_first = folded != group and not needs_mark(local)
        group = folded
        yield object_key, local if is_first else marked(local, object_key)


def _is_selector(character: str) -> bool:
    """Variation selectors: marks that choose a picture and that file systems may ignore."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _digest(object_key: str, length: int) -> str:
    """Letters and digits that are the same in every case; no server can choose a key so that two agree."""
    digest = hashlib.sha256(object_key.encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode().lower()[:length]
