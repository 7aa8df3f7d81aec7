"""The nonce that opens downloads: how one gets it, what it opens, and when it ends."""

import uuid
from base64 import urlsafe_b64encode
from http.cookies import SimpleCookie
from typing import Any

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.accounts import accounts
from skyshelf.service.accounts.session_opening import SIGNING_KEY
from skyshelf.service.context import ServiceContext

NO_SESSION = (401, "TEJGA0401")
JWT_REFUSED = (401, "SKY2003")


def ask(api: Api, token: str | None = None) -> httpx2.Response:
    return api.post("/security/getokenforcookie", json={"jwt": token or api.login["jwt"]})


def nonce_of(api: Api) -> str:
    nonce: str = ask(api).json()["nonce"]
    api.client.cookies.clear()
    return nonce


def download(client: TestClient, key: str, **more: Any) -> httpx2.Response:
    response: httpx2.Response = client.get(f"/download/files/{key}", **more)
    return response


def test_the_nonce_is_a_uuid_and_the_cookie_is_the_same(api: Api) -> None:
    answer = ask(api)
    assert answer.status_code == 200
    assert answer.json().keys() == {"nonce"}
    nonce = answer.json()["nonce"]
    assert str(uuid.UUID(nonce)) == nonce
    [cookie] = SimpleCookie(answer.headers["set-cookie"]).values()
    assert cookie.value == nonce
    assert cookie["path"] == "/download"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert cookie["max-age"] == "600"
    assert not cookie["secure"]


def test_the_cookie_is_secure_where_the_client_came_by_tls(ctx: ServiceContext, settings: ServerSettings) -> None:
    account = new_account(ctx, "ada@example.org")
    with TestClient(app_for(ctx, settings), base_url="https://drive.example.org") as client:
        answer = ask(logged_in(client, ctx, account))
    assert "; Secure" in answer.headers["set-cookie"]


def test_a_nonce_opens_downloads_as_query_and_as_cookie(api: Api) -> None:
    file = api.file("a.txt", b"hello")
    nonce = nonce_of(api)
    by_query = download(api.client, file.object_key, params={"nonce": nonce})
    by_cookie = download(api.client, file.object_key, headers={"Cookie": f"skyshelf_nonce={nonce}"})
    assert [one.content for one in (by_query, by_cookie)] == [b"hello", b"hello"]


def test_without_nonce_and_session_a_download_is_refused(api: Api) -> None:
    file = api.file("a.txt", b"hello")
    assert error_of(download(api.client, file.object_key)) == NO_SESSION
    for wrong in (str(uuid.uuid4()), "", "x" * 5000, "ü\ud83d\ude00".encode("utf-16", "surrogatepass").hex()):
        assert error_of(download(api.client, file.object_key, params={"nonce": wrong})) == NO_SESSION


def test_a_nonce_opens_nothing_but_downloads(api: Api) -> None:
    nonce = nonce_of(api)
    answer = api.get("/security/users", params={"nonce": nonce}, without=("Authorization",))
    assert error_of(answer) == NO_SESSION
    answer = api.get("/security/users", headers={"Cookie": f"skyshelf_nonce={nonce}"}, without=("Authorization",))
    assert error_of(answer) == NO_SESSION


def test_a_nonce_opens_no_file_of_another_account(api: Api, other_api: Api) -> None:
    file = other_api.file("a.txt", b"hello")
    assert download(api.client, file.object_key, params={"nonce": nonce_of(api)}).status_code == 404


def test_a_nonce_lasts_for_ten_minutes(api: Api, clock: HeldClock) -> None:
    file, nonce = api.file("a.txt", b"hello"), nonce_of(api)
    clock.advance(minutes=10, ms=-1)
    assert download(api.client, file.object_key, params={"nonce": nonce}).status_code == 200
    clock.advance(ms=1)
    assert error_of(download(api.client, file.object_key, params={"nonce": nonce})) == NO_SESSION


def test_a_nonce_ends_with_its_session(api: Api) -> None:
    file, nonce = api.file("a.txt", b"hello"), nonce_of(api)
    api.put("/security/users/logout")
    assert error_of(download(api.client, file.object_key, params={"nonce": nonce})) == NO_SESSION


