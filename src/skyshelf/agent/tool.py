"""The definition of a tool: its name, description, arguments, result, and what it may do."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from msgspec import Struct

from skyshelf.agent.call import Arguments, ToolResult
from skyshelf.agent.context import ToolContext

Run: TypeAlias = Callable[[ToolContext, Any], Awaitable[ToolResult]]
Ask: TypeAlias = Callable[[ToolContext, Any], Awaitable[str]]

_LIMIT_NOTE: Final = "If `count` is larger than the number of results, the result was truncated at `limit`."


class Tool(Struct, frozen=True, kw_only=True):
    """One tool. Schemas, reference pages, the guard and MCP annotations are all derived from this.

    A `guarded` tool needs `confirm`, and `ask` builds the question for the user that names what is about to happen.
    A `local` tool writes to this machine and changes nothing on the server. An `open_world` tool affects people
    outside the account. A tool that `deletes` spends the budget of deletions.
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
    idempotent: bool = False
    open_world: bool = False
    ask: Ask | None = None

    @property
    def has_limit(self) -> bool:
        """Whether the result can be truncated."""
        return "limit" in self.arguments.__struct_fields__

    @property
    def description(self) -> str:
        """The description shown to a model."""
        return f"{self.summary} {_LIMIT_NOTE}" if self.has_limit else self.summary
