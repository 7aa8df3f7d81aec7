"""Calls beyond the interface (`/x/v1`): not every server has them, and one that does not is told of in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, RequestFailedError
from skyshelf.wire.error_codes import NOT_OFFERED, find


@contextmanager
def beyond(what: str) -> Iterator[None]:
    """Around a call that a server may not have: its absence becomes "this server does not offer ..."."""
    try:
        yield
    except RequestFailedError as error:
        if not is_absent(error):
            raise
        raise not_offered(error, what) from None


def is_absent(error: RequestFailedError) -> bool:
    """Whether the path itself is missing. A 404 with a code of our table is about a thing, and not about the path."""
    if isinstance(error, ObjectNotFoundError):
        row = find(error.code) if error.code else None
        return row is None or row is NOT_OFFERED
    return error.status in {405, 501}


def not_offered(error: RequestFailedError, what: str) -> NotOfferedError:
    """The same failure, as a sentence about the feature."""
    return NotOfferedError(
        f"this server does not offer {what}",
        status=error.status,
        code=error.code or NOT_OFFERED.code,
        method=error.method,
        path=error.path,
        request_id=error.request_id,
    )
