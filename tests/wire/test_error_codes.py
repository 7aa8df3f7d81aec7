"""The two error tables of the interface, written out once more, and the laws of our own codes."""

import re

import pytest

from skyshelf.wire import error_codes
from skyshelf.wire.client_errors import CLIENT_ERRORS, EXIT_CODES, NETWORK_ERROR, client_error_for_status
from skyshelf.wire.error_codes import ERROR_CODES, ErrorCode, client_error_for
from skyshelf.wire.refusals import BadKey, BadName, BadPageDate, InvalidRequest, Refusal

OF_THE_INTERFACE = {
    "NMSOM0001": (400, "Accept language is null or empty"),
    "NMSOM0003": (400, "Content type is null or empty"),
    "BRSOM0036": (400, "Content-Type header is not available"),
    "NMSOM0021": (400, "Source name is null or empty"),
    "NMSOM0129": (400, "provide valid value for folder(W) or file(F) search"),
    "NMSOM0135": (400, "Request is not proper"),
    "TEJVF0001": (400, "constraint validation on objectName for value null"),
    "TEJRF0400": (400, "Missing or invalid X-Offset / nextPageDate must be a valid time"),
    "TEJGA0401": (401, "The session is logged out or expired"),
}

STATUS_TABLE = [
    (400, "InvalidRequestError", False),
    (401, "AuthenticationError", False),
    (403, "ForbiddenError", False),
    (404, "ObjectNotFoundError", False),
    (409, "ConflictError", False),
    (413, "PayloadTooLargeError", False),
    (429, "RateLimitError", True),
    (500, "ServerError", True),
    (502, "ServerError", True),
    (503, "ServerError", True),
    (507, "ServerError", True),
    (599, "ServerError", True),
    (405, "InvalidRequestError", False),
    (415, "InvalidRequestError", False),
    (302, "ServerError", True),
]

OURS = {
    "INVALID_REQUEST": ("SKY1000", 400, "InvalidRequestError"),
    "NOT_JSON": ("SKY1001", 400, "InvalidRequestError"),
    "BAD_NAME": ("SKY1002", 400, "InvalidRequestError"),
    "BAD_KEY": ("SKY1003", 400, "InvalidRequestError"),
    "METHOD_NOT_ALLOWED": ("SKY1004", 405, "InvalidRequestError"),
    "BODY_TOO_LARGE": ("SKY1005", 413, "PayloadTooLargeError"),
    "NOT_OFFERED": ("SKY1006", 404, "ObjectNotFoundError"),
    "THROTTLED": ("SKY1007", 429, "RateLimitError"),
    "WRONG_CONTENT_TYPE": ("SKY1008", 415, "InvalidRequestError"),
    "RANGE_NOT_SATISFIABLE": ("SKY1009", 416, "InvalidRequestError"),
    "LOGIN_REFUSED": ("SKY2000", 401, "AuthenticationError"),
    "APP_REFUSED": ("SKY2001", 403, "ForbiddenError"),
    "FORBIDDEN": ("SKY2002", 403, "ForbiddenError"),
    "JWT_REFUSED": ("SKY2003", 401, "AuthenticationError"),
    "SECOND_FACTOR_REQUIRED": ("SKY2005", 401, "SecondFactorRequiredError"),
    "LOGIN_CODE_REFUSED": ("SKY2006", 401, "AuthenticationError"),
    "CODE_WRONG": ("SKY2007", 403, "ForbiddenError"),
    "SECOND_FACTOR_ON": ("SKY2008", 409, "ConflictError"),
    "SECOND_FACTOR_OFF": ("SKY2009", 409, "ConflictError"),
    "LINK_USED": ("SKY2010", 404, "ObjectNotFoundError"),
    "LAST_OPERATOR": ("SKY2011", 409, "ConflictError"),
    "EMAIL_TAKEN": ("SKY2012", 409, "ConflictError"),
    "ACCOUNT_NOT_FOUND": ("SKY2013", 404, "ObjectNotFoundError"),
    "BANNER_NOT_FOUND": ("SKY2014", 404, "ObjectNotFoundError"),
    "OBJECT_NOT_FOUND": ("SKY3000", 404, "ObjectNotFoundError"),
    "SHARE_NOT_FOUND": ("SKY3001", 404, "ObjectNotFoundError"),
    "BOARD_NOT_FOUND": ("SKY3002", 404, "ObjectNotFoundError"),
    "VERSION_NOT_FOUND": ("SKY3003", 404, "ObjectNotFoundError"),
    "NO_THUMBNAIL": ("SKY3004", 404, "ObjectNotFoundError"),
    "NO_TEXT": ("SKY3006", 404, "ObjectNotFoundError"),
    "NAME_TAKEN": ("SKY3010", 409, "ConflictError"),
    "FOLDER_EXPECTED": ("SKY3020", 400, "InvalidRequestError"),
    "FILE_EXPECTED": ("SKY3021", 400, "InvalidRequestError"),
    "ROOT_FIXED": ("SKY3022", 400, "InvalidRequestError"),
    "MOVE_INTO_ITSELF": ("SKY3023", 400, "InvalidRequestError"),
    "TARGET_NOT_FOLDER": ("SKY3024", 400, "InvalidRequestError"),
    "UPLOAD_NOT_FOUND": ("SKY4000", 404, "ObjectNotFoundError"),
    "UPLOAD_OFFSET": ("SKY4001", 409, "ConflictError"),
    "UPLOAD_BUSY": ("SKY4002", 409, "ConflictError"),
    "CHUNK_HASH_MISMATCH": ("SKY4003", 400, "InvalidRequestError"),
    "CONTENT_HASH_MISMATCH": ("SKY4004", 400, "InvalidRequestError"),
    "CONTENT_SIZE_MISMATCH": ("SKY4005", 400, "InvalidRequestError"),
    "FILE_TOO_LARGE": ("SKY4006", 413, "PayloadTooLargeError"),
    "STORAGE_FULL": ("SKY4007", 413, "QuotaExceededError"),
    "INTERNAL": ("SKY5000", 500, "ServerError"),
    "STORE_UNAVAILABLE": ("SKY5001", 503, "ServerError"),
    "DISK_FULL": ("SKY5002", 507, "ServerError"),
    "SERVER_BUSY": ("SKY5003", 503, "ServerError"),
    "CONTENT_DAMAGED": ("SKY5004", 500, "ContentDamagedError"),
    "READ_ONLY": ("SKY5005", 503, "ReadOnlyError"),
    "SESSION_PAUSED": ("SKY2050", 403, "SessionPausedError"),
    "CONFIRMATION_NEEDED": ("SKY2051", 403, "ForbiddenError"),
    "ACCOUNT_HELD": ("SKY2053", 409, "ConflictError"),
}


