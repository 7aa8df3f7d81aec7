"""What is sent and how answers are read, with bytes alone."""

import pytest

from skyshelf.client import errors
from skyshelf.client.engine.requests import check, decode, plan
from skyshelf.client.hosts import Hosts
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.endpoints.account import LOGIN, PROFILE
from skyshelf.wire.endpoints.downloads import DOWNLOAD
from skyshelf.wire.endpoints.objects import BATCH, CREATE_FOLDER, LISTING
from skyshelf.wire.headers import session_headers
from skyshelf.wire.resources.account import UserProfile
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.objects import FolderCreation, ListingQuery

KEY = "01A1DD8B751C74B18B93F13AB173D613"
HOSTS = Hosts.of("https://drive.example.org/sky/")
SESSION = session_headers("T0KEN", "USER", "DEVICE")


def planned() -> PlannedRequest:
    return plan(PROFILE, HOSTS, SESSION)


def answer(status: int, body: bytes = b"", **headers: str) -> BufferedResponse:
    return BufferedResponse(status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


def read(response: BufferedResponse) -> UserProfile:
    check(planned(), response)
    return decode(UserProfile, response.body, planned())


def test_a_listing_is_a_get_with_every_header_and_a_sign_that_survives() -> None:
    request = plan(LISTING, HOSTS, SESSION, query=ListingQuery(folder_key=KEY, sort="+objectName", kind="w", limit=5))
    assert request.method == "GET"
    assert request.url == (
        f"https://drive.example.org/sky/nms/metadata?folderKey={KEY}&limit=5&type=w&sort=%2BobjectName&page=0"
    )
    assert request.headers == SESSION
    assert request.body is None
    assert request.repeatable


def test_a_body_is_json_and_a_creation_is_not_repeated_blindly() -> None:
    body = FolderCreation(object_name="Füße", parent_object_key=KEY)
    request = plan(CREATE_FOLDER, HOSTS, SESSION, body=body)
    assert request.body == (f'{{"objectName":"Füße","parentObjectKey":"{KEY}","sourceName":"DRIVE"}}'.encode())
    assert not request.repeatable
    assert plan(BATCH, HOSTS, SESSION, body=[]).repeatable


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_every_request_carries_all_headers_of_the_common_rules(endpoint: Endpoint) -> None:
    request = plan(endpoint, HOSTS, SESSION, keys=dict.fromkeys(endpoint.parameters, KEY))
    assert len(SESSION) == 11
    assert request.headers.items() >= SESSION.items()


def test_downloads_ask_for_bytes_as_they_are() -> None:
    request = plan(DOWNLOAD, HOSTS, SESSION, headers=DownloadHeaders(range="bytes=5-"), keys={"object_key": KEY})
    assert request.url == f"https://drive.example.org/sky/download/files/{KEY}"
    assert request.headers["Accept-Encoding"] == "identity"
    assert request.headers["Range"] == "bytes=5-"
    assert request.headers["Accept"] == request.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert request.binary


def test_each_host_has_its_own_address() -> None:
    hosts = Hosts.of("https://a.example.org", {"download_url": "https://b.example.org"})
    assert plan(DOWNLOAD, hosts, SESSION, keys={"object_key": KEY}).url.startswith("https://b.example.org/download/")
    assert plan(PROFILE, hosts, SESSION).url == "https://a.example.org/security/users"


def test_a_planned_request_shows_neither_headers_nor_query() -> None:
    assert repr(planned()) == "PlannedRequest(GET /security/users)"
    assert repr(plan(LOGIN, HOSTS, {}, body={"password": "pw"})) == "PlannedRequest(POST /x/v1/login)"


def test_an_answer_is_read_into_its_model_whatever_else_it_holds() -> None:
    profile = read(answer(200, b'{"userId":"U","firstName":null,"novelty":[1]}'))
    assert profile == UserProfile(user_id="U")


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, errors.InvalidRequestError),
        (401, errors.AuthenticationError),
        (403, errors.ForbiddenError),
        (404, errors.ObjectNotFoundError),
        (409, errors.ConflictError),
        (413, errors.PayloadTooLargeError),
        (418, errors.InvalidRequestError),
        (429, errors.RateLimitError),
        (500, errors.ServerError),
        (503, errors.ServerError),
    ],
)
@pytest.mark.parametrize(
    "body", [b"", b"<html>no</html>", b"[1]", b'{"code": 7}', b"\xff", b'{"code":"X1","message":"so"}']
)
def test_each_status_has_its_error_whatever_the_body(
    status: int, error: type[errors.RequestFailedError], body: bytes
) -> None:
    with pytest.raises(errors.RequestFailedError) as caught:
        read(answer(status, body, x_request_id="r1"))
    assert type(caught.value) is error
    assert caught.value.status == status
    assert (caught.value.method, caught.value.path) == ("GET", "/security/users")
    assert caught.value.request_id == "r1"
    assert str(status) in str(caught.value)
    if b"X1" in body:
        assert (caught.value.code, caught.value.message) == ("X1", "so")


def test_full_storage_has_its_own_error() -> None:
    with pytest.raises(errors.QuotaExceededError):
        read(answer(413, b'{"code":"SKY4007"}'))


def test_read_only_mode_has_its_own_error_which_is_retried() -> None:
    with pytest.raises(errors.ReadOnlyError, match="until ten") as caught:
        read(answer(503, b'{"code":"SKY5005","message":"The service is read-only: until ten"}', retry_after="15"))
    assert caught.value.retryable
    assert caught.value.retry_after == 15
    assert isinstance(caught.value, errors.ServerError)


def test_retry_after_travels_with_the_error() -> None:
    with pytest.raises(errors.RateLimitError) as caught:
        read(answer(429, retry_after="17"))
    assert caught.value.retry_after == 17


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_error_that_names_the_host_and_is_not_repeated(status: int) -> None:
    with pytest.raises(errors.RedirectRefusedError, match=r"evil\.example\.com") as caught:
        read(answer(status, location="https://evil.example.com/x?y"))
    assert not caught.value.retryable


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b'{"userId":{}}', b"{", b"\xff\xfe", b"[" * 100_000])
def test_an_unreadable_success_is_an_error(body: bytes) -> None:
    with pytest.raises(errors.UnexpectedAnswerError):
        read(answer(200, body))


def test_the_errors_have_exactly_the_names_of_the_interface() -> None:
    from skyshelf.wire.client_errors import CLIENT_ERRORS

    for kind in CLIENT_ERRORS:
        error = getattr(errors, kind.name)
        assert issubclass(error, errors.SkyshelfError)
        assert (error.kind, error.exit_code, error.retryable) == (kind, kind.exit_code, kind.retryable)
