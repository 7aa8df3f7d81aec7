"""Which machine serves an embedded store: a lease in a file beside the database.

SQLite's locks hold the processes of one machine apart. Two machines that share a folder have nothing in common but
what they read from it, and would write over each other's rows, also where the file system claims to have locks. So a
server notes its machine beside the database every few seconds, and nothing of another machine opens it for writing
while that note changes.

- After a crash the note no longer changes, and after a few seconds of watching it counts no longer: nobody has to
  delete anything, and no clock is compared with another.
- A machine is one run of one kernel: containers on it share the memory and the locks that SQLite needs.
- A server that was halted for long, such as a virtual machine, finds the note of another one when it goes on, and ends.
"""

import logging
import os
import secrets
import socket
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.storage.errors import StoreInUse
from skyshelf.storage.space import give_to_owner_of

BEAT_SECONDS: Final = 3.0
WATCH_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 0.5
_BYTES: Final = 512
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_log = logging.getLogger("skyshelf.storage")


class Holder(msgspec.Struct, frozen=True):
    """The note of a server."""

    machine: str
    host: str
    """The name of the machine, for people."""
    beat: str
    """Differs in every note."""


def this_machine() -> str:
    """Return an id of this run of this machine's kernel."""
    try:
        return _BOOT.read_text("ascii").strip()
    except OSError:
        return f"{socket.gethostname()}-{uuid.getnode():x}"


def lease_file(metadata: Path) -> Path:
    """Return the file of the lease on a database."""
    return metadata.with_name(f"{metadata.name}-host")


def refuse_other_machine(metadata: Path, machine: str | None = None) -> None:
    """Raise StoreInUse if a server of another machine uses the database; nothing is written."""
    file, machine = lease_file(metadata), machine or this_machine()
    first = _read(file)
    if first is None or first.machine == machine:
        return
    _log.warning(
        "the server on %s used %s last and was not stopped: waiting %.0f s to see whether it still runs",
        first.host,
        metadata.parent,
        WATCH_SECONDS,
    )
    until = time.monotonic() + WATCH_SECONDS
    while time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
        seen = _read(file)
        if seen is None or seen.machine == machine:
            return
        if seen != first:
            raise _in_use(metadata, seen)


class HostLease:
    """The lease of a server of this machine."""

    def __init__(self, metadata: Path, machine: str | None = None) -> None:
        self._metadata = metadata
        self._file = lease_file(metadata)
        self._machine = machine or this_machine()
        self._next = 0.0
        self._has_failed = False

    def refuse_others(self) -> None:
        """Raise StoreInUse if another machine has the lease."""
        refuse_other_machine(self._metadata, self._machine)

    def take(self) -> None:
        """Take the lease, which other processes of this machine may have, too; a new store gets it a moment later."""
        if self._metadata.exists():
            self._note()

    def renew(self) -> None:
        """Renew the lease when it is time to; StoreInUse if another machine has taken it since then."""
        if time.monotonic() < self._next:
            return
        holder = _read(self._file)
        if holder is not None and holder.machine != self._machine:
            raise _in_use(self._metadata, holder)
        self._note()

    def release(self) -> None:
        """Give the lease up, so that another machine need not wait."""
        holder = _read(self._file)
        if holder is not None and holder.machine == self._machine:
            with suppress(OSError):
                self._file.unlink()

    def _note(self) -> None:
        """Write the note in place: that works on a full disk, too."""
        self._next = time.monotonic() + BEAT_SECONDS
        holder = Holder(self._machine, socket.gethostname()[:64], secrets.token_hex(8))
        try:
            is_new = not self._file.exists()
            file = os.open(self._file, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                os.pwrite(file, msgspec.json.encode(holder).ljust(_BYTES), 0)
                if is_new:
                    give_to_owner_of(self._metadata.parent, file)
            finally:
                os.close(file)
        except OSError as problem:
            if not self._has_failed:
                _log.warning("cannot note at %s that this machine serves the store: %s", self._file, problem.strerror)
            self._has_failed = True
        else:
            self._has_failed = False


def _read(file: Path) -> Holder | None:
    """What is noted; None where nothing is, and for what no server has written."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Holder)
    except (OSError, msgspec.DecodeError):
        return None


def _in_use(metadata: Path, holder: Holder) -> StoreInUse:
    return StoreInUse(
        f"{metadata.parent} is in use by a server on {holder.host}, another machine, and two would destroy the"
        " database: stop that server first, or run the command there. Several machines need PostgreSQL and a shared"
        " place for the file contents"
    )
