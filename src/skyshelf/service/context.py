"""The context that every use case works with: the stores, the clock, randomness and the operator's rules."""

import os
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol, TypeVar
from uuid import UUID

import msgspec

from skyshelf.service.media.pool import Workers
from skyshelf.service.oidc.relying_party import Parties, ProviderCounts
from skyshelf.service.process.allowances import Allowances
from skyshelf.service.process.blob_memory import BlobMemory
from skyshelf.service.process.event_trail import Trail
from skyshelf.service.process.mail_settings import MailSettings
from skyshelf.service.process.reservations import Reservations
from skyshelf.service.secret_table import SETTINGS
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StoreReadOnly
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.leave import Leave
from skyshelf.storage.metadata.contracts.secrets import Generations
from skyshelf.storage.metadata.contracts.sessions import NonceOwner, Session
from skyshelf.storage.metadata.history.rewinds import COMMAND
from skyshelf.storage.metadata.read_only import ReadOnly, read_only
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire import limits
from skyshelf.wire.keys import make_key

T = TypeVar("T")
SEEN_SECONDS: Final = 1.0
_SECRET_BYTES: Final = 32


class ReadOnlyMode:
    """Read-only mode as a server sees it, at most a second old. The fence in the store decides; this saves attempts."""

    def __init__(self, seen_seconds: float | None = None) -> None:
        self._seen_seconds = seen_seconds
        self._lock = threading.Lock()
        self._seen: ReadOnly | None = None
        self._look_again_at = 0.0

    def now(self, metadata: MetadataStore) -> ReadOnly | None:
        """Return the current mode; None while writes are accepted."""
        with self._lock:
            if time.monotonic() < self._look_again_at:
                return self._seen
            seconds = SEEN_SECONDS if self._seen_seconds is None else self._seen_seconds
            self._look_again_at = time.monotonic() + seconds
        self._seen = read_only(metadata)
        return self._seen

    def check(self, metadata: MetadataStore) -> None:
        """Raise StoreReadOnly if a write would be refused."""
        mode = self.now(metadata)
        if mode is not None:
            raise StoreReadOnly(mode.reason)


class SettingChange(msgspec.Struct, frozen=True, kw_only=True):
    """A changed value of a setting, and when it takes effect; the previous value holds until then."""

    value: int
    before: int
    from_at: int
    set_at: int

    def at(self, now: int) -> int:
        """The value at that time."""
        return self.value if now >= self.from_at else self.before


class SettingsCache(msgspec.Struct):
    """Settings as a process last read them, so requests need no query."""

    retention: dict[str, SettingChange] = {}
    is_loaded: bool = False


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
    """Wakes this process's job runner when a job should start at once. Other processes find it when they poll."""

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
    backup_max_age: int | None = 26 * 60 * 60 * 1000
    """After how many milliseconds a backup is overdue; None for never."""
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
    mail: MailSettings | None = None
    """The mail server; None if none is configured."""
    providers: Parties = msgspec.field(default_factory=Parties)
    """The login providers."""
    provider_counts: ProviderCounts = msgspec.field(default_factory=ProviderCounts)
    known_settings: SettingsCache = msgspec.field(default_factory=SettingsCache)
    trail: Trail = msgspec.field(default_factory=Trail)
    allowances: Allowances = msgspec.field(default_factory=Allowances)

    def write_as(self, caller: "Caller", work: Callable[[Unit], T]) -> T:
        """Run a write that history attributes to the caller."""

        def attributed(unit: Unit) -> T:
            caller.act_in(unit)
            return work(unit)

        return self.metadata.write(attributed)

    def secret(self, name: str) -> bytes:
        """Return the secret of that setting as it is now; shared by all instances."""
        return self.generations(name).value

    def generations(self, name: str) -> Generations:
        """Return the secret with the earlier values that are still needed; the first proposal wins.

        It is read again each time: another instance may have replaced it.
        """
        assert name in SETTINGS, f"{name} needs an entry in secret_table.py"
        with self.metadata.read() as unit:
            known = unit.secrets.get(name)
        if known is not None:
            return known
        proposal, now = self.randomness.bytes(_SECRET_BYTES), self.clock.now()

        def make(unit: Unit) -> Generations:
            if unit.settings.set_once(name, proposal) == proposal:
                unit.secrets.note_made(name, now)
            made = unit.secrets.get(name)
            assert made is not None, "it was stored above"
            return made

        return self.metadata.write(make)

    def new_uuid(self) -> str:
        return str(UUID(bytes=self.randomness.bytes(16), version=4))

    def new_key(self) -> str:
        """Create a unique key; keys order by time."""
        return make_key(self.clock.now(), self.randomness.bytes(10))


def command_actor(command: str) -> str:
    """Return the actor that history records for an operator's command."""
    return f"{COMMAND}/{command}"


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """The calling account, and the device session it uses."""

    account_id: int
    account_key: str
    root_key: str
    first_name: str
    device_key: str
    session_hash: bytes
    agent_session: str = ""
    """The session of an agent that calls on the device's behalf."""
    leave: Leave | None = None
    """What it may do, if that is limited: by a delegation, or by an app password."""

    @classmethod
    def of(cls, owner: Account | Session | NonceOwner, *, device_key: str = "", session_hash: bytes = b"") -> "Caller":
        """Act for an account; the service does so for guests without a session."""
        return cls(
            account_id=owner.account_id,
            account_key=owner.account_key,
            root_key=owner.root_key,
            first_name=owner.first_name,
            device_key=device_key,
            session_hash=session_hash,
        )

    @property
    def is_command(self) -> bool:
        """Whether it is an operator's command, which acts for the account."""
        return self.device_key == COMMAND

    @property
    def actor(self) -> str:
        """The actor that history records: the device, and its session or an agent's."""
        return f"{self.device_key}/{self.agent_session or self.session_hash[:8].hex()}"

    @property
    def counted_device(self) -> str:
        """The device for which alarms count: the caller's, or the one that made its delegation."""
        return self.leave.maker if self.leave is not None and self.leave.maker else self.device_key

    def act_in(self, unit: Unit) -> None:
        """Let history attribute the unit's changes to the caller, and refuse those that its leave does not allow."""
        unit.act_as(self.actor, self.leave)