def test_the_nine_codes_of_the_interface_are_exact() -> None:
    rows = {row.code: (row.status, row.message) for row in ERROR_CODES.values() if row.is_of_the_interface}
    assert rows == OF_THE_INTERFACE


def test_our_codes_keep_their_meaning() -> None:
    published = {
        name: (row.code, row.status, row.error.name)
        for name, row in vars(error_codes).items()
        if isinstance(row, ErrorCode) and not row.is_of_the_interface
    }
    # Codes may be added; one that is published never changes its meaning.
    assert published.items() >= OURS.items()
    assert all(re.fullmatch(r"SKY[0-9]{4}", code) for code, _, _ in published.values())
    assert len({code for code, _, _ in published.values()}) == len(published)


@pytest.mark.parametrize(("status", "name", "retry"), STATUS_TABLE)
def test_a_status_alone_gives_the_client_error_of_the_interface(status: int, name: str, retry: bool) -> None:
    assert client_error_for_status(status).name == name
    assert client_error_for(status).name == name
    assert client_error_for(status).retryable is retry


def test_transport_errors_are_retried() -> None:
    assert (NETWORK_ERROR.name, NETWORK_ERROR.when, NETWORK_ERROR.retryable) == ("NetworkError", "transport", True)


def test_a_full_account_is_not_a_payload_that_is_too_large() -> None:
    assert client_error_for(413, "SKY4007").name == "QuotaExceededError"
    assert client_error_for(413, "SKY1005").name == "PayloadTooLargeError"
    assert client_error_for(413, "SOMETHING").name == "PayloadTooLargeError"


def test_a_code_that_comes_with_another_status_does_not_decide() -> None:
    assert client_error_for(503, "SKY4007").name == "ServerError"
    assert client_error_for(503, "SKY4007").retryable


def test_a_busy_upload_is_retried_and_a_taken_name_is_not() -> None:
    assert error_codes.UPLOAD_BUSY.retryable
    assert not error_codes.NAME_TAKEN.retryable


def test_every_row_agrees_with_the_status_table() -> None:
    for row in ERROR_CODES.values():
        by_status = client_error_for_status(row.status)
        assert row.error is by_status or row.error.name in {
            "QuotaExceededError",
            "SecondFactorRequiredError",
            "ContentDamagedError",
            "ReadOnlyError",
            "SessionPausedError",
        }
        assert row.exit_code == row.error.exit_code
        assert error_codes.find(row.code) is row


def test_every_row_says_what_is_wrong_and_what_to_do_next() -> None:
    for row in ERROR_CODES.values():
        assert row.message
        assert row.advice.endswith(".")
        assert row.message != row.advice


def test_exit_codes_are_distinct_and_leave_the_common_ones_alone() -> None:
    codes = [error.exit_code for error in CLIENT_ERRORS]
    assert len(set(codes)) == len(codes) == 14
    assert not {0, 1, 2, 130} & set(codes)
    assert set(EXIT_CODES) == {0, 1, 2, 130, *codes}


def test_an_unknown_code_has_no_row() -> None:
    assert error_codes.find("NOPE") is None


def test_a_refusal_carries_a_row_and_a_sentence() -> None:
    assert (BadName().code, BadKey().code, BadPageDate().code) == ("SKY1002", "SKY1003", "TEJRF0400")
    assert Refusal("why").message == str(Refusal("why")) == "why"
    assert InvalidRequest(error=error_codes.LISTING_TYPE).message == error_codes.LISTING_TYPE.message
