"""Handing over the files of someone who leaves: everything visible appears in a folder of another account.

No byte is copied, and the account that is left keeps everything until it is deleted. So an interrupted hand-over can be
started again and continues: files that the folder already has are not copied twice.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from skyshelf.service.context import ServiceContext, command_actor
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.files.moves import folder_pages
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import CopyOf
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.names import clean_name

_STEP: Final = 500


class HandoverProgress(msgspec.Struct, frozen=True):
    folder_name: str
    files: int = 0
    size: int = 0
    already: int = 0
    """Files that an earlier run handed over."""
    refused: int = 0
    """Files and folders that could not be handed over, for example for lack of space."""

    def __add__(self, more: "HandoverProgress") -> "HandoverProgress":
        sums = (getattr(self, name) + getattr(more, name) for name in ("files", "size", "already", "refused"))
        return HandoverProgress(self.folder_name, *sums)


def hand_over(ctx: ServiceContext, leaving: Account, taking: Account) -> Iterator[HandoverProgress]:
    """Hand over in steps; the last one yielded is the result."""
    if leaving.account_id == taking.account_id:
        raise ServiceError(codes.INVALID_REQUEST, "An account cannot take over its own files")
    with ctx.metadata.read() as unit:
        now = ctx.clock.now()
        needed, free = unit.quotas.get(leaving.account_id, now).used, unit.quotas.get(taking.account_id, now).free
    if needed > free:
        raise ServiceError(codes.STORAGE_FULL)
    folder = _folder_for(ctx, leaving, taking)
    so_far = HandoverProgress(folder.name)
    waiting = [(leaving.root_key, folder.object_key)]
    while waiting:
        source, target = waiting.pop()
        for page in folder_pages(ctx, leaving.account_id, source, _STEP):
            done, below = _step(ctx, leaving, taking, page, target)
            waiting += below
            so_far += done
            yield so_far
    yield so_far


def _folder_for(ctx: ServiceContext, leaving: Account, taking: Account) -> StoredObject:
    """Return the folder named after the person who leaves; an earlier run may have created it."""
    name = clean_name(f"{leaving.first_name} {leaving.last_name} ({leaving.email})")
    now = ctx.clock.now()

    def work(unit: Unit) -> StoredObject:
        unit.act_as(command_actor("user hand-over"))
        known = unit.tree.child_named(taking.account_id, taking.root_key, name)
        if known is not None and known.is_folder:
            return known
        folder = NewFolder(object_key=ctx.new_key(), parent_key=taking.root_key, name=name)
        return unit.tree.add_folder(taking.account_id, folder, now)

    return ctx.metadata.write(work)


def _step(
    ctx: ServiceContext, leaving: Account, taking: Account, page: Sequence[StoredObject], target: str
) -> tuple[HandoverProgress, list[tuple[str, str]]]:
    """Copy a page into a folder; returns the progress, and the folders to visit next."""
    now = ctx.clock.now()

    def work(unit: Unit) -> tuple[HandoverProgress, list[tuple[str, str]]]:
        unit.act_as(command_actor("user hand-over"))
        is_begun = bool(unit.tree.children(taking.account_id, target, limit=1))
        known = {
            one.name: unit.tree.child_named(taking.account_id, target, one.name) if is_begun else None for one in page
        }
        below = [
            (one.object_key, there.object_key)
            for one in page
            if one.is_folder and (there := known[one.name]) is not None and there.is_folder
        ]
        missing = [one for one in page if not _is_same(one, known[one.name])]
        copies = [CopyOf(one.object_key, ctx.new_key()) for one in missing]
        copied = unit.copies.copy(
            taking.account_id, copies, target, now, created_by=leaving.first_name, source_id=leaving.account_id
        )
        if copied.needs_dates:
            unit.outbox.put(READ_DATES, str(taking.account_id), b"", now)
        files = size = refused = 0
        for source, outcome in zip(missing, copied.outcomes, strict=True):
            if isinstance(outcome, StorageError):
                refused += 1
            elif source.is_folder:
                below.append((source.object_key, outcome.object_key))
            else:
                files, size = files + 1, size + source.size
        already = sum(not one.is_folder for one in page) - sum(not one.is_folder for one in missing)
        return HandoverProgress("", files, size, already, refused), below

    return ctx.metadata.write(work)


def _is_same(source: StoredObject, there: StoredObject | None) -> bool:
    if there is None or source.is_folder != there.is_folder:
        return False
    return source.is_folder or source.sha256 == there.sha256
