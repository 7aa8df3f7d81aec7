"""Looking back."""

from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial
from typing import Final

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject, Target
from skyshelf.wire.endpoints.history import (
    FORGET_HISTORY,
    HISTORY,
    HISTORY_SETTINGS,
    PAST_FILE,
    PAST_FOLDER,
    SET_HISTORY,
)
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.history import (
    HistoryChoice,
    HistoryEntry,
    HistoryPage,
    HistoryQuery,
    HistorySettings,
    PastFileQuery,
    PastFolderQuery,
)

_FEATURE: Final = "look back"


class AsyncHistory(Calls):
    """What changed, and what folders and files were at a moment. An extension: see `NotOfferedError`.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = datetime.now().astimezone() - timedelta(days=1)
        for found in client.history.list_folder("/photos", yesterday):
            print(found.name, found.size)
        ```
    """

    async def entries(
        self,
        target: Target | None = None,
        *,
        below: Target | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
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
        query = partial(
            HistoryQuery,
            object_key=object_key,
            folder_key=folder_key,
            since=_milliseconds(since),
            until=_milliseconds(until),
            device_key=device_key,
            session=session_id,
            kind=kind,
            limit=LISTING_LIMIT_MAX,
        )
        cursor: str | None = None
        while True:
            page = await self._call(HISTORY, HistoryPage, feature=_FEATURE, query=query(cursor=cursor))
            for entry in page.entries or []:
                yield entry
            if page.next_cursor is None or page.next_cursor == cursor:
                return
            cursor = page.next_cursor

    async def list_folder(self, target: Target, at: datetime) -> AsyncIterator[RemoteObject]:
        """List what a folder held at a moment. A path is the one that it had then.

        Args:
            target: The folder: an object, a key or its path at that moment.
            at: The moment.

        Raises:
            ObjectNotFoundError: There was no such folder.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        key = await self._key(target, at)
        async for found in self._children(key, at):
            yield found

    async def read(self, target: Target, at: datetime) -> bytes:
        """Read the content that a file had at a moment into memory.

        Args:
            target: The file: an object, a key or its path at that moment.
            at: The moment.

        Raises:
            ObjectNotFoundError: There was no such file, or its content is no longer kept.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        key = await self._key(target, at)
        query = PastFileQuery(at=_milliseconds(at) or 0)
        request = self._engine.plan(PAST_FILE, query=query, headers=DownloadHeaders(), keys={"object_key": key})
        with require_extension(_FEATURE):
            return (await self._engine.send(request)).body

    async def settings(self) -> HistorySettings:
        """Get how long history is kept, since when there is some, and what it takes."""
        return await self._call(HISTORY_SETTINGS, HistorySettings, feature=_FEATURE)

    async def set_days(self, days: int | None) -> HistorySettings:
        """Choose how long history is kept, up to what the operator allows.

        Args:
            days: How many days; 0 keeps none, and None is the operator's choice.
        """
        body = build_request_model(partial(HistoryChoice, days=days))
        return await self._call(SET_HISTORY, HistorySettings, feature=_FEATURE, body=body)

    async def forget(self) -> None:
        """Forget all history up to now: what was deleted before can no longer be brought back."""
        await self._call(FORGET_HISTORY, HistorySettings, feature=_FEATURE)

    async def _key(self, target: Target, at: datetime) -> str:
        if not isinstance(target, str) or not target.startswith(SEPARATOR):
            return await PathResolver(self._engine).key(target)
        key = await PathResolver(self._engine).key(SEPARATOR)
        for name in filter(None, target.split(SEPARATOR)):
            async for found in self._children(key, at):
                if found.name == name:
                    key = found.key
                    break
            else:
                raise ObjectNotFoundError(f"{target} was not there at that moment")
        return key

    def _children(self, key: str, at: datetime) -> AsyncIterator[RemoteObject]:
        moment = _milliseconds(at) or 0
        return self._objects_by_cursor(
            PAST_FOLDER,
            lambda cursor: PastFolderQuery(at=moment, cursor=cursor, limit=LISTING_LIMIT_MAX),
            feature=_FEATURE,
            keys={"object_key": key},
        )


def _milliseconds(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp() * 1000)
