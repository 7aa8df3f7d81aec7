"""A response of the object store becomes a storage error with one sentence and no details of requests."""

import pytest
from obstore.exceptions import BaseError, GenericError, PermissionDeniedError, UnauthenticatedError

from skyshelf.storage.blobs.object_store.objects import typed_errors
from skyshelf.storage.errors import BlobCorrupt, StorageError, StoreFull, StoreUnavailable

ANSWER = "Error performing PUT http://host/bucket/key - Server returned non-2xx status code: {}: <Error><Code>{}</Code>"


@pytest.mark.parametrize(
    ("error", "expected", "sentence"),
    [
        (GenericError("HTTP error: error sending request"), StoreUnavailable, "no response"),
        (GenericError(ANSWER.format("503 Slow Down", "SlowDown")), StoreUnavailable, "status 503, SlowDown"),
        (GenericError(ANSWER.format("403 Forbidden", "AccessDenied")), StoreUnavailable, "refuses our credentials"),
        (PermissionDeniedError("for path blobs/a"), StoreUnavailable, "refuses our credentials"),
        (UnauthenticatedError("no"), StoreUnavailable, "refuses our credentials"),
        (GenericError(ANSWER.format("507 Insufficient Storage", "")), StoreFull, "no space"),
        (GenericError(ANSWER.format("403 Forbidden", "QuotaExceeded")), StoreFull, "no space"),
        (GenericError(ANSWER.format("416 Range Not Satisfiable", "InvalidRange")), BlobCorrupt, "shorter"),
    ],
)
def test_an_answer_becomes_our_error(error: BaseError, expected: type[StorageError], sentence: str) -> None:
    with pytest.raises(expected, match=sentence) as raised, typed_errors("writing"):
        raise error
    assert "http://" not in str(raised.value)


def test_a_missing_bucket_is_not_a_missing_object() -> None:
    with pytest.raises(StoreUnavailable, match="bucket"), typed_errors("reading"):
        raise FileNotFoundError(ANSWER.format("404 Not Found", "NoSuchBucket"))
    with pytest.raises(StoreUnavailable, match="bucket"), typed_errors("writing", missing_is_an_error=True):
        raise FileNotFoundError(ANSWER.format("404 Not Found", ""))
    with pytest.raises(FileNotFoundError), typed_errors("reading"):
        raise FileNotFoundError(ANSWER.format("404 Not Found", "NoSuchKey"))
