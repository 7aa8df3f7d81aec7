"""Where the installed command begins. An interrupt while it still reads its modules ends it without a word."""

import os
import signal
from types import FrameType
from typing import Final

_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGINT, _end)
    from skyshelf.cli.main import main as command

    signal.signal(signal.SIGINT, signal.default_int_handler)
    command()


def _end(_: int, __: FrameType | None) -> None:
    # Nothing has begun, so nothing has to be put in order.
    os._exit(_INTERRUPTED)
