"""What the parent itself does to the store while no writer lives; the journal goes along."""

from random import Random

from tests.crash.clock import now_ms
from tests.crash.expecting import expect
from tests.crash.hands import Hands
from tests.crash.journal import Journal
from tests.crash.operations import FinishUpload, Operation
from tests.crash.performing import perform
from tests.crash.shelf import Shelf

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.keys import RANDOM_BYTES, make_key


def do(metadata: MetadataStore, blobs: BlobStore, shelf: Shelf, operation: Operation) -> list[str]:
    """Perform one operation; sentences about an answer that was not the expected one."""
    outcomes: list[list[str]] = []
    perform(Hands(metadata, blobs, shelf.account_id, outcomes.append), operation)
    expected = expect(shelf, operation)
    return [] if outcomes == [expected] else [f"{operation} answered {outcomes} instead of {expected}"]


def finish_uploads(metadata: MetadataStore, blobs: BlobStore, journal: Journal) -> list[str]:
    """Send what is missing of every upload, whenever it was begun, and make a file of it."""
    rng = Random(0)
    wrong: list[str] = []
    for shelf in journal.shelves.values():
        for key, upload in list(shelf.uploads.items()):
            operation = FinishUpload(
                now=now_ms(),
                upload_key=key,
                object_key=new_key(rng, shelf.worker),
                last_chunk=upload.content.size - upload.received,
            )
            wrong += do(metadata, blobs, shelf, operation)
    return wrong


def purge_all(metadata: MetadataStore, journal: Journal) -> None:
    for account_id in {shelf.account_id for shelf in journal.shelves.values()}:
        while _delete_batch(metadata, account_id):
            pass


def _delete_batch(metadata: MetadataStore, account_id: int) -> bool:
    return metadata.write(lambda unit: unit.files.delete_batch(account_id, 50, now_ms()))


def new_key(rng: Random, worker: int) -> str:
    return make_key(now_ms(), rng.randbytes(RANDOM_BYTES - 1) + bytes([worker]))
