"""What every use-case works with: the stores, the clock, the randomness and the operator's rules."""

import os
import threading
import time
from typing import Protocol

import msgspec

from skyshelf.service.media.pool import Workers
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire import limits
from skyshelf.wire.keys import make_key

# Who waits for work of this process, and how they are told that there is some.


class JobNotifier:
    """Rung after a job is put that somebody waits for. Other processes do not hear it, and look by themselves."""

    def __init__(self) -> None:
        self._listeners: list[threading.Event] = []

    def tell(self, listener: threading.Event) -> None:
        """Set this event whenever it rings, from now on."""
        self._listeners.append(listener)

    def notify(self) -> None:
        """There is work; to be called after the commit, since whoever comes before finds nothing."""
        for listener in self._listeners:
            listener.set()


# What every use-case works with: the stores, the clock, the randomness and the operator's rules.


class Clock(Protocol):
    def now(self) -> int:
        """Epoch milliseconds, UTC."""


class Randomness(Protocol):
    def bytes(self, count: int) -> bytes:
        """Unpredictable bytes."""


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000


class SystemRandomness:
    def bytes(self, count: int) -> bytes:
        return os.urandom(count)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can decide."""

    default_quota: int = limits.QUOTA_BYTES_DEFAULT
    max_file_size: int = limits.FILE_BYTES_MAX
    chunk_size: int = limits.CHUNK_BYTES_DEFAULT
    trash_retention_days: int = limits.TRASH_RETENTION_DAYS
    versions_kept: int = limits.VERSIONS_KEPT
    session_days: int = 365
    account_grace_days: int = limits.ACCOUNT_GRACE_DAYS


class ServiceContext(msgspec.Struct, frozen=True, kw_only=True):
    """One service: any number of processes may hold one, over the same stores."""

    metadata: MetadataStore
    blobs: BlobStore
    clock: Clock = SystemClock()
    randomness: Randomness = SystemRandomness()
    rules: Rules = Rules()
    media: Workers = msgspec.field(default_factory=Workers)
    job_notifier: JobNotifier = msgspec.field(default_factory=JobNotifier)

    def new_key(self) -> str:
        """A key that nobody has; keys order by time."""
        return make_key(self.clock.now(), self.randomness.bytes(10))


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who is calling: an account, by a session of one of its devices."""

    account_id: int
    account_key: str
    root_key: str
    first_name: str
    device_key: str
    session_hash: bytes
