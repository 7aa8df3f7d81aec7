"""Names of files and folders: which are valid, how they sort, what they say about the content, and which are safe.

Names of objects are untrusted. A safe name, for local files and for files inside archives, is a single name in a
folder: no system reads it as a path, a device or an alternate data stream, and it contains nothing invisible. The
result is the same on every system, so a copy can be moved between them.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Annotated, Final, Literal

from msgspec import Meta

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.mime_types import TYPE_BY_EXTENSION, UNKNOWN
from skyshelf.wire.refusals import BadName
from skyshelf.wire.text import is_unprintable

Category = Literal["photo", "video", "audio", "document"]

Name = Annotated[
    str,
    # Only for documentation: clean_name checks names, because a bad name has its own code and message.
    Meta(
        description="1 to 255 bytes of UTF-8 after NFC; no slash, no control character, neither . nor ..",
        extra_json_schema={"minLength": 1, "maxLength": NAME_BYTES_MAX},
    ),
]

# Category Cc is exactly C0, DEL and C1, and Unicode guarantees that it stays so.
_CONTROL: Final = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
_CATEGORY_BY_TYPE: Final[dict[str, Category]] = {"image": "photo", "video": "video", "audio": "audio"}


def clean_name(text: str) -> str:
    """Return the name as it is stored, in NFC; raises BadName with the reason."""
    # Normalisation takes quadratic time for many combining characters. No character of a normalised name stands for
    # more than four, so a longer text is too long in any form.
    if len(text) > 4 * NAME_BYTES_MAX:
        raise BadName(
            f"A name must not be longer than {NAME_BYTES_MAX} bytes of UTF-8; this one has {len(text)} or more"
        )
    name = unicodedata.normalize("NFC", text)
    if not name:
        raise BadName("A name must not be empty")
    if name in {".", ".."}:
        raise BadName("A name must not be . or ..")
    if "/" in name:
        raise BadName("A name must not contain a slash")
    if not _CONTROL.isdisjoint(name):
        raise BadName("A name must not contain control characters")
    try:
        size = len(name.encode())
    except UnicodeEncodeError as wrong:
        raise BadName("A name must be valid Unicode, without lone surrogates") from wrong
    if size > NAME_BYTES_MAX:
        raise BadName(f"A name must not be longer than {NAME_BYTES_MAX} bytes of UTF-8; this one has {size}")
    return name


def order_key(name: str) -> bytes:
    """Return the sort key of a name: case-insensitive, and the same bytes on every backend."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return folded.encode("utf-8", "surrogatepass")


def _split_extension(name: str) -> tuple[str, str]:
    """Split a name into stem and suffix with its dot; leading dots belong to the stem, and a suffix has no spaces."""
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem.strip(".") or suffix.split() != [suffix]:
        return name, ""
    return stem, dot + suffix


@lru_cache(1024)
def extension(name: str) -> str:
    """Return the extension in lower case without its dot; empty if the name has none."""
    return _split_extension(name)[1][1:].lower()


def split_mime(name: str) -> tuple[str, str]:
    """Return type and subtype by the extension, such as `("image", "jpeg")`."""
    kind, _, subtype = TYPE_BY_EXTENSION.get(extension(name), UNKNOWN).partition("/")
    return kind, subtype


def category(mime: str) -> Category:
    """Return the category of a file in the quota; accepts `image/jpeg` or only `image`."""
    return _CATEGORY_BY_TYPE.get(mime.partition("/")[0].lower(), "document")


def numbered(name: str, n: int) -> str:
    """Return the n-th alternative to a taken name: `a.txt` becomes `a (1).txt`; a long stem is shortened."""
    stem, suffix = _split_extension(name)
    tail = f" ({n}){suffix}"
    if len(tail.encode()) >= NAME_BYTES_MAX:
        stem, tail = name, f" ({n})"
    return cut_to(stem, NAME_BYTES_MAX - len(tail.encode())) + tail


# Refused by Windows, or a path separator somewhere.
_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
_SEPARATOR: Final = frozenset("/")
# Device names of Windows, with any extension; Windows treats superscripts as digits.
_DEVICE: Final = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE
)
# Nearly all names are safe already: visible ASCII without a space or dot at the end.
_PLAIN: Final = re.compile(r'[^\x00-\x1f\x7f-\U0010ffff<>:"/\\|?*]*[^\x00-\x20\x7f-\U0010ffff<>:"/\\|?*.]')
# A longer suffix is not an extension and may be cut like the rest of a name.
_ENDING_BYTES_MAX: Final = 32


def safe_name(name: str, *, on_windows: bool = True) -> str:
    """Return the name with everything replaced that could leave the folder, fail or deceive on some system.

    Without `on_windows`, what fails on Windows and nowhere else stays.
    """
    if _PLAIN.fullmatch(name) and len(name) <= NAME_BYTES_MAX and not _DEVICE.match(name):
        return name
    # Lone surrogates are replaced first: they can neither be normalised nor written.
    forbidden = _FORBIDDEN if on_windows else _SEPARATOR
    visible = ("_" if one in forbidden or is_unprintable(one) else one for one in name)
    composed = unicodedata.normalize("NFC", "".join(visible))
    if not on_windows:
        return "_" if composed in {"", ".", ".."} else _fitting(composed, NAME_BYTES_MAX)
    safe = _ending_well(_fitting(composed, NAME_BYTES_MAX))
    if _DEVICE.match(safe):
        safe = _ending_well(_fitting("_" + safe, NAME_BYTES_MAX))
    return safe or "_"


def split_ending(name: str) -> tuple[str, str]:
    """Return the part that may be cut, and the extension, which stays."""
    stem, dot, suffix = name.rpartition(".")
    ending = dot + suffix
    if not stem.strip(".") or not suffix or len(ending.encode()) > _ENDING_BYTES_MAX:
        return name, ""
    return stem, ending


def cut_to(text: str, size: int) -> str:
    """Return the longest prefix that fits into the bytes; a split character is dropped."""
    return text.encode()[:size].decode(errors="ignore")


def _fitting(name: str, size: int) -> str:
    if len(name.encode()) <= size:
        return name
    stem, ending = split_ending(name)
    return cut_to(stem, size - len(ending.encode())) + ending


def _ending_well(name: str) -> str:
    """Replace spaces and dots at the end, which Windows drops: names could collide, and ".. " be a parent folder."""
    bare = name.rstrip(" .")
    return bare + "_" * (len(name) - len(bare))
