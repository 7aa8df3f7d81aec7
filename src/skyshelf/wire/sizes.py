"""Sizes as people read them, the same everywhere: binary, with IEC units, and one decimal unless whole."""

from typing import Final

_UNITS: Final = ("KiB", "MiB", "GiB", "TiB", "PiB")


def format_size(size: int) -> str:
    """`512 B`, `952.8 KiB`, `1 GiB`, `1.5 TiB`."""
    if size < 1024:
        return f"{size} B"
    value, units = size / 1024, iter(_UNITS)
    unit = next(units)
    # The rounded value counts: 1,048,575 bytes are 1.0 MiB, not 1024.0 KiB.
    while round(value, 1) >= 1024 and (larger := next(units, None)) is not None:
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if value == int(value) else f"{value:.1f} {unit}"
