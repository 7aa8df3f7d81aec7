"""The heads that this machine has seen, and the keys of the server that sign them.

Heads are kept in a file per server and account that its owner alone can read. Each key is signed by the one before it,
and each head by one of them.
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import MsgspecError, Struct, field, json
from msgspec.structs import replace

from skyshelf.client.errors import ConfigurationError, LocalFileError
from skyshelf.client.local.files import user_folder, write_private
from skyshelf.wire.proofs.heads import KEY_NAME, NOTE_BYTES_MAX, SignedHead, key_hash, key_id, read_note, succession
from skyshelf.wire.resources.history import KeyOfHistory

HEADS_MAX: Final = 64
"""Heads that are kept. Each was proven to be continued by the next, so those in the middle can go."""
_BYTES_MAX: Final = 1024 * 1024


class KeptRecords(Struct, frozen=True, kw_only=True):
    """Which records the server must still have: it said for how many days it keeps them, and showed them."""

    days: int | None = None
    first_of_day: dict[int, int] = field(default_factory=dict)
    """The first change of each day (since 1970, in UTC) whose record was verified."""
    forgotten: int = 0
    """The user has accepted that the records of changes below this number are gone."""


class KeptHeads(Struct, frozen=True, kw_only=True):
    """What is known of an account's log: notes from the oldest to the newest, and the ids of keys that signed them."""

    server: str
    account: str
    notes: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    checked: int = 0
    """How many changes of the log were read and verified."""
    records: KeptRecords = field(default_factory=KeptRecords)
    refused: list[str] = field(default_factory=list)
    """Heads that did not fit: evidence against the server."""
    former: list[str] = field(default_factory=list)
    """Heads from before a restore that the user has accepted."""

    def heads(self) -> list[SignedHead]:
        try:
            return [read_note(note) for note in self.notes]
        except ValueError as wrong:
            raise LocalFileError(f"the kept heads of {self.server} cannot be read: {wrong}; delete the file") from None

    def with_head(self, note: str, key: str, checked: int, records: KeptRecords) -> "KeptHeads":
        notes = self.notes if note in self.notes else [*self.notes, note]
        if len(notes) > HEADS_MAX:
            notes = [notes[0], *notes[-(HEADS_MAX - 1) :]]
        keys = self.keys if key in self.keys else [*self.keys, key]
        return replace(self, notes=notes, keys=keys, checked=checked, records=records)

    def with_refused(self, note: str) -> "KeptHeads":
        return self if note in self.refused else replace(self, refused=[*self.refused, note][-HEADS_MAX:])

    def begun_again(self) -> "KeptHeads":
        """Start again after a restore that the user accepts: earlier heads no longer count, and stay in the file."""
        former = [*self.former, *self.notes][-HEADS_MAX:]
        return KeptHeads(server=self.server, account=self.account, refused=self.refused, former=former)


class HeadsFile:
    """Where the heads of one account are kept; by default below XDG_STATE_HOME or ~/.local/state."""

    def __init__(self, server: str, account: str, folder: Path | None = None) -> None:
        self._server = server
        self._account = account
        name = hashlib.sha256(f"{server}\n{account.upper()}".encode()).hexdigest()[:32]
        self.path = (folder or user_folder("XDG_STATE_HOME", ".local/state") / "history-heads") / f"{name}.json"

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
            # Continuing without them would hide exactly what they are kept to find.
            raise LocalFileError(
                f"the kept heads in {self.path} cannot be read: restore the file, or delete it to begin again"
            ) from None

    def write(self, kept: KeptHeads) -> None:
        try:
            write_private(self.path, json.format(json.encode(kept), indent=2) + b"\n")
        except OSError as error:
            raise LocalFileError(f"cannot write the kept heads to {self.path}: {error.strerror}") from None


# Heads in files that were exported.


def joined_notes(notes: Sequence[str]) -> str:
    """Join heads into one text; any of them alone is one, too."""
    return "".join(notes)


def split_notes(text: str) -> list[str]:
    """Split a text that `joined_notes` or another machine has written into heads; ValueError if it has none."""
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


class MismatchError(Exception):
    """Something does not fit; the text is a sentence for the user."""


class Key(Struct, frozen=True):
    """A key that is published, and whose predecessors have signed it."""

    id: str
    public: bytes
    created_at: int
    retired_at: int | None


def chain_of(published: Sequence[KeyOfHistory]) -> list[Key]:
    """Return the published keys, oldest first; MismatchError unless each is signed by the one before it."""
    keys: list[Key] = []
    for one in published:
        public = decoded(one.public_key)
        if len(public) != 32 or one.key_id != key_id(public):
            raise MismatchError(f"The server publishes a key whose id is not its own: {one.key_id}.")
        if keys:
            signed = succession(keys[-1].id, public, one.created_date or 0)
            if not is_signed(keys[-1].public, decoded(one.signature), signed):
                raise MismatchError(f"The key {one.key_id} is not signed by the key before it, {keys[-1].id}.")
        keys.append(Key(one.key_id, public, one.created_date or 0, one.retired_date))
    return keys


def check_known(known: Sequence[str], keys: Sequence[Key]) -> None:
    """Raise MismatchError unless all keys that signed the kept heads are still published."""
    published = {key.id for key in keys}
    for one in known:
        if one not in published:
            raise MismatchError(
                f"The key {one} signed heads that you keep, and the server no longer publishes it: its keys were"
                " replaced."
            )


def signer_of(signed: SignedHead, keys: Sequence[Key], what: str) -> int:
    """Return the number of the key that signed a head; MismatchError if none did, or one that was retired by then."""
    for number, key in enumerate(keys):
        if key_hash(key.id) != signed.key_hash:
            continue
        if not is_signed(key.public, signed.signature, signed.head.text()):
            break
        if key.retired_at is not None and signed.head.time > key.retired_at:
            raise MismatchError(f"{what} is signed with the key {key.id}, which had been retired before.")
        return number
    raise MismatchError(f"{what} is not signed by any key of this server.")


def is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise ConfigurationError(
            "signatures cannot be verified without the package cryptography: run `pip install 'skyshelf[proof]'`"
        ) from None
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def decoded(text: str | None) -> bytes:
    """Decode base64 that a server sent; empty where it is not valid."""
    try:
        return base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        return b""
