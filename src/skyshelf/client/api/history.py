"""The history of an account, proofs that it was not altered, and the versions of a file."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path

from skyshelf.client.api.calls import Calls, confirmation
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import ConfigurationError, ObjectNotFoundError
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.past import FEATURE, Moment, PastTree, milliseconds
from skyshelf.client.objects.remote_object import RemoteObject, Target, remote_object
from skyshelf.client.proofs.heads import HeadsFile, decoded
from skyshelf.client.proofs.verification import HistoryCheck, Verification
from skyshelf.wire.endpoints import history as endpoints
from skyshelf.wire.endpoints.objects import RESTORE_VERSION, VERSIONS
from skyshelf.wire.limits import HISTORY_LEAVES_MAX, LISTING_LIMIT_MAX
from skyshelf.wire.resources import history as models
from skyshelf.wire.resources.history import (
    DifferencesQuery,
    HistoryDifference,
    HistoryEntry,
    HistoryHead,
    HistoryLeaf,
    HistorySettings,
    KeysOfHistory,
)
from skyshelf.wire.resources.objects import FileVersions, VersionRestoreRequest


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

    _feature = FEATURE

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
        """List changes, newest first, with the state before and after each, and who made it.

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
            models.HistoryQuery,
            object_key=object_key,
            folder_key=folder_key,
            since=None if since is None else milliseconds(since),
            until=None if until is None else milliseconds(until),
            device_key=device_key,
            session=session_id,
            kind=kind,
            limit=LISTING_LIMIT_MAX,
        )
        async for entry in self._by_cursor(endpoints.HISTORY, lambda page: page.entries, query):
            yield entry

    async def differences(
        self, since: Moment, until: Moment | None = None, *, below: Target | None = None
    ) -> AsyncIterator[HistoryDifference]:
        """List what was added, removed, moved or changed between two moments: one entry per file or folder.

        Items below a folder that was moved or removed are not listed, unless they changed themselves. The result is
        read page by page, however much has changed.

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
        query = partial(DifferencesQuery, since=first, until=second, folder_key=folder_key, limit=LISTING_LIMIT_MAX)
        async for difference in self._by_cursor(endpoints.HISTORY_DIFFERENCES, lambda page: page.differences, query):
            yield difference

    async def _folder_at(self, target: Target, first: int, second: int | None) -> str:
        try:
            if second is None:
                return await PathResolver(self._engine).key(target)
            return await PastTree(self._engine, second).folder_key(target)
        except ObjectNotFoundError:
            return await PastTree(self._engine, first).folder_key(target)

    async def settings(self) -> HistorySettings:
        """Get how long history is kept, when it begins, and how much space it takes."""
        return await self._call(endpoints.HISTORY_SETTINGS)

    async def set_days(
        self, days: int | None, *, password: str | None = None, code: str | None = None
    ) -> HistorySettings:
        """Choose how long history is kept, up to what the operator allows.

        Args:
            days: The number of days; 0 keeps no history, and None uses the operator's default.
            password: The account's password; needed to shorten the time.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is missing or wrong.
        """
        body = checked(models.HistoryChoice, days=days, confirmation=confirmation(password, code))
        return await self._call(endpoints.SET_HISTORY, body=body)

    async def forget(self, password: str, *, code: str | None = None) -> None:
        """Forget all history up to now: what was deleted before can no longer be restored.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is wrong.
        """
        body = checked(models.ForgetRequest, confirmation=confirmation(password, code))
        await self._call(endpoints.FORGET_HISTORY, body=body)


class AsyncVersions(Calls):
    """Earlier contents of files. `download(target, destination, version=...)` downloads one.

    Example:
        ```python
        for version in client.versions.list("/notes.txt").obj_versions:
            print(version.version, version.size_in_bytes)
        ```
    """

    async def restore(self, target: Target, version: int) -> RemoteObject:
        """Make an earlier version the current one; the current content stays as a version.

        Args:
            target: The file: an object, a key or a path.
            version: The number of the version, as `list` gives it.

        Returns:
            The file as it is now.

        Raises:
            NotOfferedError: The server cannot restore versions; download the version and upload it again.
        """
        key = await PathResolver(self._engine).key(target)
        body = checked(VersionRestoreRequest, object_key=key, version=version)
        feature = "restore a version; download it and upload it again"
        return remote_object((await self._send(RESTORE_VERSION, feature=feature, body=body)).body)

    async def list(self, target: Target) -> FileVersions:
        """List a file's versions, newest first.

        Args:
            target: The file: an object, a key or a path.
        """
        key = await PathResolver(self._engine).key(target)
        return await self._call(VERSIONS, keys={"object_key": key})


class AsyncHistoryProofs(Calls):
    """Proofs that the history was not altered: signed heads, proofs, and their verification. An extension.

    Example:
        ```python
        check = client.history_proofs.verify()
        for problem in check.problems:
            print(problem)
        ```
    """

    _feature = "prove its history"

    async def verify(
        self,
        *,
        heads: Sequence[str] = (),
        everything: bool = False,
        accept_restore: bool = False,
        accept_forgotten: bool = False,
        folder: Path | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> HistoryCheck:
        """Verify that the history continues every head that this machine has seen, and keep the newest one.

        The changes since the last verification are read; each must be in the log, and as the history lists it. This
        needs the package `cryptography`: `pip install 'skyshelf[proof]'`.

        Args:
            heads: More heads that it must continue, such as from another machine: texts of `HistoryCheck.note`.
            everything: Read all changes again.
            accept_restore: Continue from the current head if it does not continue the kept ones, which happens when the
                server was restored from a backup. Ask its operator first.
            accept_forgotten: Accept that records are gone which should still be kept, such as after you had history
                forgotten, or after somebody chose fewer days.
            folder: Where heads are kept, instead of `~/.local/state/skyshelf/history-heads`.
            progress: Called with the number of changes that were read so far.

        Returns:
            What was found; `is_intact` if everything fits.
        """
        credentials = self._engine.credentials
        if credentials is None:
            raise ConfigurationError(self._engine.refusal or "not logged in: run `skyshelf login --server URL EMAIL`")
        file = HeadsFile(self._engine.hosts.urls["base_url"], credentials.user_id, folder)
        kept = await asyncio.to_thread(file.read)
        verify = partial(self._verified, file, heads, accept_forgotten=accept_forgotten, progress=progress)
        found = await verify(everything=everything)
        if found.problems and accept_restore and kept.notes:
            await asyncio.to_thread(file.write, kept.begun_again())
            found = await verify(everything=True)
        return found

    async def _verified(
        self,
        file: HeadsFile,
        heads: Sequence[str],
        *,
        everything: bool,
        accept_forgotten: bool,
        progress: Callable[[int], None] | None,
    ) -> HistoryCheck:
        kept = await asyncio.to_thread(file.read)
        verification = Verification(_Source(self._engine), kept, heads, accept_forgotten=accept_forgotten)
        found = await verification.run(HISTORY_LEAVES_MAX, everything=everything, progress=progress)
        if found.note is not None:
            if found.is_intact:
                kept = kept.with_head(found.note, found.key_id or "", found.size, verification.records)
            else:
                kept = kept.with_refused(found.note[:4096])
            await asyncio.to_thread(file.write, kept)
        return found

    async def kept(self, *, folder: Path | None = None) -> list[str]:
        """Get the heads that this machine keeps of the account, oldest first.

        Args:
            folder: Where heads are kept.
        """
        credentials = self._engine.credentials
        account = "" if credentials is None else credentials.user_id
        file = HeadsFile(self._engine.hosts.urls["base_url"], account, folder)
        return (await asyncio.to_thread(file.read)).notes

    async def head(self) -> HistoryHead:
        """Get the signed head of the log, unverified."""
        return await self._call(endpoints.HISTORY_HEAD)

    async def keys(self) -> KeysOfHistory:
        """Get the server's public keys, unverified, and when it was restored from a backup."""
        return await self._call(endpoints.HISTORY_KEYS)


class _Source(AsyncHistoryProofs):
    """All calls that a verification makes."""

    async def consistency(self, old_size: int, size: int) -> list[bytes]:
        query = models.ConsistencyQuery(old_size=old_size, size=size)
        answer = await self._call(endpoints.HISTORY_CONSISTENCY, query=query)
        return [decoded(one) for one in answer.hashes or []]

    async def inclusion(self, number: int, size: int) -> list[bytes]:
        query = models.InclusionQuery(number=number, size=size)
        answer = await self._call(endpoints.HISTORY_INCLUSION, query=query)
        return [decoded(one) for one in answer.hashes or []]

    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        query = models.LeavesQuery(number=number, limit=limit)
        return (await self._call(endpoints.HISTORY_LEAVES, query=query)).leaves or []

    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        query = models.HistoryQuery(cursor=str(number), limit=limit)
        return (await self._call(endpoints.HISTORY, query=query)).entries or []
