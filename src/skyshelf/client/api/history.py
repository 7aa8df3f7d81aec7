"""Looking back."""

from collections.abc import AsyncIterator
from functools import partial

from skyshelf.client.api.calls import Calls
from skyshelf.client.api.confirmations import confirmation
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.past import FEATURE, Moment, PastTree, milliseconds
from skyshelf.client.objects.remote_object import Target
from skyshelf.wire.endpoints.history import (
    FORGET_HISTORY,
    HISTORY,
    HISTORY_DIFFERENCES,
    HISTORY_SETTINGS,
    SET_HISTORY,
)
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.history import (
    DifferencesQuery,
    ForgetRequest,
    HistoryChoice,
    HistoryDifference,
    HistoryDifferences,
    HistoryEntry,
    HistoryPage,
    HistoryQuery,
    HistorySettings,
)


class AsyncHistory(Calls):
    """What changed, and how long that is kept; `client.at(moment)` shows folders and files as they were.

    An extension: see `NotOfferedError`.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = datetime.now().astimezone() - timedelta(days=1)
        for found in client.history.differences(yesterday, below="/Photos"):
            print(found.kinds, found.before_path, found.after_path, found.device_name)
        ```
    """

    async def entries(
        self,
        target: Target | None = None,
        *,
        below: Target | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
        kind: str | None = None,
    ) -> AsyncIterator[HistoryEntry]:
        """List changes, newest first, with what was before and after each, and who made it.

        Args:
            target: Only changes of this file or folder: an object, a key or a path.
            below: Only changes in this folder, and in all folders below it.
            since: Only changes from then on.
            until: Only changes up to then.
            device_key: Only changes that this device made.
            session_id: Only changes that this session made.
            kind: Only changes of this kind, such as `renamed` or `trashed`.

        Raises:
            ObjectNotFoundError: History does not know the target.
        """
        resolver = PathResolver(self._engine)
        object_key = None if target is None else await resolver.key(target)
        folder_key = None if below is None else await resolver.key(below)
        async for entry in self._by_cursor(
            HISTORY,
            HistoryPage,
            lambda page: page.entries,
            lambda cursor: HistoryQuery(
                object_key=object_key,
                folder_key=folder_key,
                since=None if since is None else milliseconds(since),
                until=None if until is None else milliseconds(until),
                device_key=device_key,
                session=session_id,
                kind=kind,
                cursor=cursor,
                limit=LISTING_LIMIT_MAX,
            ),
            feature=FEATURE,
        ):
            yield entry

    async def differences(
        self, since: Moment, until: Moment | None = None, *, below: Target | None = None
    ) -> AsyncIterator[HistoryDifference]:
        """List what came, went, moved or changed between two moments: one entry per file or folder.

        What is below a folder that moved or was removed is not listed, unless it changed itself. The result is read
        page by page, however much has changed.

        Args:
            since: The first moment.
            until: The second moment; None for now.
            below: Only what was in this folder at either moment, or below it, and the folder itself. A path is the one
                that it had at the second moment, or else at the first.

        Raises:
            ObjectNotFoundError: There is no such folder at either moment.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        first, second = milliseconds(since), None if until is None else milliseconds(until)
        folder_key = None if below is None else await self._folder_at(below, first, second)
        async for difference in self._by_cursor(
            HISTORY_DIFFERENCES,
            HistoryDifferences,
            lambda page: page.differences,
            lambda cursor: DifferencesQuery(
                since=first, until=second, folder_key=folder_key, cursor=cursor, limit=LISTING_LIMIT_MAX
            ),
            feature=FEATURE,
        ):
            yield difference

    async def _folder_at(self, target: Target, first: int, second: int | None) -> str:
        try:
            if second is None:
                return await PathResolver(self._engine).key(target)
            return await PastTree(self._engine, second).folder_key(target)
        except ObjectNotFoundError:
            return await PastTree(self._engine, first).folder_key(target)

    async def settings(self) -> HistorySettings:
        """Get how long history is kept, since when there is some, and what it takes."""
        return await self._call(HISTORY_SETTINGS, HistorySettings, feature=FEATURE)

    async def set_days(
        self, days: int | None, *, password: str | None = None, code: str | None = None
    ) -> HistorySettings:
        """Choose how long history is kept, up to what the operator allows.

        Args:
            days: How many days; 0 keeps none, and None is the operator's choice.
            password: The account's password, if it becomes fewer days.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is missing or wrong.
        """
        body = build_request_model(partial(HistoryChoice, days=days, confirmation=confirmation(password, code)))
        return await self._call(SET_HISTORY, HistorySettings, feature=FEATURE, body=body)

    async def forget(self, password: str, *, code: str | None = None) -> None:
        """Forget all history up to now: what was deleted before can no longer be brought back.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is wrong.
        """
        body = build_request_model(partial(ForgetRequest, confirmation=confirmation(password, code)))
        await self._call(FORGET_HISTORY, HistorySettings, feature=FEATURE, body=body)
