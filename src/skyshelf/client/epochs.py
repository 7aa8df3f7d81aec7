"""The epoch of a server's data, as programs that keep state remember it between two runs.

A server that was restored from a backup, moved, or put back to an older state may have less than such a program knows.
What looks deleted or edited there is then not what anybody did, and must not be repeated here.
"""

from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, json

from skyshelf.client.errors import (
    AuthenticationError,
    NetworkError,
    NotOfferedError,
    RequestFailedError,
    ServerStateError,
)
from skyshelf.client.local.files import write_private
from skyshelf.client.sync_client import Client
from skyshelf.wire.resources.changes import ServerEpoch
from skyshelf.wire.times import from_epoch_ms

MANY: Final = 10
"""So many files that went back are taken for a server that went back; and of few files, more than half."""

_FEW: Final = 3


class KnownEpoch(Struct, frozen=True):
    """What is remembered of a server: the epoch of its data, and the account's cursor in its changes."""

    epoch: str
    cursor: str


class EpochFile:
    """A file that remembers the epoch for each account: it has the same id where its server gets another address."""

    def __init__(self, client: Client, path: Path) -> None:
        self._client = client
        self._path = path
        self._account = client.credentials.user_id.upper() if client.credentials else ""
        self._stored = self._read()
        self._now: KnownEpoch | None = None

    @property
    def has_epochs(self) -> bool:
        """Whether the server has reported its epoch, after `check` or `difference`."""
        return self._now is not None

    def difference(self) -> str | None:
        """Return in a sentence why the server's data are not those that are remembered; None where they are."""
        known = self._stored.get(self._account)
        now = read_epoch(self._client, known)
        self._now = known_epoch(now)
        problem = None if known is None or now is None else explain_difference(known, now)
        return None if problem is None else f"{problem[0].upper()}{problem[1:]}."

    def check(self, *, accept: bool, advice: str) -> None:
        """Raise ServerStateError if the server's data are not those that are remembered, unless the user accepts it."""
        problem = self.difference()
        if problem is not None and not accept:
            raise ServerStateError(f"{problem} {advice}")

    def save(self) -> None:
        """Remember what the server has after a run; ServerStateError if its data were replaced during the run."""
        if self._now is None:
            return
        now = read_epoch(self._client, self._now)
        if now is not None and (problem := explain_difference(self._now, now)) is not None:
            raise ServerStateError(f"During this run, {problem}. Run the same command again")
        if (known := known_epoch(now)) is not None:
            self._stored[self._account] = known
            write_private(self._path, json.encode(self._stored))

    def _read(self) -> dict[str, KnownEpoch]:
        try:
            return json.decode(self._path.read_bytes(), type=dict[str, KnownEpoch])
        except (OSError, DecodeError):
            return {}


def read_epoch(client: Client, known: KnownEpoch | None) -> ServerEpoch | None:
    """Return the epoch of the server's data now; None where neither this server nor the known one has any."""
    try:
        now = client.changes.epoch(None if known is None else known.cursor)
    except AuthenticationError:
        raise
    except (NetworkError, RequestFailedError) as error:
        # Servers of others answer in many ways to a path that they do not know; some end the connection.
        if known is None:
            return None
        if not isinstance(error, NotOfferedError):
            raise
        return ServerEpoch()
    return now if now.epoch or known is not None else None


def explain_difference(known: KnownEpoch, now: ServerEpoch) -> str | None:
    """Return in a sentence why the data are not those that are known; None where they are."""
    if now.epoch == known.epoch:
        return "the server has gone back to an older state" if now.is_cursor_known is False else None
    when = "" if now.date is None else f" on {_day(now.date)}"
    if now.reason == "restored":
        of = "" if now.state_date is None else f" of {_day(now.state_date)}"
        return f"the server was restored{when} from a backup{of}"
    if now.reason == "moved":
        return f"the server was moved to another place{when}"
    if now.reason == "adopted":
        return f"the server was started with an older database{when}"
    return "the server has other data than before"


def known_epoch(now: ServerEpoch | None) -> KnownEpoch | None:
    """Return what to remember of a server; None where it has no epochs."""
    return KnownEpoch(now.epoch, now.cursor) if now is not None and now.epoch and now.cursor else None


def are_many(reverted: int, files: int) -> bool:
    """Whether so many of some files went back that the server itself did, and nobody who restored a few."""
    return reverted >= MANY or (reverted >= _FEW and 2 * reverted > files)


def _day(at: int) -> str:
    return f"{from_epoch_ms(at):%Y-%m-%d}"
