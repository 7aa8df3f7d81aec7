"""The bytes of an open file of this machine, from its first on. Its errors are the system's own: it is not ours."""

import os
from collections.abc import Callable, Iterator

PIECE = 1024 * 1024


def nobody(_done: int) -> None:
    """Nobody wants to hear of the progress."""


def pieces_of(file: int, progress: Callable[[int], None] = nobody) -> Iterator[bytes]:
    at = 0
    while piece := os.pread(file, PIECE, at):
        at += len(piece)
        yield piece
        progress(at)
