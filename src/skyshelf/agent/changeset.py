"""A changeset: everything that one agent session changes, with one id, a budget and one undo.

The server notes the id with every change, so history can show, and a rewind can undo, what the agent did.
"""

import secrets
import sys
from typing import Final

from msgspec import Struct

from skyshelf.agent.call import Arguments
from skyshelf.agent.errors import BUDGET_EXCEEDED, ToolRefusal
from skyshelf.agent.tool import ReportProgress, Tool
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import NotOfferedError
from skyshelf.wire.resources.history import HistoryEntry
from skyshelf.wire.resources.rewind import Rewind
from skyshelf.wire.sizes import format_size

PREFIX: Final = "agent-"
_RUNNING: Final = frozenset({"planning", "running"})


class Budget(Struct, frozen=True, kw_only=True):
    """How much a session may change and download at most."""

    objects: int = 1000
    deletions: int = 100
    bytes: int = 10 * 1024**3


class Changeset:
    """One session of an agent. In a dry run, nothing changes."""

    def __init__(self, budget: Budget | None = None, *, dry_run: bool = False) -> None:
        self.id = f"{PREFIX}{secrets.token_hex(8)}"
        self.budget = budget or Budget()
        self.dry_run = dry_run
        self.objects = 0
        self.deletions = 0
        self.bytes = 0

    @classmethod
    def unbounded(cls) -> "Changeset":
        """What belongs to no session."""
        free = cls(Budget(objects=sys.maxsize, deletions=sys.maxsize, bytes=sys.maxsize))
        free.id = ""
        return free

    def spend(self, tool: Tool, arguments: Arguments) -> None:
        """Count a call before it is made; ToolRefusal if it would exceed the budget."""
        objects, deletions = _cost(tool, arguments)
        self._refuse_beyond("objects", self.objects + objects, self.budget.objects)
        self._refuse_beyond("deletions", self.deletions + deletions, self.budget.deletions)
        self.objects += objects
        self.deletions += deletions

    def take_back(self, tool: Tool, arguments: Arguments) -> None:
        """Undo spend: the call has changed nothing."""
        objects, deletions = _cost(tool, arguments)
        self.objects -= objects
        self.deletions -= deletions

    def counting(self, report_progress: ReportProgress) -> ReportProgress:
        """A progress callback of one call that also counts its bytes; ToolRefusal once they exceed the budget."""
        counted = 0

        def report(done: int, total: int | None, unit: str) -> None:
            nonlocal counted
            if unit.startswith("bytes"):
                more = max(done, total or 0) - counted
                if more > 0:
                    if self.bytes + more > self.budget.bytes:
                        raise ToolRefusal(
                            BUDGET_EXCEEDED,
                            f"this session may download {format_size(self.budget.bytes)}, and this would exceed it. "
                            "Ask the user to start the bridge with a larger --max-bytes.",
                        )
                    self.bytes += more
                    counted += more
            report_progress(done, total, unit)

        return report

    def _refuse_beyond(self, what: str, wanted: int, limit: int) -> None:
        if wanted > limit:
            raise ToolRefusal(
                BUDGET_EXCEEDED,
                f"this session has a budget of {limit} {what}, and this call would make it {wanted}. Nothing was done. "
                f"Ask the user to start the bridge with a larger --max-{what}.",
            )


def is_session(identifier: str) -> bool:
    """Whether an id is that of a session, and not that of one change."""
    return identifier.startswith(PREFIX)


def _cost(tool: Tool, arguments: Arguments) -> tuple[int, int]:
    """How many objects a call changes, and how many of them it deletes."""
    if tool.read_only or tool.local:
        return 0, 0
    keys = getattr(arguments, "object_keys", None)
    objects = len({str(key).upper() for key in keys}) if keys else 1
    return objects, objects if tool.deletes else 0


async def rewound_session(client: AsyncClient, session: str) -> Rewind | None:
    """The rewind of a session, once it has ended; None if the server has no history of the session.

    A rewind of an earlier call whose answer was lost is waited for, instead of starting a second one.
    """
    try:
        newest = oldest = None
        async for entry in client.history.entries(session_id=session):
            newest, oldest = newest or entry, entry
        if newest is None or oldest is None:
            return None
        known = _earlier(await client.rewinds.list(), session, newest)
    except NotOfferedError:
        return None
    if known is None:
        known = await client.rewinds.start(to_number=(oldest.number or 1) - 1, session_id=session)
    return await client.rewinds.wait(known.rewind_key or "")


def _earlier(rewinds: list[Rewind], session: str, newest: HistoryEntry) -> Rewind | None:
    """A rewind of the session that runs, or has undone its newest change; not one that was itself undone."""
    undone = {one.undo_of for one in rewinds}
    for one in rewinds:
        is_whole = one.state in _RUNNING or (one.state == "done" and (one.created_date or 0) >= (newest.date or 0))
        if one.session_id == session and is_whole and one.rewind_key not in undone:
            return one
    return None
