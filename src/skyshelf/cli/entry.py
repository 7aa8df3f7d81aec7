"""Entry point of the installed command. Ctrl-C while modules are still loading ends it silently."""

import os
import signal
import sys
from types import FrameType
from typing import Final

_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command; `version` loads nothing that the others need."""
    if sys.argv[1:] == ["version"]:
        from skyshelf.wire.version import VERSION

        sys.stdout.write(f"skyshelf {VERSION}\n")
        return
    signal.signal(signal.SIGINT, _exit_silently)
    from skyshelf.cli.main import main as command

    signal.signal(signal.SIGINT, signal.default_int_handler)
    command()


def _exit_silently(_: int, __: FrameType | None) -> None:
    # Nothing has started yet, so there is nothing to clean up.
    os._exit(_INTERRUPTED)
