"""The definition of a tool: its name, description, arguments, result, what it may do, and what it works with."""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from inspect import Parameter, signature
from typing import Any, Final, TypeAlias

from msgspec import NODEFAULT, Struct, defstruct
from msgspec.structs import asdict

from skyshelf.agent.caches import ParentCache, SearchCache
from skyshelf.agent.call import Arguments, Confirm, ToolCall, ToolResult
from skyshelf.agent.contents import Contents, contents_of
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.journal import Cost
from skyshelf.agent.upload_root import UploadRoot
from skyshelf.client.async_client import AsyncClient

ReportProgress: TypeAlias = Callable[[int, int | None, str], None]
"""Called with the amount done, the total if known, and the unit."""


def ignore_progress(_done: int, _total: int | None, _unit: str) -> None:
    """For callers that do not show progress."""


Intend: TypeAlias = Callable[[tuple[ToolCall, ...]], Awaitable[None]]


async def _intend_nothing(_calls: tuple[ToolCall, ...]) -> None:
    """For calls that are not recorded."""


class ToolContext(Struct, frozen=True, kw_only=True):
    """What a tool works with: the client, the caches, the local folders and a progress callback.

    `intend` records the calls that would undo the change that is about to be made, in case its outcome is never known.
    """

    client: AsyncClient
    parents: ParentCache
    searches: SearchCache
    downloads: DownloadRoot
    uploads: UploadRoot | None = None
    report_progress: ReportProgress = ignore_progress
    intend: Intend = _intend_nothing
    counted: dict[frozenset[str], Contents] = {}

    async def contents(self, keys: Iterable[str]) -> Contents:
        """Count what objects contain, once per call."""
        wanted = frozenset(key.upper() for key in keys)
        if wanted not in self.counted:
            found = await self.parents.resolve(self.client, sorted(wanted))
            self.counted[wanted] = await contents_of(self.client, found)
        return self.counted[wanted]


Run: TypeAlias = Callable[..., Awaitable[ToolResult]]
Ask: TypeAlias = Callable[..., Awaitable[str]]
"""Functions of a ToolContext and, by their names, the arguments of the tool, without `confirm`."""

_LIMIT_NOTE: Final = "If `count` is larger than the number of results, the result was truncated at `limit`."


class Tool(Struct, frozen=True, kw_only=True):
    """One tool. Schemas, reference pages, the guard and MCP annotations are all derived from this.

    A `guarded` tool needs `confirm`, and `ask` builds the question for the user that names what is about to happen.
    A `local` tool writes to this machine and changes nothing on the server. An `open_world` tool affects people
    outside the account. A tool that `deletes` spends the budget of deletions, one that `renames` that of renames. Where
    it `takes_contents`, a folder counts with everything in it. One that `keeps_lines` returns a `text` with
    line breaks; those in other texts become spaces.
    """

    name: str
    summary: str
    arguments: type[Arguments]
    result: object
    run: Run
    guarded: bool = False
    read_only: bool = False
    local: bool = False
    destructive: bool = False
    deletes: bool = False
    renames: bool = False
    takes_contents: bool = False
    keeps_lines: bool = False
    idempotent: bool = False
    open_world: bool = False
    ask: Ask | None = None

    def call(self, ctx: ToolContext, arguments: Arguments) -> Awaitable[ToolResult]:
        """Run the tool with these arguments."""
        return self.run(ctx, **_values(arguments))

    def question(self, ctx: ToolContext, arguments: Arguments) -> Awaitable[str]:
        """Return the question for the user about a guarded call."""
        assert self.ask is not None
        return self.ask(ctx, **_values(arguments))

    async def cost(self, ctx: ToolContext, arguments: Arguments) -> tuple[Cost, bool]:
        """What a call takes from the budget, and whether that is all: a folder may be too large to be counted."""
        if self.read_only or self.local:
            return Cost(), True
        keys = {str(key).upper() for key in getattr(arguments, "object_keys", ())}
        objects, is_whole = len(keys) or 1, True
        if self.takes_contents:
            contents = await ctx.contents(keys)
            objects, is_whole = contents.objects, contents.whole
        renames = (len(keys) or 1) if self.renames else 0
        return Cost(objects=objects, deletions=objects if self.deletes else 0, renames=renames), is_whole

    @property
    def has_limit(self) -> bool:
        """Whether the result can be truncated."""
        return "limit" in self.arguments.__struct_fields__

    @property
    def description(self) -> str:
        """The description shown to a model."""
        return f"{self.summary} {_LIMIT_NOTE}" if self.has_limit else self.summary


def _values(arguments: Arguments) -> dict[str, Any]:
    return {name: value for name, value in asdict(arguments).items() if name != "confirm"}


def tool(summary: str, *, result: object, ask: Ask | None = None, **does: bool) -> Callable[[Run], Tool]:
    """Make a function the tool of its name; its keyword parameters declare the arguments.

    A tool with `ask` is guarded: `confirm` is added to its arguments. `does` sets other fields of `Tool`.
    """

    def declare(run: Run) -> Tool:
        _context, *own = signature(run).parameters.values()
        fields = [
            (one.name, one.annotation, NODEFAULT if one.default is Parameter.empty else one.default) for one in own
        ]
        guarded = ask is not None
        fields += [("confirm", Confirm, NODEFAULT)] if guarded else []
        name = run.__name__
        arguments: Any = defstruct(
            f"{name}_arguments", fields, bases=(Arguments,), frozen=True, kw_only=True, forbid_unknown_fields=True
        )
        return Tool(
            name=name, summary=summary, arguments=arguments, result=result, run=run, ask=ask, guarded=guarded, **does
        )

    return declare


reading_tool: Final = partial(tool, read_only=True, idempotent=True)
"""Declares a tool that changes nothing."""
