"""Rewinds, which bring the account back to a moment."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, Final

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.past import Moment, PastTree, milliseconds
from skyshelf.client.objects.remote_object import Target, is_path
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints import history as endpoints
from skyshelf.wire.limits import LISTING_LIMIT_MAX, OPERATOR_CONSENT_HOURS
from skyshelf.wire.resources import rewind as models
from skyshelf.wire.resources.rewind import OperatorConsent, Rewind, RewindItem, RewindPlan

_ENDED: Final = frozenset({"done", "cancelled", "refused"})
_UNKNOWN: Final = "list the rewinds to see whether it was started"
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 2.0


class AsyncRewinds(Calls):
    """Bring the account or a folder back to a moment, or undo what a device did since.

    An extension: see `NotOfferedError`.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = datetime.now().astimezone() - timedelta(days=1)
        started = client.rewinds.start(yesterday, below="/photos")
        ended = client.rewinds.wait(started.rewind_key)
        client.rewinds.undo(ended.rewind_key)
        ```
    """

    _feature = "rewind"

    async def plan(
        self,
        to: Moment | None = None,
        *,
        to_number: int | None = None,
        below: Target | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
    ) -> AsyncIterator[RewindItem]:
        """List what a rewind would do to each object. Nothing changes.

        Args:
            to: The moment: a date and time, or epoch milliseconds.
            to_number: The number of the last change to keep, instead of a moment.
            below: Only this folder and everything in it: an object, a key, its path or the path that it had then.
            device_key: Only what this device did since; the key of an app password is one.
            session_id: Only what this session did since, as `HistoryEntry` shows it.

        Raises:
            ObjectNotFoundError: There is no such folder, and there was none.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        chosen = await self._chosen(to, to_number, below, device_key, session_id)
        async for page in self._pages(chosen):
            for item in page.items or []:
                yield item

    async def summary(
        self,
        to: Moment | None = None,
        *,
        to_number: int | None = None,
        below: Target | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
    ) -> RewindPlan:
        """Count what a rewind would do, and the space that it needs and the account has. Nothing changes.

        Args:
            to: The moment: a date and time, or epoch milliseconds.
            to_number: The number of the last change to keep, instead of a moment.
            below: Only this folder and everything in it: an object, a key, its path or the path that it had then.
            device_key: Only what this device did since; the key of an app password is one.
            session_id: Only what this session did since, as `HistoryEntry` shows it.

        Returns:
            The whole plan as one page, without its items.

        Raises:
            ObjectNotFoundError: There is no such folder, and there was none.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        names = models.RewindCounts.__struct_fields__
        counts, size, free, number = dict.fromkeys(names, 0), 0, 0, None
        chosen = await self._chosen(to, to_number, below, device_key, session_id)
        async for page in self._pages(chosen):
            for name in names:
                counts[name] += getattr(page.counts, name, None) or 0
            size += page.size_in_bytes or 0
            free, number = page.free_in_bytes or 0, page.number
        return RewindPlan(counts=models.RewindCounts(**counts), size_in_bytes=size, free_in_bytes=free, number=number)

    async def start(
        self,
        to: Moment | None = None,
        *,
        to_number: int | None = None,
        below: Target | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
    ) -> Rewind:
        """Start a rewind; it runs on the server. `wait` returns when it has ended.

        What was created later goes to the trash, and what is overwritten stays as a version: nothing is lost.

        Args:
            to: The moment: a date and time, or epoch milliseconds.
            to_number: The number of the last change to keep, instead of a moment.
            below: Only this folder and everything in it: an object, a key, its path or the path that it had then.
            device_key: Only what this device did since; the key of an app password is one.
            session_id: Only what this session did since, as `HistoryEntry` shows it.

        Raises:
            ObjectNotFoundError: There is no such folder, and there was none.
            ConflictError: A rewind of this account is running (code `SKY1018`).
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        chosen = await self._chosen(to, to_number, below, device_key, session_id)
        return await self._call(endpoints.START_REWIND, body=checked(models.RewindRequest, **chosen), unknown=_UNKNOWN)

    async def list(self) -> list[Rewind]:
        """List the latest rewinds, the newest first."""
        return (await self._call(endpoints.REWINDS)).rewinds or []

    async def operator_consent(self) -> OperatorConsent:
        """Get whether an operator may rewind the account, and until when."""
        return await self._call(endpoints.OPERATOR_CONSENT)

    async def allow_operator(self, hours: int = OPERATOR_CONSENT_HOURS) -> OperatorConsent:
        """Let an operator rewind the account, once.

        Args:
            hours: For how long; 0 withdraws it.
        """
        body = checked(models.OperatorConsentRequest, hours=hours)
        return await self._call(endpoints.SET_OPERATOR_CONSENT, body=body)

    async def get(self, rewind_key: str) -> Rewind:
        """Get a rewind and how far it is.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        return await self._call(endpoints.REWIND, keys={"rewind_key": rewind_key})

    async def wait(self, rewind_key: str, *, on_progress: Callable[[Rewind], None] | None = None) -> Rewind:
        """Wait until a rewind has ended.

        Args:
            rewind_key: The rewind.
            on_progress: Called with the rewind each time its state is requested.

        Returns:
            The rewind; its `state` is `done`, `cancelled` or `refused`.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        seconds = _FIRST_WAIT
        while True:
            found = await self.get(rewind_key)
            if on_progress is not None:
                on_progress(found)
            if found.state in _ENDED:
                return found
            await asyncio.sleep(seconds)
            seconds = min(_LONGEST_WAIT, seconds * 1.5)

    def problems(self, rewind_key: str) -> AsyncIterator[RewindItem]:
        """List what a rewind could not undo, and why.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        query = partial(CursorQuery, limit=LISTING_LIMIT_MAX)
        return self._by_cursor(
            endpoints.REWIND_PROBLEMS, lambda page: page.items, query, keys={"rewind_key": rewind_key}
        )

    async def cancel(self, rewind_key: str) -> Rewind:
        """Stop a rewind. What it has done stays, and can be undone.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        return await self._call(endpoints.CANCEL_REWIND, keys={"rewind_key": rewind_key})

    async def undo(self, rewind_key: str) -> Rewind:
        """Undo everything that a rewind has done, by another rewind. What has changed since then stays.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
            ConflictError: It is still running, or another one is (code `SKY1018`).
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        return await self._call(endpoints.UNDO_REWIND, keys={"rewind_key": rewind_key}, unknown=_UNKNOWN)

    async def _pages(self, chosen: dict[str, Any]) -> AsyncIterator[RewindPlan]:
        """Get the plan page by page."""
        cursor: str | None = None
        while True:
            body = checked(models.RewindPlanRequest, **chosen, limit=LISTING_LIMIT_MAX, cursor=cursor)
            page = await self._call(endpoints.PLAN_REWIND, body=body)
            yield page
            if page.next_cursor is None or page.next_cursor == cursor:
                return
            cursor = page.next_cursor

    async def _chosen(
        self,
        to: Moment | None,
        to_number: int | None,
        below: Target | None,
        device_key: str | None,
        session_id: str | None,
    ) -> dict[str, Any]:
        """Return the fields of a request that say what is rewound, and to which moment."""
        return {
            "to": None if to is None else milliseconds(to),
            "to_number": to_number,
            "folder_key": await self._folder(below, to),
            "device_key": device_key,
            "session": session_id,
        }

    async def _folder(self, below: Target | None, to: Moment | None) -> str | None:
        """Return the key of a folder, which may have been deleted since then."""
        if below is None:
            return None
        try:
            return await PathResolver(self._engine).key(below)
        except ObjectNotFoundError:
            if to is None or not is_path(below):
                raise
        return await PastTree(self._engine, milliseconds(to)).folder_key(below)
