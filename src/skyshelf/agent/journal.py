"""A journal of every change that a tool makes, with the calls that would undo it.

It is a file of JSON lines that only its owner can read. A change is written down before it is made and again when
its outcome is known, so that a change which a crash cut off is still told of.
"""

import os
import secrets
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, json, structs

from skyshelf.agent.tool import Call
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import translate_os_errors
from skyshelf.wire.times import to_rfc3339

State = Literal["begun", "done", "failed", "undone"]

_NAME: Final = "agent-journal.jsonl"


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change. `undo` is None where nothing was changed or nobody knows, and empty where nothing can undo it."""

    id: str
    state: State
    time: str = ""
    tool: str = ""
    arguments: dict[str, object] = {}
    account: str = ""
    undo: tuple[Call, ...] | None = None

    def later(self, line: "Entry") -> "Entry":
        """The entry after a further line about it."""
        return structs.replace(self, state=line.state, undo=self.undo if line.undo is None else line.undo)


def account_mark(server: str, user_id: str) -> str:
    """What tells accounts apart in the journal without naming them."""
    return sha256(f"{server}\n{user_id.upper()}".encode()).hexdigest()[:16]


class Journal:
    """The file. Several processes may write to it at once: each line is one write at the end of the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Journal":
        """The journal of the user who runs the bridge."""
        home = environment.get("XDG_STATE_HOME")
        base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "state"
        return cls(base / "skyshelf" / _NAME)

    def begin(self, tool: str, arguments: dict[str, object], account: str) -> str:
        """Write down that a change is about to be made; its id. A change that cannot be written down is not made."""
        now = time.time_ns() // 1_000_000
        entry = Entry(
            id=f"{now:x}-{secrets.token_hex(3)}",
            state="begun",
            time=to_rfc3339(now),
            tool=tool,
            arguments={name: value for name, value in arguments.items() if name != "confirm"},
            account=account,
        )
        self._append(entry)
        return entry.id

    def end(self, identifier: str, state: State, undo: tuple[Call, ...] | None = None) -> None:
        """Write down how it ended."""
        self._append(Entry(id=identifier, state=state, undo=undo))

    def entries(self) -> list[Entry]:
        """Every change, oldest first; a line that a crash cut off is passed over."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as wrong:
            raise LocalFileError(f"the journal cannot be read: {wrong.strerror}") from None
        found: dict[str, Entry] = {}
        for line in lines:
            try:
                entry = json.decode(line, type=Entry)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if entry.id in found:
                found[entry.id] = found[entry.id].later(entry)
            elif entry.tool:
                found[entry.id] = entry
        return list(found.values())

    def _append(self, entry: Entry) -> None:
        with translate_os_errors("cannot write the journal of the agent"):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
            file = os.open(self.path, flags, 0o600)
            try:
                size = os.fstat(file).st_size
                # A line that a crash cut off must not swallow the next one.
                whole = size == 0 or os.pread(file, 1, size - 1) == b"\n"
                os.write(file, (b"" if whole else b"\n") + json.encode(entry) + b"\n")
                os.fsync(file)
            finally:
                os.close(file)
