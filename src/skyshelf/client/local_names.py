"""Names from a server as names on this machine: safe on every system, and no two alike in one folder.

A server is not trusted with a path. Whatever it calls an object, the object gets one name of one folder, which no
system reads as another folder, a device or a stream of another file, and which shows as what it is. The result is
the same on every system, so that a copy made here can be carried there.

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

__all__ = ["STATE_FOLDER", "comparable", "local_names", "marked", "needs_mark", "part_name", "safe_name"]

STATE_FOLDER: Final = ".skyshelf-backup"
"""Where a bulk download keeps what it knows, at the top of its destination; no object gets this name."""

# What Windows refuses in a name, and what separates paths somewhere.
_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
# Scripts and emoji need these two; all other format characters hide or turn text around.
_JOINERS: Final = frozenset("\u200c\u200d")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Devices of Windows, with whatever ending; the superscripts are digits to it.
_DEVICE: Final = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE
)
# Names that are safe as they are, which nearly all are: visible ASCII, and no blank or dot at the end.
_PLAIN: Final = re.compile(r'[^\x00-\x1f\x7f-\U0010ffff<>:"/\\|?*]*[^\x00-\x20\x7f-\U0010ffff<>:"/\\|?*.]')
_MARK_CHARS: Final = 20
_MARK: Final = re.compile(r" \(#[a-z2-7]{20}\)(?:\.[^.]*)?$")
_PART: Final = re.compile(r"\.[a-z2-7]{12}\.part$")
# An ending longer than this is no ending, and may be cut like the rest of a name.
_ENDING_BYTES_MAX: Final = 32


def safe_name(name: str) -> str:
    """The name, with everything replaced that could lead out of a folder, fail or deceive on some system."""
    if _PLAIN.fullmatch(name) and len(name) <= NAME_BYTES_MAX and not _DEVICE.match(name):
        return name
    # Lone surrogates go first: they cannot be normalised to anything, and cannot be written.
    composed = unicodedata.normalize("NFC", "".join("_" if _is_unsafe(one) else one for one in name))
    safe = _ending_well(_fitting(composed, NAME_BYTES_MAX))
    if _DEVICE.match(safe):
        safe = _ending_well(_fitting("_" + safe, NAME_BYTES_MAX))
    return safe or "_"


def comparable(local_name: str) -> str:
    """What two names have in common that some file system takes for one: case, form, and characters it ignores."""
    if local_name.isascii():
        return local_name.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", local_name).casefold())
    seen = "".join(one for one in folded if one not in _JOINERS and not _is_selector(one))
    return unicodedata.normalize("NFKC", seen)


def needs_mark(local_name: str) -> bool:
    """Whether the name looks like one that we make ourselves: an object only has such a name with its own mark."""
    folded = comparable(local_name)
    if "#" not in folded and not folded.endswith((".part", STATE_FOLDER)):
        return False
    return bool(folded == STATE_FOLDER or _MARK.search(folded) or _PART.search(folded))


def marked(local_name: str, object_key: str) -> str:
    """The name with the mark of the object."""
    stem, ending = _split(local_name)
    mark = f" (#{_digest(object_key, _MARK_CHARS)})"
    return _cut(stem, NAME_BYTES_MAX - len((mark + ending).encode())) + mark + ending


def part_name(local_name: str, object_key: str) -> str:
    """The name that the object has beside its place until all of it is there; two objects never share one."""
    tail = f".{_digest(object_key, 12)}.part"
    return _cut(local_name, NAME_BYTES_MAX - len(tail)) + tail


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


def _is_unsafe(character: str) -> bool:
    if character in _FORBIDDEN:
        return True
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def _is_selector(character: str) -> bool:
    """Variation selectors: marks that choose a picture and that file systems may ignore."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _ending_well(name: str) -> str:
    """Windows drops blanks and dots at the end: two names could become one, and ".. " would climb."""
    bare = name.rstrip(" .")
    return bare + "_" * (len(name) - len(bare))


def _fitting(name: str, room: int) -> str:
    if len(name.encode()) <= room:
        return name
    stem, ending = _split(name)
    return _cut(stem, room - len(ending.encode())) + ending


def _split(name: str) -> tuple[str, str]:
    """What may be cut, and the ending, which says what a file is and stays."""
    stem, dot, suffix = name.rpartition(".")
    ending = dot + suffix
    if not stem.strip(".") or not suffix or len(ending.encode()) > _ENDING_BYTES_MAX:
        return name, ""
    return stem, ending


def _cut(text: str, room: int) -> str:
    """The beginning that fits; a character that would be split is dropped."""
    return text.encode()[:room].decode(errors="ignore")


def _digest(object_key: str, length: int) -> str:
    """Letters and digits that are the same in every case; no server can choose a key so that two agree."""
    digest = hashlib.sha256(object_key.encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode().lower()[:length]
