"""Proofs of history."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from skyshelf.client.api.calls import Calls
from skyshelf.client.errors import ConfigurationError
from skyshelf.client.proofs.kept_heads import HeadsFile
from skyshelf.client.proofs.keys import decoded
from skyshelf.client.proofs.verification import HistoryCheck, Verification
from skyshelf.wire.endpoints.history import HISTORY
from skyshelf.wire.endpoints.history_proofs import (
    HISTORY_CONSISTENCY,
    HISTORY_HEAD,
    HISTORY_INCLUSION,
    HISTORY_KEYS,
    HISTORY_LEAVES,
)
from skyshelf.wire.limits import HISTORY_LEAVES_MAX
from skyshelf.wire.resources.history import (
    ConsistencyQuery,
    HistoryEntry,
    HistoryHead,
    HistoryLeaf,
    HistoryLeaves,
    HistoryPage,
    HistoryQuery,
    InclusionQuery,
    KeysOfHistory,
    LeavesQuery,
    ProofHashes,
)

_FEATURE: Final = "prove its history"


class AsyncHistoryProofs(Calls):
    """Whether the history is what it was: signed heads, proofs, and their verification. An extension.

    Example:
        ```python
        check = client.history_proofs.verify()
        for problem in check.problems:
            print(problem)
        ```
    """

    async def verify(
        self,
        *,
        heads: Sequence[str] = (),
        everything: bool = False,
        accept_restore: bool = False,
        folder: Path | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> HistoryCheck:
        """Verify that the history continues every head that this machine has seen, and keep the newest one.

        The changes since the last verification are read; each must be in the log, and as the history lists it. This
        needs the package `cryptography`: `pip install 'skyshelf[proof]'`.

        Args:
            heads: More heads that it must continue, such as from another machine: texts of `HistoryCheck.note`.
            everything: Read all changes again.
            accept_restore: Go on from the present head if it does not continue those that were kept, which happens when
                the server was restored from a backup. Ask its operator first.
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
        found = await self._verified(file, heads, everything=everything, progress=progress)
        if found.problems and accept_restore and kept.notes:
            await asyncio.to_thread(file.write, kept.begun_again())
            found = await self._verified(file, heads, everything=True, progress=progress)
        return found

    async def _verified(
        self, file: HeadsFile, heads: Sequence[str], *, everything: bool, progress: Callable[[int], None] | None
    ) -> HistoryCheck:
        kept = await asyncio.to_thread(file.read)
        verification = Verification(_Source(self._engine), kept, heads)
        found = await verification.run(HISTORY_LEAVES_MAX, everything=everything, progress=progress)
        if found.note is not None:
            if found.is_intact:
                kept = kept.with_head(found.note, found.key_id or "", found.size)
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
        return await self._call(HISTORY_HEAD, HistoryHead, feature=_FEATURE)

    async def keys(self) -> KeysOfHistory:
        """Get the server's public keys, unverified, and when it was restored from a backup."""
        return await self._call(HISTORY_KEYS, KeysOfHistory, feature=_FEATURE)


class _Source(AsyncHistoryProofs):
    """All calls that a verification makes."""

    async def consistency(self, old_size: int, size: int) -> list[bytes]:
        query = ConsistencyQuery(old_size=old_size, size=size)
        answer = await self._call(HISTORY_CONSISTENCY, ProofHashes, feature=_FEATURE, query=query)
        return [decoded(one) for one in answer.hashes or []]

    async def inclusion(self, number: int, size: int) -> list[bytes]:
        query = InclusionQuery(number=number, size=size)
        answer = await self._call(HISTORY_INCLUSION, ProofHashes, feature=_FEATURE, query=query)
        return [decoded(one) for one in answer.hashes or []]

    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        query = LeavesQuery(number=number, limit=limit)
        return (await self._call(HISTORY_LEAVES, HistoryLeaves, feature=_FEATURE, query=query)).leaves or []

    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        query = HistoryQuery(cursor=str(number), limit=limit)
        return (await self._call(HISTORY, HistoryPage, feature=_FEATURE, query=query)).entries or []
