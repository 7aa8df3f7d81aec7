"""Logging in and out: the answer of a login, what its token opens, and what ends it."""

import base64
import hashlib
import logging
import uuid
from typing import Any

import httpx2
import pytest
from argon2 import PasswordHasher
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, logged_in, new_account
from tests.server.in_process import TestClient

from skyshelf.service.accounts import accounts, passwords
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.store import Unit

REFUSED = (401, "SKY2000")
NO_SESSION = (401, "TEJGA0401")


def test_a_login_answers_with_the_session_and_what_renews_it(client: TestClient, ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    answer = log_in(client, "ada@example.org")
    assert answer.status_code == 200
    body = answer.json()
    session = {"userId", "deviceKey", "rootFolderKey", "authToken", "jwt"}
    assert body.keys() == session | {"refreshToken", "expiresIn"}
    assert body["expiresIn"] == ctx.rules.session_days * 86_400
    assert (body["userId"], body["rootFolderKey"]) == (account.account_key, account.root_key)
    assert str(uuid.UUID(body["deviceKey"])) == body["deviceKey"]


def test_a_login_needs_no_headers_at_all(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "ada@example.org")
    request = client.build_request(
        "POST", "/x/v1/login", content=b'{"emailId": "ada@example.org", "password": "correct horse battery"}'
    )
    for name in ("content-type", "accept-language", "accept", "user-agent"):
        request.headers.pop(name, None)
    assert client.send(request).status_code == 200


def test_the_token_is_base64_of_identity_and_secret(api: Api) -> None:
    identity, separator, secret = base64.b64decode(api.login["authToken"], validate=True).partition(b"#ATK#")
    assert separator
    assert identity
    assert len(bytes.fromhex(secret.decode())) == 32
    assert identity.decode() != api.account.account_key


def test_the_identity_differs_from_login_to_login(client: TestClient, ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    tokens = [base64.b64decode(logged_in(client, ctx, account).login["authToken"]) for _ in range(3)]
    assert len({token.partition(b"#ATK#")[0] for token in tokens}) == 3


def test_another_identity_in_the_token_does_not_matter(api: Api) -> None:
    secret = base64.b64decode(api.login["authToken"]).partition(b"#ATK#")[2]
    token = base64.b64encode(b"somebody else#ATK#" + secret).decode()
    assert api.get("/security/users", headers={"Authorization": f"Basic {token}"}).status_code == 200


def test_the_store_holds_a_digest_of_the_secret_and_not_the_secret(api: Api, ctx: ServiceContext) -> None:
    secret = base64.b64decode(api.login["authToken"]).partition(b"#ATK#")[2]
    with ctx.metadata.read() as unit:
        [session] = unit.sessions.of_account(api.account.account_id, ctx.clock.now())
    assert session.secret_hash == hashlib.sha256(secret).digest()


def test_user_id_and_device_key_are_taken_in_either_case(api: Api) -> None:
    headers = {"X-User-Id": api.login["userId"].lower(), "X-Device-Key": api.login["deviceKey"].upper()}
    assert api.get("/security/users", headers=headers).status_code == 200


@pytest.mark.parametrize("missing", ["Authorization", "X-User-Id", "X-Device-Key"])
def test_without_a_session_header_there_is_no_session(api: Api, missing: str) -> None:
    assert error_of(api.get("/security/users", without=(missing,))) == NO_SESSION


def test_a_token_of_another_device_or_user_is_no_session(api: Api, other_api: Api) -> None:
    for name in ("X-User-Id", "X-Device-Key"):
        assert error_of(api.get("/security/users", headers={name: other_api.headers[name]})) == NO_SESSION
    assert error_of(api.get("/security/users", headers={"X-Device-Key": str(uuid.uuid4())})) == NO_SESSION


@pytest.mark.parametrize(
    "authorization",
    [
        "Basic",
        "Basic ",
        "Bearer abc",
        "Basic not-base64!",
        "Basic " + base64.b64encode(b"no separator").decode(),
        "Basic " + base64.b64encode(b"#ATK#").decode(),
        "Basic " + base64.b64encode(b"identity#ATK#").decode(),
        "Basic " + base64.b64encode(b"#ATK#secret").decode(),
        "Basic " + base64.b64encode("ünï#ATK#çödé\0".encode()).decode(),
        "Basic " + base64.b64encode(b"\xff\xfe#ATK#\x00\x80").decode(),
        "Basic " + "A" * 10_000,
        "Basic =",
        "Basic " + "A" * 5,
    ],
)
def test_a_malformed_token_is_no_session_and_no_fault(api: Api, authorization: str) -> None:
    assert error_of(api.get("/security/users", headers={"Authorization": authorization})) == NO_SESSION


def test_characters_that_are_not_ascii_in_a_token_are_no_session(api: Api) -> None:
    for value in ("Basic é", "Basic \u00ff\u00fe", "Basic \u4f60\u597d"):
        sent = httpx2.Headers({"Authorization": value}, encoding="utf-8")
        request = api.client.build_request("GET", "/security/users", headers=api.headers)
        request.headers = httpx2.Headers(
            [*(pair for pair in request.headers.raw if pair[0].lower() != b"authorization"), *sent.raw]
        )
        assert error_of(api.client.send(request)) == NO_SESSION


def test_required_headers_are_checked_before_the_session(api: Api) -> None:
    both = api.get("/security/users", without=("Content-Type", "Authorization"))
    assert error_of(both) == (400, "NMSOM0003")
    assert error_of(api.get("/security/users", without=("Accept-Language", "Authorization"))) == (400, "NMSOM0001")


def test_the_session_is_checked_before_the_request_itself(api: Api) -> None:
    bad = {"content": b"not json", "headers": {"Authorization": "Basic nothing"}}
    assert error_of(api.post("/security/getokenforcookie", **bad)) == NO_SESSION
    assert error_of(api.post("/security/getokenforcookie", content=b"not json")) == (400, "SKY1001")


@pytest.mark.parametrize("missing", ["X-Api-Key", "X-App-Secret"])
def test_another_application_is_not_let_in(api: Api, missing: str) -> None:
    assert error_of(api.get("/security/users", without=(missing,))) == (403, "SKY2001")
    assert error_of(api.get("/security/users", headers={missing: "another"})) == (403, "SKY2001")


@pytest.mark.parametrize("email", ["ada@example.org", "nobody@example.org"])
def test_a_wrong_password_and_an_unknown_address_have_the_same_answer(
    client: TestClient, ctx: ServiceContext, email: str
) -> None:
    new_account(ctx, "ada@example.org")
    answer = log_in(client, email, password="wrong password")
    assert error_of(answer) == REFUSED
    assert answer.json()["message"] == "Wrong email address or password"
    assert "set-cookie" not in answer.headers


def test_a_wrong_password_and_an_unknown_address_cost_the_same_work(
    client: TestClient, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_account(ctx, "ada@example.org")
    compared: list[str] = []
    verify = PasswordHasher.verify

    def counting(self: PasswordHasher, password_hash: str, password: str) -> bool:
        compared.append(password_hash.rpartition("$")[0].rpartition("$")[0])
        return verify(self, password_hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", counting)
    for email in ("ada@example.org", "nobody@example.org"):
        log_in(client, email, password="wrong password")
    # One comparison each, with the same algorithm, version and parameters.
    assert len(compared) == 2
    assert compared[0] == compared[1] == "$argon2id$v=19$m=8,t=1,p=1"


def test_the_address_of_a_login_counts_in_any_case_and_with_blanks_around(
    client: TestClient, ctx: ServiceContext
) -> None:
    new_account(ctx, "Ada@Example.org")
    assert log_in(client, " ADA@example.ORG ").status_code == 200


def test_the_address_of_a_login_counts_in_either_unicode_form(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "andre\u0301@example.org")
    for spelling in ("andr\u00e9@example.org", "andre\u0301@example.org", "ANDR\u00c9@example.org"):
        assert log_in(client, spelling).status_code == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "SKY1000"),
        ({"emailId": "ada@example.org"}, "SKY1000"),
        ({"emailId": 5, "password": "x"}, "SKY1000"),
        ({"emailId": "ada@example.org", "password": ""}, "SKY1000"),
        ({"emailId": "a\0b", "password": "x"}, "SKY1000"),
        ({"emailId": "a" * 300, "password": "x"}, "SKY1000"),
        ({"emailId": "a", "password": "x" * 1025}, "SKY1000"),
        ({"emailId": "a", "password": "x", "deviceKey": "not a uuid"}, "SKY1000"),
        ([], "SKY1000"),
    ],
)
def test_a_login_that_is_not_one_is_refused_with_400(client: TestClient, body: Any, code: str) -> None:
    assert error_of(client.post("/x/v1/login", json=body)) == (400, code)


def test_a_login_of_more_than_64_kib_is_refused(client: TestClient) -> None:
    assert error_of(client.post("/x/v1/login", content=b" " * 70_000)) == (413, "SKY1005")


def test_a_password_with_half_a_character_is_wrong_and_no_fault(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "ada@example.org")
    answer = client.post("/x/v1/login", content=b'{"emailId": "ada@example.org", "password": "\\ud800"}')
    assert answer.status_code in {400, 401}


def test_registering_a_device_again_ends_its_earlier_token(client: TestClient, ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    first = logged_in(client, ctx, account, deviceName="Laptop")
    second = logged_in(client, ctx, account, deviceKey=first.login["deviceKey"].upper())
    assert second.login["deviceKey"] == first.login["deviceKey"]
    assert error_of(first.get("/security/users")) == NO_SESSION
    assert len(second.get("/security/users").json()["devices"]) == 1


def test_the_same_device_key_in_two_accounts_is_two_devices(client: TestClient, ctx: ServiceContext) -> None:
    ada = logged_in(client, ctx, new_account(ctx, "ada@example.org"))
    grace = new_account(ctx, "grace@example.org")
    logged_in(client, ctx, grace, deviceKey=ada.login["deviceKey"])
    assert ada.get("/security/users").status_code == 200


def test_a_login_on_another_device_leaves_the_first_session_alone(client: TestClient, ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    first, second = logged_in(client, ctx, account), logged_in(client, ctx, account)
    assert [one.get("/security/users").status_code for one in (first, second)] == [200, 200]


def test_a_logout_answers_204_and_ends_the_token(api: Api) -> None:
    answer = api.put("/security/users/logout")
    assert (answer.status_code, answer.content) == (204, b"")
    assert error_of(api.get("/security/users")) == NO_SESSION
    assert error_of(api.put("/security/users/logout")) == NO_SESSION


def test_a_disabled_account_is_out_at_once_and_cannot_log_in(api: Api, ctx: ServiceContext, client: TestClient) -> None:
    accounts.disable(ctx, api.account)
    assert error_of(api.get("/security/users")) == NO_SESSION
    assert error_of(log_in(client, "ada@example.org")) == REFUSED
    accounts.enable(ctx, api.account)
    assert log_in(client, "ada@example.org").status_code == 200
    assert error_of(api.get("/security/users")) == NO_SESSION


def test_a_new_password_ends_every_session(api: Api, ctx: ServiceContext, client: TestClient) -> None:
    accounts.reset_password(ctx, api.account, "another password")
    assert error_of(api.get("/security/users")) == NO_SESSION
    assert error_of(log_in(client, "ada@example.org")) == REFUSED
    assert log_in(client, "ada@example.org", password="another password").status_code == 200


def test_an_account_that_changes_while_its_password_is_compared_is_not_let_in(
    client: TestClient, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = new_account(ctx, "ada@example.org")
    matches = passwords.matches

    def disabled_meanwhile(password: str, password_hash: str | None) -> bool:
        accounts.disable(ctx, account)
        return matches(password, password_hash)

    monkeypatch.setattr("skyshelf.service.accounts.sessions.matches", disabled_meanwhile)
    assert error_of(log_in(client, "ada@example.org")) == REFUSED


def test_a_hash_with_dated_parameters_is_renewed_by_the_next_login(client: TestClient, ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    dated = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(PASSWORD)
    ctx.metadata.write(lambda unit: unit.accounts.set_password(account.account_id, dated, 1))
    assert log_in(client, "ada@example.org").status_code == 200
    renewed = accounts.find_account(ctx, "ada@example.org").password_hash
    assert renewed != dated
    assert not passwords.needs_rehash(renewed)
    assert log_in(client, "ada@example.org").status_code == 200


def test_a_session_lasts_as_long_as_it_is_used(api: Api, clock: HeldClock) -> None:
    for _ in range(4):
        clock.advance(days=300)
        assert api.get("/security/users").status_code == 200
    clock.advance(days=366)
    assert error_of(api.get("/security/users")) == NO_SESSION


def test_using_a_session_writes_only_every_few_minutes(api: Api, clock: HeldClock, monkeypatch: Any) -> None:
    writes = 0
    write = type(api.ctx.metadata).write

    def counting(store: Any, work: Any) -> Any:
        nonlocal writes
        writes += 1
        return write(store, work)

    monkeypatch.setattr(type(api.ctx.metadata), "write", counting)
    for _ in range(20):
        clock.advance(seconds=10)
        api.get("/security/users")
    assert writes == 0
    clock.advance(minutes=5)
    api.get("/security/users")
    api.get("/security/users")
    assert writes == 1


def test_a_store_that_takes_no_writes_still_knows_its_sessions(
    api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyshelf.storage.errors import StoreFull

    def full(*_: object) -> None:
        raise StoreFull("no room")

    clock.advance(minutes=10)
    monkeypatch.setattr(type(api.ctx.metadata), "write", full)
    assert api.get("/security/users").status_code == 200


def test_a_revocation_elsewhere_counts_at_once(api: Api, ctx: ServiceContext) -> None:
    assert api.get("/security/users").status_code == 200

    def revoke(unit: Unit) -> bool:
        return unit.sessions.revoke(api.account.account_id, api.login["deviceKey"])

    assert ctx.metadata.write(revoke)
    assert error_of(api.get("/security/users")) == NO_SESSION


def test_nothing_secret_of_a_login_is_logged(
    client: TestClient, ctx: ServiceContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    api = logged_in(client, ctx, new_account(ctx, "ada@example.org"))
    api.get("/security/users?nonce=secret-in-the-query")
    log_in(client, "ada@example.org", password="a wrong password")
    logged = "\n".join(
        f"{record.getMessage()} {record.__dict__}" for record in caplog.records if "skyshelf" in record.name
    )
    assert "profile" in logged
    for secret in (PASSWORD, "a wrong password", api.login["authToken"], api.login["jwt"], "secret-in-the-query"):
        assert secret not in logged
