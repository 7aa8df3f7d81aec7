"""What a tool is: its name, its words for a model, its arguments, its result, and what it may do."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from skyshelf.client.errors import SkyshelfError
from skyshelf.wire.limits import BATCH_ENTRIES_MAX

if TYPE_CHECKING:
    from skyshelf.agent.context import ToolContext

RESULTS_MAX = 2000
"""Entries that one result can be asked to hold."""


class Arguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tool takes; nothing that it does not name, and nothing of another type."""


# The length beside the pattern: a pattern alone lets a line break follow.
Key = Annotated[
    str,
    Meta(
        pattern="^[0-9A-Fa-f]{32}$",
        max_length=32,
        description="The key of an object: 32 hexadecimal digits, as other tools show it.",
    ),
]
Keys = Annotated[
    list[Key],
    Meta(min_length=1, max_length=BATCH_ENTRIES_MAX, description="The keys of the objects, as other tools show them."),
]
Limit = Annotated[
    int,
    Meta(
        ge=1,
        le=RESULTS_MAX,
        description="How many entries the result may hold; `count` tells how many there are in all.",
    ),
]
Text = Annotated[str, Meta(max_length=4096)]
Extension = Annotated[
    str, Meta(min_length=1, max_length=64, description="Only files with this extension, such as jpg.")
]
Confirm = Annotated[
    bool,
    Meta(description="Must be true, and only after the user has agreed to exactly this call. Without it nothing runs."),
]


class Call(Struct, frozen=True):
    """A call of a tool, as it can be written down and made later."""

    tool: str
    arguments: dict[str, object]


class Answer(Struct, frozen=True, kw_only=True):
    """What a tool did: its result, how many there are in all, and the calls that would undo it.

    `undo` is None where nothing was changed, and empty where nothing can undo it. With an `error` the call failed;
    what it had changed before that is still told by `undo`.
    """

    result: object = None
    count: int | None = None
    undo: tuple[Call, ...] | None = None
    error: SkyshelfError | None = None


Run: TypeAlias = "Callable[[ToolContext, Any], Awaitable[Answer]]"
Ask: TypeAlias = "Callable[[ToolContext, Any], Awaitable[str]]"

CUT: Final = "Where `count` is larger than the number of results, the result was cut at `limit`."
"""What is said of every tool that cuts its result."""


class Tool(Struct, frozen=True, kw_only=True):
    """One tool; everything that is said or checked about it anywhere is derived from this.

    A `local` tool writes to this machine and changes nothing on the server. An `open_world` tool reaches people beyond
    the account. A guarded tool has a question for the user, `ask`, which names what it is about to do.
    """

    name: str
    words: str
    arguments: type[Arguments]
    result: object
    run: Run
    guarded: bool = False
    read_only: bool = False
    local: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False
    ask: "Ask | None" = None

    @property
    def cuts(self) -> bool:
        """Whether its result can be shorter than what there is."""
        return "limit" in self.arguments.__struct_fields__

    @property
    def description(self) -> str:
        """What a model is told of it."""
        return f"{self.words} {CUT}" if self.cuts else self.words
