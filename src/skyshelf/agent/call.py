"""A call of a tool: the types its arguments are made of, and the result it gives."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from skyshelf.client.errors import SkyshelfError
from skyshelf.wire.limits import BATCH_ENTRIES_MAX

RESULTS_MAX: Final = 2000
"""The largest `limit` a caller can ask for."""


class Arguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every tool's arguments; unknown names and other types are refused."""


# The length as well as the pattern: `$` alone would let a trailing line break through.
Key = Annotated[
    str,
    Meta(
        pattern="^[0-9A-Fa-f]{32}$",
        max_length=32,
        description="The object's key: 32 hexadecimal digits, as returned by other tools.",
    ),
]
Keys = Annotated[
    list[Key],
    Meta(min_length=1, max_length=BATCH_ENTRIES_MAX, description="The objects' keys, as returned by other tools."),
]
Limit = Annotated[
    int, Meta(ge=1, le=RESULTS_MAX, description="Maximum number of entries to return; `count` is the total.")
]
Extension = Annotated[
    str, Meta(min_length=1, max_length=64, description="Only files with this extension, such as jpg.")
]
Confirm = Annotated[
    bool,
    Meta(description="Must be true, and only after the user has agreed to exactly this call. Otherwise nothing runs."),
]


class ToolCall(Struct, frozen=True):
    """A call that can be stored and made later."""

    tool: str
    arguments: dict[str, object]


class ToolResult(Struct, frozen=True, kw_only=True):
    """What a tool returns: the result, the total count, and the calls that would undo it.

    `undo` is None if nothing changed, and empty if the change cannot be undone. With an `error` the call failed;
    `undo` still covers the part that succeeded.
    """

    result: object = None
    count: int | None = None
    undo: tuple[ToolCall, ...] | None = None
    error: SkyshelfError | None = None
