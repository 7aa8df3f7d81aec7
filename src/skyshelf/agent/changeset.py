"""A changeset: everything that one agent session changes, with one id, a budget and one undo.

The server notes the id with every change, so history can show, and a rewind can undo, what the agent did. What the
session has spent is in the journal, so a bridge that is started again with the same id goes on with what is left.
"""

import re
import secrets
import sys
from typing import Final

from msgspec import Struct

from skyshelf.agent.errors import BUDGET_EXCEEDED, ToolRefusal
from skyshelf.agent.journal import Cost, Journal, Since
from skyshelf.agent.tool import ReportProgress
from skyshelf.wire.sizes import format_size

PREFIX: Final = "agent-"
_ID: Final = re.compile(r"agent-[0-9a-f]{16}")
_STEP_BYTES: Final = 16 * 1024 * 1024
"""How many bytes are noted in the journal at once, where the size of a download is not known."""


class Budget(Struct, frozen=True, kw_only=True):
    """How much a session may change, delete, rename and transfer at most."""

    objects: int = 1000
    deletions: int = 100
    renames: int = 100
    bytes: int = 10 * 1024**3


class Changeset:
    """One session of an agent, new or continued. In a dry run, nothing changes."""

    def __init__(self, budget: Budget | None = None, *, dry_run: bool = False, session: str | None = None) -> None:
        if session is not None and not _ID.fullmatch(session):
            raise ValueError("a session is agent- and 16 hexadecimal digits")
        self.id = session or f"{PREFIX}{secrets.token_hex(8)}"
        self.budget = budget or Budget()
        self.dry_run = dry_run
        self.journal: Journal | None = None
        self._costs: dict[str, Cost] = {}
        # Nothing can be in the journal about a new session.
        self._offset: int | None = None if session is None else 0
        self._renames_allowed = self.budget.renames

    @classmethod
    def unbounded(cls) -> "Changeset":
        """What belongs to no session."""
        most = sys.maxsize
        free = cls(Budget(objects=most, deletions=most, renames=most, bytes=most))
        free.id = ""
        return free

    @property
    def spent(self) -> Cost:
        """The sum of everything that the session has spent, as far as this process knows."""
        known = tuple(self._costs.values())
        return Cost(
            objects=sum(one.objects for one in known),
            deletions=sum(one.deletions for one in known),
            renames=sum(one.renames for one in known),
            bytes=sum(one.bytes for one in known),
        )

    def check(self, cost: Cost) -> None:
        """ToolRefusal if a call would exceed the budget."""
        spent = self.spent
        self._refuse_beyond("objects", spent.objects + cost.objects, self.budget.objects)
        self._refuse_beyond("deletions", spent.deletions + cost.deletions, self.budget.deletions)
        self._refuse_beyond("renames", spent.renames + cost.renames, self._renames_allowed)

    def asks_to_rename(self, cost: Cost) -> bool:
        """Whether the user has to agree before the session renames and moves even more."""
        return bool(cost.renames) and self.spent.renames + cost.renames > self._renames_allowed

    def question_to_rename(self, cost: Cost, question: str) -> str:
        """Ask the user whether the session may rename and move even more, before another question."""
        asked = (
            f"This session has renamed or moved {self.spent.renames:,} objects already. Let it go on with "
            f"{cost.renames:,} now and up to {self.budget.renames:,} after that?"
        )
        return f"{asked} {question}".rstrip()

    def allow_renames(self, cost: Cost) -> None:
        """Note that the user has agreed to this call, and to as many further renames as the budget has."""
        self._renames_allowed = max(self._renames_allowed, self.spent.renames + cost.renames + self.budget.renames)

    def admit(self, cost: Cost, since: Since) -> None:
        """Learn from the journal what the session has spent in other processes, then check a call."""
        self._learn(since)
        self.check(cost)

    def spend(self, identifier: str, cost: Cost) -> None:
        """Count a call that was admitted, by its id in the journal or any other."""
        self._costs[identifier] = cost

    def take_back(self, identifier: str) -> None:
        """Undo spend: the call has changed nothing."""
        self._costs.pop(identifier, None)

    def meter(self, report_progress: ReportProgress) -> "ByteMeter":
        """A progress callback of one call that also counts its bytes."""
        return ByteMeter(self, report_progress)

    def spend_bytes(self, octets: int) -> None:
        """Count bytes that are about to be transferred, or that were counted and were not; the journal notes them."""

        def admit(since: Since | None) -> None:
            if since is not None:
                self._learn(since)
            if octets > 0 and self.spent.bytes + octets > self.budget.bytes:
                raise ToolRefusal(
                    BUDGET_EXCEEDED,
                    f"this session may transfer {format_size(self.budget.bytes)}, and this would exceed it. "
                    "Ask the user to start the bridge with a larger --max-bytes.",
                )

        if self.journal is not None and self.id:
            self.spend(self.journal.spend(self.id, octets, admit), Cost(bytes=octets))
        else:
            admit(None)
            self.spend(secrets.token_hex(8), Cost(bytes=octets))

    def _learn(self, since: Since) -> None:
        if not self.id:
            return
        lines, self._offset = since(self._offset)
        for line in lines:
            if line.cost is not None and line.session == self.id:
                self._costs[line.id] = line.cost
            elif line.state == "failed":
                self._costs.pop(line.id, None)

    def _refuse_beyond(self, what: str, wanted: int, limit: int) -> None:
        if wanted > limit:
            raise ToolRefusal(
                BUDGET_EXCEEDED,
                f"this session has a budget of {limit:,} {what}, and this call would make it {wanted:,}. Nothing was "
                f"done. Ask the user to start the bridge with a larger --max-{what}.",
            )


class ByteMeter:
    """Counts the bytes of one call, a step ahead of them; ToolRefusal once they exceed the budget."""

    def __init__(self, changeset: Changeset, report_progress: ReportProgress) -> None:
        self._changeset = changeset
        self._report_progress = report_progress
        self._counted = 0
        self._reserved = 0

    def __call__(self, done: int, total: int | None, unit: str) -> None:
        """Note progress."""
        if unit.startswith("bytes"):
            self._counted = max(self._counted, done, total or 0)
            if self._counted > self._reserved:
                more, room = self._counted - self._reserved, self._changeset.budget.bytes - self._changeset.spent.bytes
                # The bytes themselves decide whether they fit, the step ahead does not.
                more = max(more, min(room, _STEP_BYTES)) if total is None else more
                self._changeset.spend_bytes(more)
                self._reserved += more
        self._report_progress(done, total, unit)

    def settle(self) -> None:
        """Give back what was counted ahead."""
        if self._reserved > self._counted:
            self._changeset.spend_bytes(self._counted - self._reserved)
            self._reserved = self._counted


def is_session(identifier: str) -> bool:
    """Whether an id is that of a session, and not that of one change."""
    return identifier.startswith(PREFIX)
