"""Refusals of a request: each has a row of the error table and a message."""

from typing import ClassVar

from skyshelf.wire.error_codes import BAD_KEY, BAD_NAME, CONTACTS_PAGING, INVALID_REQUEST, ErrorCode


class Refusal(ValueError):
    """Something in a request cannot be accepted.

    It is a ValueError, so msgspec reports one that a model's own check raises as a decoding error.
    """

    default_error: ClassVar[ErrorCode] = INVALID_REQUEST

    def __init__(self, message: str | None = None, error: ErrorCode | None = None) -> None:
        self.error = error or self.default_error
        self.message = message or self.error.message
        super().__init__(self.message)

    @property
    def code(self) -> str:
        """The code in the response."""
        return self.error.code


class BadName(Refusal):
    """A name that no object can have."""

    default_error = BAD_NAME


class BadKey(Refusal):
    """A text that is not a key."""

    default_error = BAD_KEY


class BadPageDate(Refusal):
    """A `nextPageDate` that is not a time."""

    default_error = CONTACTS_PAGING


class InvalidRequest(Refusal):
    """A path, query, header or body that the endpoint does not accept."""
