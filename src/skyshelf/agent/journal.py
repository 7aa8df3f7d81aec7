"""The journal: every change a tool makes, with the calls that would undo it.

It is a JSON Lines file that only its owner can read. A change is recorded before it is made and again once its
outcome is known, so one cut off by a crash is still listed.
"""

import os
import secrets
import time
from collections.abc import Mapping
from errno import ENOSPC
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, json, structs

from skyshelf.agent.call import ToolCall
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import translate_os_errors
from skyshelf.wire.times import to_rfc3339

State = Literal["begun", "done", "failed", "undone", "planned"]

_NAME: Final = "agent-journal.jsonl"


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

    def updated(self, line: "Entry") -> "Entry":
        """The entry after a later line with the same id."""
        return structs.replace(self, state=line.state, undo=self.undo if line.undo is None else line.undo)


def account_fingerprint(server: str, user_id: str) -> str:
    """Identifies an account in the journal without naming it."""
    return sha256(f"{server}\n{user_id.upper()}".encode()).hexdigest()[:16]


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

    def begin(self, tool: str, arguments: dict[str, object], account: str, *, session: str = "") -> str:
        """Record a change about to be made and return its id; if this fails, the change must not be made."""
        now = time.time_ns() // 1_000_000
        entry = Entry(
            id=f"{now:x}-{secrets.token_hex(3)}",
            state="begun",
            time=to_rfc3339(now),
            tool=tool,
            arguments={name: value for name, value in arguments.items() if name != "confirm"},
            account=account,
            session=session,
        )
        self._append(entry)
        return entry.id

    def end(self, identifier: str, state: State, undo: tuple[ToolCall, ...] | None = None) -> None:
        """Record the outcome."""
        self._append(Entry(id=identifier, state=state, undo=undo))

    def entries(self) -> list[Entry]:
        """Every change, oldest first; lines truncated by a crash are skipped."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise LocalFileError(f"cannot read the agent's journal: {error.strerror}") from None
        found: dict[str, Entry] = {}
        for line in lines:
            try:
                entry = json.decode(line, type=Entry)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if entry.id in found:
                found[entry.id] = found[entry.id].updated(entry)
            elif entry.tool:
                found[entry.id] = entry
        return list(found.values())

    def _append(self, entry: Entry) -> None:
        with translate_os_errors("cannot write the agent's journal"):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
            file = os.open(self.path, flags, 0o600)
            try:
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
