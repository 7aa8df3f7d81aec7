"""Sizes as people write them: 100GiB, 1.5 TB, 20M, 4096."""

import re

import click

_UNITS: dict[str, int] = {
    "": 1,
    **{f"{prefix}ib": 1024**power for power, prefix in enumerate("kmgtp", start=1)},
    **{f"{prefix}b": 1000**power for power, prefix in enumerate("kmgtp", start=1)},
    # A bare letter means what it means to curl, rclone and du.
    **{prefix: 1024**power for power, prefix in enumerate("kmgtp", start=1)},
    "b": 1,
}
_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,6})?)\s*([a-z]*)", re.IGNORECASE | re.ASCII)
_LARGEST = 2**62


class Size(click.ParamType[int]):
    """A number of bytes, with or without a unit."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(str(value).strip())
        if found is None or found[2].lower() not in _UNITS:
            self.fail(f"'{value}' is not a size: write it like 100GiB, 500MB or a number of bytes", param, ctx)
        unit = _UNITS[found[2].lower()]
        size = round(float(found[1]) * unit) if "." in found[1] else int(found[1]) * unit
        if size > _LARGEST:
            self.fail(f"'{value}' is larger than any store", param, ctx)
        return size


def counted(number: int, thing: str) -> str:
    """A number of things: 1 file, 2,000 files."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def readable(size: int) -> str:
    """The size for a table: 1.5 GiB."""
    value, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if value == int(value) else f"{value:.1f} {unit}"
