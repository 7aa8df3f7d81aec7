"""What a client learns about its server: which endpoints are missing, and which shortcuts are worth another try."""

import pytest

from skyshelf.client.engine.capabilities import OptionalEndpoint, is_absent, require_extension
from skyshelf.client.errors import ForbiddenError, NotOfferedError, RequestFailedError, ServerError, error_class
from skyshelf.wire.error_codes import CURSOR_TOO_OLD, NOT_OFFERED, OBJECT_NOT_FOUND, UPLOAD_NOT_FOUND


def failed(status: int, code: str | None = None) -> RequestFailedError:
    return error_class(status, code)("x", status=status, code=code)


@pytest.mark.parametrize(
    ("status", "code", "absent"),
    [
        (404, None, True),
        (404, "A CODE OF ANOTHER SERVER", True),
        (404, NOT_OFFERED.code, True),
        (404, OBJECT_NOT_FOUND.code, False),
        (404, UPLOAD_NOT_FOUND.code, False),
        (405, None, True),
        (410, None, True),
        (410, CURSOR_TOO_OLD.code, False),
        (501, None, True),
        (500, None, False),
        (403, None, False),
    ],
)
def test_an_endpoint_is_missing_unless_the_code_is_about_an_object(status: int, code: str | None, absent: bool) -> None:
    assert is_absent(failed(status, code)) is absent


def test_a_missing_extension_is_an_error_that_names_it_and_every_other_error_stays() -> None:
    with (
        pytest.raises(NotOfferedError, match="this server cannot share files") as caught,
        require_extension("share files"),
    ):
        raise failed(404)
    assert caught.value.code == NOT_OFFERED.code
    with pytest.raises(ForbiddenError), require_extension("share files"):
        raise failed(403)


def attempt(endpoint: OptionalEndpoint, error: RequestFailedError) -> None:
    with pytest.raises(type(error)), endpoint.probe():
        raise error


def test_a_shortcut_is_tried_by_one_caller_until_it_has_worked() -> None:
    endpoint = OptionalEndpoint()
    with endpoint.probe():
        assert not endpoint.is_usable
    with endpoint.probe():
        assert endpoint.is_usable


def test_a_shortcut_is_abandoned_after_three_failures_in_a_row_or_one_refusal() -> None:
    endpoint = OptionalEndpoint()
    for _ in range(2):
        attempt(endpoint, ServerError("x", status=503))
    with endpoint.probe():
        pass
    for _ in range(2):
        attempt(endpoint, ServerError("x", status=503))
    assert endpoint.is_usable
    attempt(endpoint, ServerError("x", status=503))
    assert endpoint.is_abandoned
    refused = OptionalEndpoint()
    attempt(refused, ForbiddenError("x", status=403))
    assert refused.is_abandoned
