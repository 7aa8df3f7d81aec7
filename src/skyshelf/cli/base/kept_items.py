"""Items that a command keeps in memory before it prints them: a bound, because a server can list them without end."""

import os
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.wire.client_errors import SERVER_ERROR
from skyshelf.wire.limits import CLIENT_LISTED_OBJECTS_MAX

_Item = TypeVar("_Item")
_SHARE: Final = 10
_PRINT_HINT: Final = "print them with --jsonl, which shows each one as it arrives"


def listed_max() -> int:
    """How many items a listing may have."""
    given = os.environ.get("SKYSHELF_MAX_OBJECTS", "")
    return int(given) if given.isascii() and given.isdigit() else CLIENT_LISTED_OBJECTS_MAX


def kept_max() -> int:
    """How many items a command keeps: a tenth of what a listing may have."""
    return max(1, listed_max() // _SHARE)


def kept(found: Iterable[_Item], hint: str = _PRINT_HINT) -> Iterator[_Item]:
    """The items; more of them than fit into memory are an error that says what to do instead."""
    most = kept_max()
    for number, item in enumerate(found, 1):
        if number > most:
            raise CommandFailed(
                f"the server lists more than {most:,} items, too many to keep in memory: {hint}, or raise the limit"
                " with SKYSHELF_MAX_OBJECTS",
                SERVER_ERROR.exit_code,
            )
        yield item
