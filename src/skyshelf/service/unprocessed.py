"""Unprocessed: how an entry that was refused tells which object it was about, and why."""

from skyshelf.service.refusals import Refused, code_of
from skyshelf.storage.errors import StorageError
from skyshelf.wire.keys import is_key
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.batch import UnprocessedEntry, UnprocessedObject


def known_spelling(key: str) -> str:
    """A key in the spelling that answers have; what is not a key stays as it was sent."""
    return key.upper() if is_key(key) else key


def unprocessed(
    key: str, reason: Refusal | StorageError, *, operation: str | None = None, correlation_id: str | None = None
) -> UnprocessedEntry:
    """The entry of a refused object; only batches have an operation and a correlation."""
    refusal = Refused(code_of(reason)) if isinstance(reason, StorageError) else reason
    return UnprocessedEntry(
        operation=operation,
        correlation_id=correlation_id,
        object=UnprocessedObject(
            object_key=known_spelling(key), error_message=refusal.message, error_code=refusal.code
        ),
    )
