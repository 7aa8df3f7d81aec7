"""The context that every use case works with: the stores, the clock, randomness and the operator's rules."""

import os
import threading
import time
from typing import Final, Protocol

import msgspec

from skyshelf.service.blob_memory import BlobMemory
from skyshelf.service.event_trail import Trail
from skyshelf.service.mail_settings import MailSettings
from skyshelf.service.media.pool import Workers
from skyshelf.service.oidc.parties import Parties, ProviderCounts
from skyshelf.service.read_only_mode import ReadOnlyMode
from skyshelf.service.reservations import Reservations
from skyshelf.service.setting_changes import KnownSettings
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire import limits
from skyshelf.wire.keys import make_key


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


class JobNotifier:
    """Wakes this process's job runner when a job should start at once. Other processes find the job when they poll."""

    def __init__(self) -> None:
        self._subscribers: list[threading.Event] = []

    def subscribe(self, event: threading.Event) -> None:
        """Set this event on every notification."""
        self._subscribers.append(event)

    def notify(self) -> None:
        """Announce new work. Call it after the commit: before that, the job is invisible to the runner."""
        for event in self._subscribers:
            event.set()


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The operator's choices."""

    default_quota: int = limits.QUOTA_BYTES_DEFAULT
    max_file_size: int = limits.FILE_BYTES_MAX
    chunk_size: int = limits.CHUNK_BYTES_DEFAULT
    session_days: int = 365
    account_grace_days: int = limits.ACCOUNT_GRACE_DAYS
    refuse_clutter: bool = False
    """Whether WebDAV refuses the files that macOS and Windows leave on network drives (server/dav/clutter.py)."""


class ServiceContext(msgspec.Struct, frozen=True, kw_only=True):
    """One service. Any number of processes may each hold one over the same stores."""

    metadata: MetadataStore
    blobs: BlobStore
    clock: Clock = SystemClock()
    randomness: Randomness = SystemRandomness()
    rules: Rules = Rules()
    reservations: Reservations = msgspec.field(default_factory=Reservations)
    mode: ReadOnlyMode = msgspec.field(default_factory=ReadOnlyMode)
    media: Workers = msgspec.field(default_factory=Workers)
    integrity: BlobMemory = msgspec.field(default_factory=BlobMemory)
    job_notifier: JobNotifier = msgspec.field(default_factory=JobNotifier)
    instance: bytes = msgspec.field(default_factory=lambda: os.urandom(8))
    """Differs after every start: an older backup may have been restored in between."""
    first_account_token: str | None = None
    """The token of the link that creates the first account; None where accounts exist already."""
    mail: MailSettings | None = None
    """The mail server; None where there is none."""
    providers: Parties = msgspec.field(default_factory=Parties)
    """Where people may log in besides here."""
    provider_counts: ProviderCounts = msgspec.field(default_factory=ProviderCounts)
    known_settings: KnownSettings = msgspec.field(default_factory=KnownSettings)
    trail: Trail = msgspec.field(default_factory=Trail)

    def new_key(self) -> str:
        """A unique key; keys order by time."""
        return make_key(self.clock.now(), self.randomness.bytes(10))


COMMAND: Final = "command"
"""The device of an actor that is a command of the operator."""


def command_actor(command: str) -> str:
    """Who acts, as history notes it, where an operator's command does."""
    return f"{COMMAND}/{command}"


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """The account that calls, and the device session it uses."""

    account_id: int
    account_key: str
    root_key: str
    first_name: str
    device_key: str
    session_hash: bytes
    agent_session: str = ""
    """The session of an agent that calls on the device's behalf."""

    @property
    def actor(self) -> str:
        """Who acts, as history notes it: the device, and its session or that of an agent."""
        return f"{self.device_key}/{self.agent_session or self.session_hash[:8].hex()}"
