"""A sync from its start to its end: rounds of scanning, planning and carrying out, until both sides are the same."""

import os
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.errors import BrokenListingError, LocalFileError, ObjectNotFoundError, SkyshelfError
from skyshelf.client.local.files import lock_file, translate_os_errors
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.actions import ActionKind, EventKind, SyncEvent, SyncPlan
from skyshelf.desktop.sync.epochs import EpochGuard
from skyshelf.desktop.sync.execution import Execution
from skyshelf.desktop.sync.index import Entry, SyncIndex, set_aside
from skyshelf.desktop.sync.local_side import INDEX, LOCK, LocalSide, device_name
from skyshelf.desktop.sync.local_tree import LocalScan, Select
from skyshelf.desktop.sync.matching import Hashes
from skyshelf.desktop.sync.merging import TextMerge
from skyshelf.desktop.sync.plan import Planner
from skyshelf.desktop.sync.refusals import leave_out
from skyshelf.desktop.sync.remote_tree import RemoteTree, linked_keys, read_remote
from skyshelf.desktop.sync.selection import STAYS, Selection
from skyshelf.wire.client_errors import CONFLICT_ERROR

DELETIONS_MAX: Final = 100
"""How many files a sync may delete on one side without asking, by default."""

DELETED_SHARE_MAX: Final = 0.5
DELETED_SHARE_FROM: Final = 10
_ROUNDS_MAX: Final = 12
_RETRIES_MAX: Final = 4
_WALKS_MAX: Final = 4
_RETRY_SECONDS: Final = 0.2
_BUSY: Final = "it changed while it was synced: run the command again when it is no longer being written"
_SIDES: Final[dict[ActionKind, str]] = {"trash local": "here", "trash remote": "on the server"}


class TooManyDeletions(SkyshelfError):
    """More files would be deleted than allowed."""

    exit_code = CONFLICT_ERROR.exit_code


