"""Copying files and folders within the drive."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import unprocessed
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.files.listings import Space, space_of
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.copies import Copied, CopyOf
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.copies import CopiedObject, CopyAnswer, CopyRequest


def copy(ctx: ServiceContext, caller: Caller, request: CopyRequest, origin: str) -> CopyAnswer:
    """Copy objects into a folder in one transaction; each succeeds or fails separately.

    A folder is copied without its contents: the caller lists them and copies them into the new folder, so that every
    step is bounded, and a large copy shows its progress and can be stopped.
    """
    now, account_id = ctx.clock.now(), caller.account_id
    copies = [CopyOf(key, ctx.new_key()) for key in request.object_keys]

    def work(unit: Unit) -> tuple[Copied, Space]:
        unit.act_as(caller.actor)
        copied = unit.copies.copy(account_id, copies, request.parent_object_key, now, created_by=caller.first_name)
        if copied.needs_dates:
            unit.outbox.put(READ_DATES, str(account_id), b"", now)
        return copied, space_of(unit, caller, now)

    copied, space = ctx.metadata.write(work)
    if copied.needs_dates:
        ctx.job_notifier.notify()
    made: list[CopiedObject] = []
    refused: list[UnprocessedEntry] = []
    for key, outcome in zip(request.object_keys, copied.outcomes, strict=True):
        if isinstance(outcome, StorageError):
            refused.append(unprocessed(key, outcome))
        else:
            made.append(CopiedObject(source_key=key, object=wire_object(outcome, origin)))
    return CopyAnswer(
        objects=made,
        unprocessed=refused,
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
    )