def test_a_nonce_ends_when_the_account_is_disabled(api: Api, ctx: ServiceContext) -> None:
    file, nonce = api.file("a.txt", b"hello"), nonce_of(api)
    accounts.disable(ctx, api.account)
    assert error_of(download(api.client, file.object_key, params={"nonce": nonce})) == NO_SESSION


def test_the_jwt_lives_as_long_as_its_session(api: Api, clock: HeldClock) -> None:
    for _ in range(3):
        clock.advance(days=300)
        assert ask(api).status_code == 200


def test_the_jwt_of_another_session_is_refused(
    api: Api, other_api: Api, client: TestClient, ctx: ServiceContext
) -> None:
    assert error_of(ask(api, other_api.login["jwt"])) == JWT_REFUSED
    same_account = logged_in(client, ctx, api.account)
    assert error_of(ask(api, same_account.login["jwt"])) == JWT_REFUSED


def signing_key_of(ctx: ServiceContext) -> bytes:
    with ctx.metadata.read() as unit:
        key = unit.settings.get(SIGNING_KEY)
    assert key is not None
    return key


def without(claims: dict[str, Any], name: str) -> dict[str, Any]:
    return {known: value for known, value in claims.items() if known != name}


def test_a_jwt_that_the_server_did_not_sign_is_refused(api: Api, ctx: ServiceContext) -> None:
    own_key = OctKey.import_key(signing_key_of(ctx))
    claims = jwt.decode(api.login["jwt"], own_key).claims
    another_key = OctKey.import_key("another key that is long enough to sign")
    header = urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    unsigned = f"{header}.{api.login['jwt'].split('.')[1]}."
    forged = [
        jwt.encode({"alg": "HS256"}, claims, another_key),
        jwt.encode({"alg": "HS512"}, claims, own_key, algorithms=["HS512"]),
        unsigned,
        *(jwt.encode({"alg": "HS256"}, claims | {name: "else"}, own_key) for name in ("aud", "sid", "sub")),
        *(jwt.encode({"alg": "HS256"}, without(claims, name), own_key) for name in ("aud", "sid", "sub")),
        api.login["jwt"][:-4] + "AAAA",
        api.login["jwt"].rpartition(".")[0] + ".",
        "not a jwt",
        "a.b.c",
        "é.é.é",
        "x" * 4096,
    ]
    for token in forged:
        assert error_of(ask(api, token)) == JWT_REFUSED


def test_the_jwt_opens_nothing_else(api: Api) -> None:
    for value in (f"Basic {api.login['jwt']}", f"Bearer {api.login['jwt']}"):
        assert error_of(api.get("/security/users", headers={"Authorization": value})) == NO_SESSION
    file = api.file("a.txt", b"hello")
    assert error_of(download(api.client, file.object_key, params={"nonce": api.login["jwt"]})) == NO_SESSION


def test_a_session_that_ends_at_the_same_moment_gets_no_nonce(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    decode = jwt.decode

    def decode_as_the_session_ends(*given: Any, **options: Any) -> Any:
        ctx.metadata.write(lambda unit: unit.sessions.revoke_all(api.account.account_id))
        return decode(*given, **options)

    monkeypatch.setattr(jwt, "decode", decode_as_the_session_ends)
    assert error_of(ask(api)) == NO_SESSION


@pytest.mark.parametrize("body", [{}, {"jwt": 5}, {"jwt": ""}, {"jwt": "x" * 4097}, []])
def test_a_request_without_a_jwt_is_refused_with_400(api: Api, body: Any) -> None:
    assert error_of(api.post("/security/getokenforcookie", json=body)) == (400, "SKY1000")


def test_two_instances_sign_with_the_same_key(api: Api, ctx: ServiceContext, settings: ServerSettings) -> None:
    with TestClient(app_for(ctx, settings)) as elsewhere:
        again = Api(elsewhere, ctx, api.account, api.login)
        assert ask(again).status_code == 200