class SyncResult(Struct, kw_only=True):
    """What a sync did. `failures` and `left` name what is not the same on both sides, each with the reason."""

    steps: int = 0
    files: int = 0
    failures: list[tuple[str, SkyshelfError]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


class TwoWaySync:
    """A local folder and a folder on the server. Close it after use: it holds the folder's lock."""

    def __init__(
        self,
        client: Client,
        local: Path,
        path: str,
        *,
        select: Select | None = None,
        workers: int = 4,
        upload_limit: RateLimit | None = None,
        download_limit: RateLimit | None = None,
        max_delete: int = DELETIONS_MAX,
        may_delete: Callable[[str], bool] | None = None,
        start_over: bool = False,
        accept_server_state: bool = False,
        merge_text: bool = False,
        dry_run: bool = False,
        build_index: bool = False,
        report: Callable[[SyncEvent], None] | None = None,
        planned: Callable[[int, int], None] | None = None,
        hashed: Callable[[str, int], None] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        """`may_delete` is asked with a sentence where more than `max_delete` files, most or all would be deleted.

        Without it such a sync is an error; so is one with a server that was restored, moved or went back to an older
        state, unless `accept_server_state`. `select` decides what is synced, `report` is called for every step, and
        `planned` before transfers with their number and size. A
        `dry_run` can only plan, and writes nothing.
        """
        self._client = client
        self._path = path
        self._workers = workers
        self._upload_limit = upload_limit
        self._download_limit = download_limit
        self._max_delete = max_delete
        self._may_delete = may_delete
        self._report = report or (lambda _: None)
        self._planned = planned or (lambda _files, _size: None)
        self._hashed = hashed
        self._now = now
        self._top = local.resolve()
        self._side = LocalSide(self._top, device_name())
        if not dry_run:
            self._side.prepare()
        self._selection = Selection(self._side.state)
        self._select = self._selection.narrowed(select)
        self._lock = self._side.lock = None if dry_run else self._locked()
        index = self._side.state / INDEX
        try:
            if start_over and not dry_run:
                set_aside(index)
            self._index = SyncIndex(None if dry_run and (start_over or not index.exists()) else index)
        except BaseException:
            self._unlock()
            raise
        self._epochs = EpochGuard(client, self._index, accept=accept_server_state, dry_run=dry_run)
        # A client's index of the account saves walks, where the server reports changes.
        self._build_index = build_index or path == "/"
        self._merge = TextMerge(client, self._index, self._side).attempt if merge_text else None
        self._is_snapshot = False
        self._reported: set[tuple[EventKind, str, str]] = set()

    def close(self) -> None:
        """Close the index and give up the lock."""
        self._index.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)

    def _locked(self) -> int:
        with translate_os_errors("cannot open", self._side.state / LOCK):
            descriptor = os.open(self._side.state / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        if not lock_file(descriptor):
            os.close(descriptor)
            raise LocalFileError(f"another sync of {self._top} is running: wait until it ends, or stop it")
        return descriptor

    def plan(self, *, forced: bool = False) -> SyncPlan:
        root_key = self._root_key(create=False)
        entries = self._index.entries()
        scan = LocalScan(self._top, self._select)
        local = scan.read()
        self._side.check_place()
        self._side.note_disks(local)
        by_key = {entry.key.upper(): entry for entry in entries}
        if root_key is None:
            remote = RemoteTree("0" * 32)
        else:
            self._is_snapshot = self._client.use_index(build=self._build_index)
            remote = self._read_remote(root_key, by_key, scan)
            entries = self._epochs.review(entries, remote)
        hashes = Hashes(self._top, self._hashed)
        planner = Planner(
            entries,
            local,
            remote,
            fold=scan.fold,
            hashes=hashes,
            linked=partial(linked_keys, self._client, by_key),
            select=self._select,
            has_modes=self._epochs.has_modes and scan.has_modes,
            forced=forced,
        )
        return planner.plan()

    def _read_remote(self, root_key: str, entries: dict[str, Entry], scan: LocalScan) -> RemoteTree:
        """Read the server's side, again where it changes so fast that a walk does not succeed."""
        for _ in range(_WALKS_MAX - 1):
            try:
                return read_remote(self._client, root_key, entries, scan, select=self._select)
            except (ObjectNotFoundError, BrokenListingError):
                self._is_snapshot = self._client.use_index(build=self._build_index)
        return read_remote(self._client, root_key, entries, scan, select=self._select)

    def run(self) -> SyncResult:
        """Make both sides the same. Run it again after any end, a kill too: it continues."""
        self._side.check_place()
        self._selection.read()
        root_key = self._root_key(create=True)
        assert root_key is not None
        now, there = self._now(), self._client.server_time
        self._side.begin(now, there)
        result = SyncResult()
        forced, retries = False, 0
        agreed: dict[ActionKind, int] = {}
        refused: dict[int, tuple[str, SkyshelfError]] = {}
        for number in range(_ROUNDS_MAX):
            plan = self._confirmed(self.plan(forced=forced), forced=forced)
            leave_out(plan, refused)
            result.left = plan.left
            self._report_left(plan)
            self._check_deletions(plan, agreed, is_first=number == 0)
            execution = Execution(
                self._client,
                self._index,
                self._side,
                root_key,
                workers=self._workers,
                upload_limit=self._upload_limit,
                download_limit=self._download_limit,
                report=self._report,
            )
            execution.merge, execution.has_modes = self._merge, plan.has_modes
            if plan.transfers and not plan.is_structural:
                self._planned(len(plan.transfers), sum(one.size for one in plan.transfers))
            is_complete = execution.run(plan)
            result.steps += execution.done
            result.files = plan.known_files
            result.failures = [*refused.values(), *execution.failures]
            refused |= execution.refused_moves
            if execution.failed_moves:
                # Without their entries both sides are merged: an item may exist twice, but never gets lost.
                self._index.forget(execution.failed_moves)
            elif is_complete or (execution.failures and not (execution.done or execution.refused_moves)):
                break
            if execution.retry:
                retries += 1
                if retries > _RETRIES_MAX:
                    result.failures += [(path, LocalFileError(_BUSY)) for path in sorted(execution.changed)]
                    break
                time.sleep(_RETRY_SECONDS * retries)
            is_stuck = not (execution.done or execution.retry or execution.again or execution.refused_moves)
            if is_stuck and (forced or refused):
                break
            # In the next round, items that wait for others give way under another name.
            forced = is_stuck
        else:
            result.failures.append(("", LocalFileError("both sides keep changing: run the command again")))
        self._side.forget_old(now, there)
        result.failures += [(path, LocalFileError(reason)) for path, reason in plan.held]
        if not result.failures:
            self._put_away(result)
        self._epochs.finish(has_changed=result.steps > 0)
        return result

    def _put_away(self, result: SyncResult) -> None:
        """Remove folders here that are to stay on the server alone."""
        for path, doubt in self._selection.put_away(self._client, self._index, self._side, self._select):
            if doubt is None:
                result.steps += 1
                self._report(SyncEvent(kind="trash local", path=path, reason=STAYS))
            else:
                result.left.append((path, doubt))
                self._report(
                    SyncEvent(kind="left", path=path, reason=f"it is to stay on the server alone, but {doubt}")
                )

    def _report_left(self, plan: SyncPlan) -> None:
        """Report what is not synced, once as long as it stays so."""
        found: list[tuple[EventKind, str, str]] = [("left", *one) for one in plan.left]
        found += [("failed", *one) for one in plan.held]
        for kind, path, reason in found:
            if (kind, path, reason) not in self._reported:
                self._report(SyncEvent(kind=kind, path=path, reason=reason))
        self._reported = set(found)

    def _confirmed(self, plan: SyncPlan, *, forced: bool) -> SyncPlan:
        """Plan again where local files would be deleted: a walk may miss an item that was moved during it."""
        doubtful = {one.path for one in plan.deletions if one.kind == "trash local"}
        if not doubtful or self._is_snapshot:
            return plan
        again = self.plan(forced=forced)
        again.deletions = [one for one in again.deletions if one.kind != "trash local" or one.path in doubtful]
        return again

    def _root_key(self, *, create: bool) -> str | None:
        """Return the key of the folder on the server: that of the last sync, or of the path."""
        known, account = self._index.get("root"), self._index.get("account")
        credentials = self._client.credentials
        current = f"{credentials.user_id.upper() if credentials else ''}"
        if known is not None and account != current:
            raise LocalFileError(
                f"{self._top} is in sync with another account: use the profile of that account, or start over with"
                " --start-over, which merges both sides and deletes nothing"
            )
        try:
            found = self._client.get(self._path)
        except ObjectNotFoundError:
            before = self._index.get("path")
            if known is not None and before != self._path:
                raise self._other_folder(before) from None
            if known is not None:
                raise LocalFileError(
                    f"{self._path} no longer exists on the server, so nothing was changed: restore it there, or start"
                    " over with --start-over, which uploads everything again"
                ) from None
            if not self._path.startswith("/"):
                raise
            if not create:
                return None
            found = self._client.create_path(self._path)
        if not found.is_folder:
            raise LocalFileError(f"{self._path} is a file on the server: use a folder")
        if known is not None and known.upper() != found.key.upper():
            raise self._other_folder(self._index.get("path"))
        if known is None and create:
            self._index.put(root=found.key, account=current, path=self._path)
        return found.key

    def _other_folder(self, path: str | None) -> LocalFileError:
        return LocalFileError(
            f"{self._top} was in sync with another folder, {path}, so nothing was changed: name that one, or start over"
            " with --start-over, which merges both sides and deletes nothing"
        )

    def _check_deletions(self, plan: SyncPlan, agreed: dict[ActionKind, int], *, is_first: bool) -> None:
        """Ask where a plan deletes much; `agreed` is what was agreed to in this run, for each side."""
        for kind, side in _SIDES.items():
            count = plan.files_deleted(kind)
            is_most = count >= DELETED_SHARE_FROM and count > plan.known_files * DELETED_SHARE_MAX
            is_all = 0 < count >= plan.known_files
            if count <= self._max_delete and not is_most and not is_all:
                continue
            if count <= agreed.get(kind, 0):
                continue
            sentence = f"{count:,} of {plan.known_files:,} files would be deleted {side}"
            if self._may_delete is not None and self._may_delete(sentence):
                agreed[kind] = count
                continue
            done = "Nothing was changed" if is_first else "Nothing was deleted"
            raise TooManyDeletions(
                f"{sentence}. {done}. --dry-run lists them, --force-deletions or a higher --max-delete carries them out"
            )
