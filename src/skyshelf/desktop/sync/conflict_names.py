"""The names of copies that are kept because both sides had something else."""

import platform
import re
from collections.abc import Container
from datetime import datetime

from skyshelf.client.local.names import safe_name
from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.safe_names import cut_to, split_ending


def device_name() -> str:
    """A short name of this computer."""
    name = re.sub(r"[^\w.-]+", "-", platform.node().partition(".")[0]).strip("-.")
    return safe_name(name[:24]) if name else "this-computer"


def conflict_name(name: str, device: str, when: datetime, used: Container[str]) -> str:
    """`report.docx` as `report (conflict laptop 2026-11-17 0712).docx`; with a number if that is taken."""
    stem, ending = split_ending(name)
    number = 1
    while True:
        again = f" {number}" if number > 1 else ""
        mark = f" (conflict {device} {when:%Y-%m-%d %H%M}{again})"
        made = cut_to(stem, NAME_BYTES_MAX - len((mark + ending).encode())) + mark + ending
        if made not in used:
            return made
        number += 1
