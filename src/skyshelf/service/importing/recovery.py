"""Recovery of contents from quarantine: into files of this machine, or into an account's drive.

Every copy is read and compared with its hash first; the first sound one is used.
"""

import os
from contextlib import suppress
from pathlib import Path

from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext, command_actor
from skyshelf.service.importing.trees import resolve_target
from skyshelf.service.retention import retention
from skyshelf.service.uploads.commit import new_file
from skyshelf.storage.blobs.hashing import ContentHash, digests_of
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.content import QuarantineEntry
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.uploads import UploadMetadata


class NotRecoverable(StorageError):
    """The content is not in quarantine, or has no sound copy there."""


def recover_to_folder(ctx: ServiceContext, sha256: str, folder: Path) -> tuple[Path, int]:
    """Write a content to a new file named by its hash; the file exists only if it is complete."""
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
    """Turn a content into a file of the drive, named by its hash. Nothing is copied: it leaves the quarantine."""
    copy, md5 = _sound_copy(ctx, sha256)
    folder, new_folders = resolve_target(ctx, account, path)
    now, keep = ctx.clock.now(), retention(ctx).versions_kept
    metadata = UploadMetadata(name=sha256, size=copy.size, hash=md5, folder_key=folder.object_key)
    file = new_file(ctx, Caller.of(account), metadata, location=copy.location, sha256=sha256, now=now)

    def work(unit: Unit) -> StoredObject:
        unit.act_as(command_actor("quarantine recover"))
        for new in new_folders:
            unit.tree.add_folder(account.account_id, new, now)
        put = unit.files.put(account.account_id, file, now, keep_versions=keep)
        # If other files have the content, their copy serves this one, too.
        if put.location == copy.location and not unit.quarantine.reinstate(copy.location):
            raise NotRecoverable(f"{sha256} is being deleted at this moment")
        return put.object

    return recorded(ctx, work, new_event(ctx, kinds.QUARANTINE_RECOVERED, account, sha256=sha256))


def _sound_copy(ctx: ServiceContext, sha256: str) -> tuple[QuarantineEntry, str]:
    """Return a copy whose digests were verified, with its MD5."""
    for copy in _copies(ctx, sha256):
        with suppress(BlobMissing, BlobCorrupt, BadLocation):
            found, md5 = digests_of(ctx.blobs.read(copy.location))
            if found == sha256:
                return copy, md5
    raise _damaged(sha256)


def _copies(ctx: ServiceContext, sha256: str) -> list[QuarantineEntry]:
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
