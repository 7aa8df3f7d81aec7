"""Keys of objects, users and boards: 32 upper-case hexadecimal digits of a UUIDv7, which order by time."""

import re
from typing import Annotated, Final

from msgspec import Meta

from skyshelf.wire.refusals import BadKey

RANDOM_BYTES: Final = 10
"""The number of random bytes for `make_key`; 74 of their 80 bits are used."""

_KEY: Final = re.compile(r"[0-9A-Fa-f]{32}", re.ASCII)
_DEVICE_KEY: Final = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", re.ASCII)
_LAST_MILLISECOND: Final = 2**48 - 1

Key = Annotated[
    str,
    # Only for documentation: clean_key checks keys, because a bad key has its own code.
    Meta(description="32 hexadecimal digits", extra_json_schema={"pattern": "^[0-9A-Fa-f]{32}$"}),
]


def is_key(text: str) -> bool:
    """Return whether the text is a key, in either case."""
    return _KEY.fullmatch(text) is not None


def clean_key(text: str) -> str:
    """Return the key in upper case, as it is stored."""
    if not is_key(text):
        raise BadKey("A key has 32 hexadecimal digits")
    return text.upper()


def clean_device_key(text: str) -> str:
    """Return the device key as it is stored: a UUID in lower case."""
    if _DEVICE_KEY.fullmatch(text) is None:
        raise BadKey("A device key is a UUID")
    return text.lower()


def make_key(ms: int, random: bytes) -> str:
    """Return a key for a time in epoch milliseconds; keys of later milliseconds sort after it."""
    if not 0 <= ms <= _LAST_MILLISECOND:
        raise ValueError("a key's time must fit into 48 bits")
    if len(random) != RANDOM_BYTES:
        raise ValueError(f"a key needs {RANDOM_BYTES} random bytes")
    noise = int.from_bytes(random, "big")
    version_and_a = 0x7000 | (noise >> 64 & 0x0FFF)
    variant_and_b = 0x8000_0000_0000_0000 | (noise & 0x3FFF_FFFF_FFFF_FFFF)
    return f"{ms:012X}{version_and_a:04X}{variant_and_b:016X}"
