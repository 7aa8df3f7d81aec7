"""Names of files and folders: which are valid, how they sort, and what they say about the content."""

import unicodedata
from typing import Annotated, Final, Literal

from msgspec import Meta

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.mime_types import TYPE_BY_EXTENSION, UNKNOWN
from skyshelf.wire.refusals import BadName

__all__ = [
    "BadName",
    "Category",
    "Name",
    "category",
    "clean_name",
    "extension",
    "numbered",
    "order_key",
    "split_mime",
]

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
    """The name as it is stored, in NFC; raises BadName with the reason."""
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
    """The sort key of a name: case-insensitive, and the same bytes on every backend."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return folded.encode("utf-8", "surrogatepass")


def _split_extension(name: str) -> tuple[str, str]:
    """Stem and suffix with its dot; leading dots belong to a hidden name, and a suffix contains no spaces."""
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem.strip(".") or not suffix or any(character.isspace() for character in suffix):
        return name, ""
    return stem, dot + suffix


def extension(name: str) -> str:
    """The extension in lower case without its dot; empty if the name has none."""
    return _split_extension(name)[1][1:].lower()


def split_mime(name: str) -> tuple[str, str]:
    """Type and subtype by the extension, such as `("image", "jpeg")`."""
    kind, _, subtype = TYPE_BY_EXTENSION.get(extension(name), UNKNOWN).partition("/")
    return kind, subtype


def category(mime: str) -> Category:
    """The category of a file in the quota; accepts `image/jpeg` or only `image`."""
    return _CATEGORY_BY_TYPE.get(mime.partition("/")[0].lower(), "document")


def numbered(name: str, n: int) -> str:
    """The n-th alternative to a taken name: `a.txt` becomes `a (1).txt`; a long stem is shortened."""
    stem, suffix = _split_extension(name)
    tail = f" ({n}){suffix}"
    if len(tail.encode()) >= NAME_BYTES_MAX:
        stem, tail = name, f" ({n})"
    available = NAME_BYTES_MAX - len(tail.encode())
    # Cutting bytes may split the last character; its remains are dropped.
    return stem.encode()[:available].decode(errors="ignore") + tail
