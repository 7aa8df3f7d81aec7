"""Operations on the real stores, in the order that the service keeps: blob durable, one commit, acknowledgement.

What is tidied up after the commit comes after the acknowledgement, as late as the contract allows.
"""

from tests.crash.contents import bytes_of
from tests.crash.expecting import NOT_OWNED, VERSIONS_KEPT
from tests.crash.hands import Hands, line_of, new_file, pieces, refused
from tests.crash.operations import (
    AddFolder,
    BeginUpload,
    ChangeTree,
    DeleteBatch,
    DiscardUpload,
    EmptyTrash,
    FinishUpload,
    MarkForDeletion,
    OpenAccount,
    Operation,
    PutFile,
    PutOwned,
    ReleaseIdle,
    Restore,
    SendChunk,
)
from tests.crash.performing_uploads import begin_upload, discard_upload, finish_upload, send_chunk

from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.accounts import NewAccount
from skyshelf.storage.metadata.contracts.tree import NewFolder

SPACE = 1 << 40


def perform(hands: Hands, operation: Operation) -> None:
    """Do it, and acknowledge it or its refusal; any other error is an error of the store and comes out."""
    match operation:
        case PutFile():
            _put(hands, operation)
        case FinishUpload():
            finish_upload(hands, operation)
        case DiscardUpload():
            discard_upload(hands, operation)
        case ReleaseIdle():
            _release_idle(hands, operation)
        case _:
            try:
                outcome = _commit(hands, operation)
            except StorageError as error:
                outcome = [refused(error)]
            hands.acknowledge(outcome)


def _put(hands: Hands, operation: PutFile) -> None:
    content = operation.content
    stored = hands.blobs.put(pieces(bytes_of(content)), expected_size=content.size)
    if (stored.sha256, stored.md5, stored.size) != (content.sha256, content.md5, content.size):
        raise AssertionError(f"other bytes were stored than were put: {stored}")
    hands.refer(
        new_file(operation.object_key, operation.parent_key, operation.name, stored, operation.now), operation.now
    )


def _release_idle(hands: Hands, operation: ReleaseIdle) -> None:
    """Into quarantine, and out of it at once."""
    write, now = hands.metadata.write, operation.now
    released = write(lambda unit: unit.content.release_idle(now, operation.limit, now))
    hands.acknowledge([])
    for location in released.thumbnails:
        hands.blobs.delete(location)
    begun = write(lambda unit: unit.quarantine.begin_deleting(now, operation.limit))
    for one in begun:
        hands.blobs.delete(one.location)
    write(lambda unit: unit.quarantine.end_deleting([one.location for one in begun]))


def _commit(hands: Hands, operation: Operation) -> list[str]:
    """Operations with nothing to do after their commit."""
    write, account, now = hands.metadata.write, hands.account_id, operation.now
    match operation:
        case OpenAccount():
            new = new_account(operation.account_key, operation.root_key, operation.email)
            return [write(lambda unit: unit.accounts.add(new, now)).account_key]
        case AddFolder():
            folder = NewFolder(object_key=operation.object_key, parent_key=operation.parent_key, name=operation.name)
            return [line_of(write(lambda unit: unit.tree.add_folder(account, folder, now)))]
        case PutOwned():
            content = operation.content
            # Where it lives and what its SHA-256 is, only the store knows: it must not read ours.
            unread = StoredBlob("", content.size, content.md5, "")
            file = new_file(operation.object_key, operation.parent_key, operation.name, unread, now)
            put = write(lambda unit: unit.files.put_owned(account, file, now, keep_versions=VERSIONS_KEPT))
            return [NOT_OWNED if put is None else line_of(put.object)]
        case ChangeTree():
            changes = [change.for_the_tree() for change in operation.changes]
            return list(map(line_of, write(lambda unit: unit.tree.apply(account, changes, now))))
        case Restore():
            return list(map(line_of, write(lambda unit: unit.tree.restore(account, operation.object_keys, now))))
        case MarkForDeletion():
            return write(lambda unit: unit.files.mark_for_deletion(account, operation.object_keys, now))
        case EmptyTrash():
            write(lambda unit: unit.files.mark_all_for_deletion(account, now))
            return []
        case DeleteBatch():
            write(lambda unit: unit.files.delete_batch(account, operation.limit, now))
            return []
        case BeginUpload():
            return [begin_upload(hands, operation)]
        case SendChunk():
            return [send_chunk(hands, operation)]
    raise AssertionError(f"nobody performs {operation}")


def new_account(account_key: str, root_key: str, email: str) -> NewAccount:
    return NewAccount(
        account_key=account_key,
        root_key=root_key,
        email=email,
        first_name="Crash",
        last_name="Proof",
        password_hash="none",
        default_space=SPACE,
    )
