"""Sizes as people read and write them, the same everywhere: binary, with IEC units, and one decimal unless whole."""

import re
from typing import Final

_UNITS: Final = ("KiB", "MiB", "GiB", "TiB", "PiB")
_FACTORS: Final[dict[str, int]] = {
    "": 1,
    **{f"{prefix}ib": 1024**power for power, prefix in enumerate("kmgtp", start=1)},
    **{f"{prefix}b": 1000**power for power, prefix in enumerate("kmgtp", start=1)},
    # A bare letter is binary, as in curl, rclone and du.
    **{prefix: 1024**power for power, prefix in enumerate("kmgtp", start=1)},
    "b": 1,
}
_SIZE: Final = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,6})?)\s*([a-z]*)", re.IGNORECASE | re.ASCII)
_LARGEST: Final = 2**62


def parse_size(text: str) -> int:
    """Return the bytes of `100GiB`, `500MB`, `1.5t` or a plain number; raise ValueError with a sentence otherwise."""
    found = _SIZE.fullmatch(text.strip())
    if found is None or found[2].lower() not in _FACTORS:
        raise ValueError(f"'{text}' is not a size: use 100GiB, 500MB or a number of bytes")
    unit = _FACTORS[found[2].lower()]
    size = round(float(found[1]) * unit) if "." in found[1] else int(found[1]) * unit
    if size > _LARGEST:
        raise ValueError(f"'{text}' is too large: the maximum is 4EiB")
    return size


def parse_rate(text: str) -> int:
    """Return the bytes per second of `2M`, `500k` or `1.5MiB/s`; raise ValueError with a sentence otherwise."""
    rate = parse_size(re.sub(r"/s\s*$", "", text))
    if rate < 1:
        raise ValueError(f"'{text}' is too slow: use 2M or 500k")
    return rate


def format_size(size: int) -> str:
    """Format a size, such as `512 B`, `952.8 KiB`, `1 GiB` or `1.5 TiB`."""
    if size < 1024:
        return f"{size} B"
    value, units = size / 1024, iter(_UNITS)
    unit = next(units)
    # The rounded value counts: 1,048,575 bytes are 1.0 MiB, not 1024.0 KiB.
    while round(value, 1) >= 1024 and (larger := next(units, None)) is not None:
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if value == int(value) else f"{value:.1f} {unit}"
