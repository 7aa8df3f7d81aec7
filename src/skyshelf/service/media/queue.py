"""The queue of media jobs: accounts take turns, and none can have all workers or all places."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

PLACES = 400
PLACES_PER_ACCOUNT = 100
# PDFs, videos and very large pictures, of all accounts together: the other workers stay free for ordinary pictures.
HEAVY_AT_ONCE = 1


class MediaBusy(Exception):
    """Too many jobs wait; try again later."""


class Ticket:
    """A job in the queue, and everybody who waits for it."""

    def __init__(self, account_id: int, key: Hashable, work: Callable[..., Any], *, is_heavy: bool) -> None:
        self.account_id = account_id
        self.key = key
        self.work = work
        self.is_heavy = is_heavy
        self.is_running = False
        self.waiters: list[Future[Any]] = []


class MediaQueue:
    """Who is next. Not safe for threads: the pool has the lock."""

    def __init__(self, workers: int, *, places: int = PLACES, places_per_account: int = PLACES_PER_ACCOUNT) -> None:
        # One worker is always left for another account, where there is more than one.
        self._share = max(1, workers - 1)
        self._places = places
        self._places_per_account = places_per_account
        self._waiting: OrderedDict[int, deque[Ticket]] = OrderedDict()
        self._count = 0
        self._running: Counter[int] = Counter()
        self._heavy_running = 0

    @property
    def waiting(self) -> int:
        return self._count

    @property
    def running(self) -> int:
        return self._running.total()

    def put(self, ticket: Ticket) -> Ticket | None:
        """Add a job; MediaBusy where the account has too many places.

        In a full queue the account with the most places loses its newest job, which is returned.
        """
        own = len(self._waiting.get(ticket.account_id, ()))
        if own >= self._places_per_account:
            raise MediaBusy
        dropped = None
        if self._count >= self._places:
            largest = max(self._waiting, key=lambda account: len(self._waiting[account]))
            if len(self._waiting[largest]) <= own + 1:
                raise MediaBusy
            dropped = self._waiting[largest][-1]
            self.remove(dropped)
        self._waiting.setdefault(ticket.account_id, deque()).append(ticket)
        self._count += 1
        return dropped

    def put_back(self, ticket: Ticket) -> None:
        """Add a job that was started already: it keeps its place."""
        self._waiting.setdefault(ticket.account_id, deque()).appendleft(ticket)
        self._count += 1

    def remove(self, ticket: Ticket) -> None:
        waiting = self._waiting[ticket.account_id]
        waiting.remove(ticket)
        self._count -= 1
        if not waiting:
            del self._waiting[ticket.account_id]

    def take(self) -> Ticket | None:
        """The next job that may start now."""
        for account_id, waiting in self._waiting.items():
            if self._running[account_id] >= self._share:
                continue
            ticket = next((one for one in waiting if not one.is_heavy or self._heavy_running < HEAVY_AT_ONCE), None)
            if ticket is not None:
                self._waiting.move_to_end(account_id)
                self.remove(ticket)
                self._running[account_id] += 1
                self._heavy_running += ticket.is_heavy
                ticket.is_running = True
                return ticket
        return None

    def done(self, ticket: Ticket) -> None:
        ticket.is_running = False
        self._heavy_running -= ticket.is_heavy
        self._running[ticket.account_id] -= 1
        if not self._running[ticket.account_id]:
            del self._running[ticket.account_id]

    def clear(self) -> list[Ticket]:
        """Remove and return everything that waits."""
        waiting = [ticket for tickets in self._waiting.values() for ticket in tickets]
        self._waiting.clear()
        self._count = 0
        return waiting
