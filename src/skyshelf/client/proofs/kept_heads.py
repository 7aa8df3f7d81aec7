"""The heads that this machine has seen, in a file per server and account that its owner alone can read."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import MsgspecError, Struct, field, json
from msgspec.structs import replace

from skyshelf.client.errors import LocalFileError
from skyshelf.wire.proofs.heads import KEY_NAME, NOTE_BYTES_MAX, SignedHead, read_note

HEADS_MAX: Final = 64
"""Heads that are kept. Each was proven to be continued by the next, so those in the middle can go."""
_BYTES_MAX: Final = 1024 * 1024


class KeptHeads(Struct, frozen=True, kw_only=True):
    """What is known of an account's log: notes from the oldest to the newest, and the ids of keys that signed them."""

    server: str
    account: str
    notes: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    checked: int = 0
    """How many changes of the log were read and verified."""
    refused: list[str] = field(default_factory=list)
    """Heads that did not fit: evidence against the server."""
    former: list[str] = field(default_factory=list)
    """Heads from before a restore that the user has accepted."""

    def heads(self) -> list[SignedHead]:
        try:
            return [read_note(note) for note in self.notes]
        except ValueError as wrong:
            raise LocalFileError(f"the kept heads of {self.server} cannot be read: {wrong}; delete the file") from None

    def with_head(self, note: str, key: str, checked: int) -> "KeptHeads":
        notes = self.notes if note in self.notes else [*self.notes, note]
        if len(notes) > HEADS_MAX:
            notes = [notes[0], *notes[-(HEADS_MAX - 1) :]]
        keys = self.keys if key in self.keys else [*self.keys, key]
        return replace(self, notes=notes, keys=keys, checked=checked)

    def with_refused(self, note: str) -> "KeptHeads":
        return self if note in self.refused else replace(self, refused=[*self.refused, note][-HEADS_MAX:])

    def begun_again(self) -> "KeptHeads":
        """After a restore that the user accepts: earlier heads no longer count, and stay in the file."""
        former = [*self.former, *self.notes][-HEADS_MAX:]
        return KeptHeads(server=self.server, account=self.account, refused=self.refused, former=former)


class HeadsFile:
    """Where the heads of one account are kept."""

    def __init__(self, server: str, account: str, folder: Path | None = None) -> None:
        self._server = server
        self._account = account
        name = hashlib.sha256(f"{server}\n{account.upper()}".encode()).hexdigest()[:32]
        self.path = (folder or default_folder()) / f"{name}.json"

    def read(self) -> KeptHeads:
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return KeptHeads(server=self._server, account=self._account)
        except OSError as error:
            raise LocalFileError(f"cannot read the kept heads in {self.path}: {error.strerror}") from None
        try:
            return json.decode(text, type=KeptHeads)
        except (MsgspecError, UnicodeDecodeError):
            # Going on without them would hide exactly what they are kept for.
            raise LocalFileError(
                f"the kept heads in {self.path} cannot be read: restore the file, or delete it to begin again"
            ) from None

    def write(self, kept: KeptHeads) -> None:
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}.{os.urandom(4).hex()}")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
            with os.fdopen(file, "wb") as opened:
                opened.write(json.format(json.encode(kept), indent=2) + b"\n")
                opened.flush()
                os.fsync(opened.fileno())
            temporary.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise LocalFileError(f"cannot write the kept heads to {self.path}: {error.strerror}") from None


def default_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """`skyshelf/history-heads` below XDG_STATE_HOME or ~/.local/state."""
    home = environment.get("XDG_STATE_HOME")
    base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "state"
    return base / "skyshelf" / "history-heads"


# Heads in files that were exported.


def joined_notes(notes: Sequence[str]) -> str:
    """Heads as one text; any of them alone is one, too."""
    return "".join(notes)


def split_notes(text: str) -> list[str]:
    """The heads in a text that `joined_notes` or another machine has written; ValueError if there is none."""
    if len(text) > _BYTES_MAX:
        raise ValueError("it is too large for a file of heads")
    notes: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith(f"{KEY_NAME}/"):
            notes.append("")
        if notes and len(notes[-1]) <= NOTE_BYTES_MAX:
            notes[-1] += line
    if not notes:
        raise ValueError("it has no head of a history")
    for note in notes:
        read_note(note)
    return notes
