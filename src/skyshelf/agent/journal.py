"""The journal: every change a tool makes, with what it costs and the calls that would undo it.

It is a JSON Lines file that only its owner can read. A change is recorded before it is made and again once its
outcome is known, so one cut off by a crash is still listed, and can be undone if the calls were known before. One
process appends at a time, so a session that runs in two processes spends one budget.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from errno import ENOSPC
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, json, structs

from skyshelf.agent.call import ToolCall
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import translate_os_errors
from skyshelf.wire.times import to_rfc3339

State = Literal["begun", "done", "failed", "undone", "left", "planned", "spent"]
"""`left`: an undo could not undo all of it. `spent` is no change, but bytes that a session downloaded."""

_NAME: Final = "agent-journal.jsonl"


class Cost(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a call takes from the budget of its session."""

    objects: int = 0
    deletions: int = 0
    renames: int = 0
    bytes: int = 0


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change. `undo` is None if nothing changed or the outcome is unknown, and empty if it cannot be undone."""

    id: str
    state: State
    time: str = ""
    tool: str = ""
    arguments: dict[str, object] = {}
    account: str = ""
    session: str = ""
    """The changeset that it belongs to; empty in journals of earlier versions."""
    undo: tuple[ToolCall, ...] | None = None
    left: dict[str, str] = {}
    """What the last undo left, by the object's key, and why; the key is empty for the whole change."""
    cost: Cost | None = None

    @property
    def is_open(self) -> bool:
        """Whether an undo has something to do, or to find out."""
        return self.state in {"begun", "left"} or (self.state == "done" and bool(self.undo))

    def updated(self, line: "Entry") -> "Entry":
        """The entry after a later line with the same id."""
        undo = self.undo if line.undo is None else line.undo
        return structs.replace(self, state=line.state, undo=undo, left=line.left)


def account_fingerprint(server: str, user_id: str) -> str:
    """Identifies an account in the journal without naming it."""
    return sha256(f"{server}\n{user_id.upper()}".encode()).hexdigest()[:16]


Since: TypeAlias = Callable[[int | None], tuple[list[Entry], int]]
"""Reads the journal's lines from an offset; returns them and the offset after them. None is the end."""
Admit: TypeAlias = Callable[[Since], None]
"""Looks at the journal before a line is appended, and raises if it may not be."""


class Journal:
    """The journal file. Several processes may write to it: each line is one append."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Journal":
        """The current user's journal, below XDG_STATE_HOME or ~/.local/state."""
        home = environment.get("XDG_STATE_HOME")
        base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "state"
        return cls(base / "skyshelf" / _NAME)

    def begin(
        self,
        tool: str,
        arguments: dict[str, object],
        account: str,
        *,
        session: str = "",
        cost: Cost | None = None,
        admit: Admit | None = None,
    ) -> str:
        """Record a change about to be made and return its id; if this fails, the change must not be made.

        `admit` may refuse the change; no other process can append until it has decided.
        """
        now = time.time_ns() // 1_000_000
        entry = Entry(
            id=f"{now:x}-{secrets.token_hex(3)}",
            state="begun",
            time=to_rfc3339(now),
            tool=tool,
            arguments={name: value for name, value in arguments.items() if name != "confirm"},
            account=account,
            session=session,
            cost=cost,
        )
        self._append(entry, admit)
        return entry.id

    def intend(self, identifier: str, undo: tuple[ToolCall, ...]) -> None:
        """Record, before a change is made, the calls that would undo it."""
        self._append(Entry(id=identifier, state="begun", undo=undo))

    def end(
        self,
        identifier: str,
        state: State,
        undo: tuple[ToolCall, ...] | None = None,
        *,
        left: dict[str, str] | None = None,
    ) -> None:
        """Record the outcome."""
        self._append(Entry(id=identifier, state=state, undo=undo, left=left or {}))

    def spend(self, session: str, octets: int, admit: Admit) -> str:
        """Record bytes that a session is about to transfer, or gives back; returns an id."""
        identifier = f"spent-{secrets.token_hex(8)}"
        self._append(Entry(id=identifier, state="spent", session=session, cost=Cost(bytes=octets)), admit)
        return identifier

    def entries(self) -> list[Entry]:
        """Every change, oldest first; lines truncated by a crash are skipped."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise LocalFileError(f"cannot read the agent's journal: {error.strerror}") from None
        found: dict[str, Entry] = {}
        for entry in _decoded(lines):
            if entry.id in found:
                found[entry.id] = found[entry.id].updated(entry)
            elif entry.tool:
                found[entry.id] = entry
        return list(found.values())

    def _append(self, entry: Entry, admit: Admit | None = None) -> None:
        with translate_os_errors("cannot write the agent's journal"):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
            file = os.open(self.path, flags, 0o600)
            try:
                _wait_for_lock(file)
                if admit is not None:
                    admit(partial(_lines_since, file))
                size = os.fstat(file).st_size
                # Start a new line after one truncated by a crash.
                is_complete = size == 0 or os.pread(file, 1, size - 1) == b"\n"
                line = (b"" if is_complete else b"\n") + json.encode(entry) + b"\n"
                if os.write(file, line) < len(line):
                    # The last bytes of a disk: what is not recorded whole must not be done.
                    raise OSError(ENOSPC, os.strerror(ENOSPC))
                os.fsync(file)
            finally:
                os.close(file)


def _decoded(lines: Iterable[bytes]) -> Iterator[Entry]:
    """The lines that can be read; those truncated by a crash are left out."""
    for line in lines:
        try:
            yield json.decode(line, type=Entry)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue


def _lines_since(file: int, offset: int | None) -> tuple[list[Entry], int]:
    """The lines of an open file from an offset, and the offset after them; None is the end."""
    size = os.fstat(file).st_size
    if offset is None or offset > size:
        return [], size
    octets = os.pread(file, size - offset, offset)
    whole = octets[: octets.rfind(b"\n") + 1]
    return list(_decoded(whole.splitlines())), offset + len(whole)


def _wait_for_lock(file: int) -> None:
    """Wait until no other process has the file locked; closing it gives the lock back."""
    try:
        import fcntl
    except ImportError:
        return
    # Some network file systems do not support locks.
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX)
