"""How names, sizes and dates read on a page."""

import unicodedata
from typing import Final

from skyshelf.wire.times import from_epoch_ms

# They join letters and emoji, and turn nothing around.
_JOINERS: Final = frozenset("\u200c\u200d")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_UNITS: Final = ("kB", "MB", "GB", "TB", "PB")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def shown(name: str) -> str:
    """The name with everything made visible that would hide, or turn the text around: `photo‹U+202E›gpj.exe`."""
    return "".join(
        f"‹U+{ord(one):04X}›" if unicodedata.category(one) in _UNSEEN and one not in _JOINERS else one for one in name
    )


def size(count: int) -> str:
    """A size that a person can compare: `1.5 MB`."""
    if count < 1000:
        return "1 byte" if count == 1 else f"{count} bytes"
    amount = float(count)
    for unit in _UNITS:
        amount /= 1000
        if amount < 999.5 or unit == _UNITS[-1]:
            break
    return f"{amount:.1f} {unit}" if amount < 9.95 else f"{amount:.0f} {unit}"


def day(ms: int) -> str:
    """`6 May 2024`, in UTC."""
    moment = from_epoch_ms(ms)
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def iso_day(ms: int) -> str:
    return f"{from_epoch_ms(ms):%Y-%m-%d}"


def counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
