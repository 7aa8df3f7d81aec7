"""What became of an operation: only the first two outcomes are good ones."""

import asyncio
from collections.abc import Awaitable
from typing import Literal, NamedTuple

from tests.foreign.quirk import Quirk

from skyshelf.client.errors import SkyshelfError

Outcome = Literal["right", "typed error", "silent success", "untyped error", "hang"]

PATIENCE_SECONDS = 30.0
"""No operation on this account takes as long, on the busiest machine, unless it waits for what never comes."""


class Ending(NamedTuple):
    """The outcome of an operation, what happened in a few words, and the code of an error that has one."""

    outcome: Outcome
    detail: str = ""
    code: str | None = None
    kinds: frozenset[str] = frozenset()


async def ending_of(running: Awaitable[None]) -> Ending:
    """Wait for an operation."""
    try:
        await asyncio.wait_for(running, PATIENCE_SECONDS)
    except SkyshelfError as error:
        # Tools and commands name the error of the client that they report.
        kinds = {one.__name__ for one in type(error).__mro__} | {getattr(error, "reported", "")}
        detail = f"{type(error).__name__}: {error}"
        return Ending("typed error", detail, getattr(error, "code", None), frozenset(kinds))
    except TimeoutError:
        return Ending("hang", f"nothing within {PATIENCE_SECONDS:.0f} seconds")
    except AssertionError as error:
        return Ending("silent success", str(error).partition("\n")[0])
    except Exception as error:  # noqa: BLE001 - that it has no type of ours is the outcome
        return Ending("untyped error", f"{type(error).__name__}: {error}")
    return Ending("right")


def is_good(quirk: Quirk, ending: Ending) -> bool:
    """Whether a client may make this of the quirk."""
    if ending.outcome == "right":
        return quirk.must != "error"
    if ending.outcome != "typed error" or quirk.must == "right":
        return False
    if quirk.kind is not None and quirk.kind not in ending.kinds:
        return False
    return quirk.code in {None, ending.code} and quirk.word in ending.detail
