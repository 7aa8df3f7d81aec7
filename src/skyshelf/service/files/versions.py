"""Versions of a file: listing them, and restoring one."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.capture_dates import READ_DATES, known_date
from skyshelf.service.files.downloads import original_of
from skyshelf.service.retention import retention
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.versions import FileVersion, FileVersions, VersionAuthor, VersionRestoreRequest


def file_versions(ctx: ServiceContext, caller: Caller, object_key: str) -> FileVersions:
    """The kept versions of a visible file, newest first."""
    with ctx.metadata.read() as unit:
        unit.tree.visible(caller.account_id, object_key)
        versions = unit.files.versions(caller.account_id, object_key)
    return FileVersions(total_versions=len(versions), obj_versions=[_wire_version(version) for version in versions])


def restore_version(ctx: ServiceContext, caller: Caller, request: VersionRestoreRequest, origin: str) -> CloudObject:
    """Make an earlier version's content the newest one; the current content stays as a version."""
    account_id, key, keep = caller.account_id, request.object_key, retention(ctx).versions_kept
    with ctx.metadata.read() as unit:
        wanted = original_of(unit, unit.tree.visible(account_id, key), request.version)
    # Read here, outside the transaction.
    date = known_date(ctx, wanted.location, wanted.size, *wanted.mime.split("/", 1), at_once=True)
    taken = None if date.taken_at is None or date.taken_day is None else (date.taken_at, date.taken_day)
    now = ctx.clock.now()

    def work(unit: Unit) -> StoredObject:
        unit.act_as(caller.actor)
        try:
            restored = unit.files.restore_version(
                account_id,
                key,
                request.version,
                now,
                keep_versions=keep,
                created_by=caller.first_name,
                taken=taken,
                needs_date=date.needs_date,
                facts=date.facts,
            )
        except ObjectMissing as missing:
            raise ServiceError(codes.VERSION_NOT_FOUND) from missing
        if date.needs_date:
            unit.outbox.put(READ_DATES, str(account_id), b"", now)
        return restored

    restored = ctx.metadata.write(work)
    if date.needs_date:
        ctx.job_notifier.notify()
    return wire_object(restored, origin)


def _wire_version(version: Version) -> FileVersion:
    author = VersionAuthor(first_name=version.created_by)
    return FileVersion(
        version=version.version,
        display_version=f"V{version.version}",
        created_date=version.created_at,
        is_current_version=version.is_current,
        version_created_by=author,
        size_in_bytes=version.size,
        hash=version.md5,
        # A version never changes, so its creation is its last update.
        last_updated_date=version.created_at,
        last_updated_by=author,
    )
