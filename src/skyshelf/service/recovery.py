"""Recovery of contents from quarantine: into files of this machine, or into an account's drive.

Every copy is read and compared with its hash first; where there are several, a sound one is taken.
"""

import os
from pathlib import Path

import msgspec

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext, command_actor
from skyshelf.service.importing.drive_tree import resolve_target
from skyshelf.service.retention import retention
from skyshelf.storage.blobs.hashing import ContentHash, digests_of
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.quarantine import Quarantined
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.names import category, split_mime


class NotRecoverable(StorageError):
    """The content is not in quarantine, or no sound copy of it is."""


def recover_to_folder(ctx: ServiceContext, sha256: str, folder: Path) -> tuple[Path, int]:
    """Write a content to a new file, which is named by its hash; the file exists only if it is whole."""
    for copy in _copies(ctx, sha256):
        target, aside = folder / sha256, folder / f".{sha256}.part"
        content = ContentHash()
        aside.unlink(missing_ok=True)
        try:
            with aside.open("xb") as file:
                for piece in ctx.blobs.read(copy.location):
                    content.update(piece)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            if content.sha256 == sha256:
                # A file that exists is not replaced.
                target.hardlink_to(aside)
                return target, content.size
        except (BlobMissing, BlobCorrupt, BadLocation):
            continue
        finally:
            aside.unlink(missing_ok=True)
    raise _damaged(sha256)


def recover_to_account(ctx: ServiceContext, sha256: str, account: Account, path: str) -> StoredObject:
    """Make a content a file of the drive, named by its hash. Nothing is copied: it leaves the quarantine."""
    for copy in _copies(ctx, sha256):
        try:
            found, md5 = digests_of(ctx.blobs.read(copy.location))
        except (BlobMissing, BlobCorrupt, BadLocation):
            continue
        if found == sha256:
            return _put_back(ctx, msgspec.structs.replace(copy, sha256=sha256, md5=md5), account, path)
    raise _damaged(sha256)


def _put_back(ctx: ServiceContext, copy: Quarantined, account: Account, path: str) -> StoredObject:
    """The copy's digests were checked."""
    sha256, md5 = copy.sha256, copy.md5
    assert sha256 is not None
    assert md5 is not None
    folder, new_folders = resolve_target(ctx, account, path)
    now, keep = ctx.clock.now(), retention(ctx).versions_kept
    mime_type, mime_subtype = split_mime(sha256)
    file = NewFile(
        object_key=ctx.new_key(),
        parent_key=folder.object_key,
        name=sha256,
        sha256=sha256,
        md5=md5,
        size=copy.size,
        location=copy.location,
        category=category(mime_type),
        mime_type=mime_type,
        mime_subtype=mime_subtype,
        file_created_at=now,
        last_modified_at=now,
        created_by=account.first_name,
    )

    def work(unit: Unit) -> StoredObject:
        unit.act_as(command_actor("quarantine recover"))
        for new in new_folders:
            unit.tree.add_folder(account.account_id, new, now)
        put = unit.files.put(account.account_id, file, now, keep_versions=keep)
        # Where other files have the content, their copy serves this one, too.
        if put.location == copy.location and not unit.quarantine.reinstate(copy.location):
            raise NotRecoverable(f"{sha256} is being deleted at this moment")
        return put.object

    return recorded(ctx, work, new_event(ctx, kinds.QUARANTINE_RECOVERED, account, sha256=sha256))


def _copies(ctx: ServiceContext, sha256: str) -> list[Quarantined]:
    with ctx.metadata.read() as unit:
        copies = unit.quarantine.copies(sha256)
        is_used = unit.content.get(sha256) is not None
    if copies:
        return copies
    if is_used:
        raise NotRecoverable(f"{sha256} is not in quarantine: files have it")
    raise NotRecoverable(f"{sha256} is not in quarantine: `skyshelf admin quarantine ls` lists what is")


def _damaged(sha256: str) -> NotRecoverable:
    return NotRecoverable(f"the copy of {sha256} in quarantine is damaged or missing: restore it from a backup")
