"""Passkeys: adding them, logging in with them, and everything that must not pass for one."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from fido2 import cbor
from tests.server.answers import answer_of
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, logged_in
from tests.server.in_process import TestClient
from tests.server.second_factors import turned_on
from tests.server.soft_passkeys import (
    AT,
    AT_HOST,
    BE,
    BS,
    HOST,
    LOGIN,
    PATH,
    UP,
    UV,
    SoftKey,
    add,
    added,
    b64,
    begin,
    begun,
    challenge,
    enter,
    key_of,
    listed,
    login_challenge,
    remove,
    stored_passkey,
    unb64,
)

from skyshelf.service.accounts import accounts
from skyshelf.service.accounts.passkeys import own_passkeys
from skyshelf.wire.limits import PASSKEYS_MAX

REFUSED, UNVERIFIED, COPIED = (403, "SKY2040"), (403, "SKY2041"), (403, "SKY2042")
NOT_FOUND, KNOWN, NEEDS_HTTPS, NEEDED = (404, "SKY2043"), (409, "SKY2044"), (409, "SKY2045"), (409, "SKY2046")
FULL = (413, "SKY4008")
WRONG_PASSWORD, WRONG_CODE, BAD_REQUEST = (403, "SKY2004"), (403, "SKY2007"), (400, "SKY1000")


def own_key(api: Api) -> SoftKey:
    return SoftKey(bytes.fromhex(api.account.account_key))


def kinds_of(api: Api) -> list[str]:
    """The kinds of events of the account, the newest first."""
    events = api.get("/x/v1/account/events").json()["events"]
    return [event["kind"] for event in events]


class TestAdding:
    def test_the_options_are_those_of_the_standard(self, api: Api) -> None:
        options = begun(api)
        assert options["rp"] == {"id": HOST, "name": "Skyshelf"}
        assert options["user"] == {
            "id": b64(bytes.fromhex(api.account.account_key)),
            "name": api.account.email,
            "displayName": "Ada Byron",
        }
        assert [one["alg"] for one in options["pubKeyCredParams"]] == [-7, -8, -257]
        assert options["authenticatorSelection"] == {"residentKey": "preferred", "userVerification": "preferred"}
        assert (options["attestation"], options["extensions"]) == ("none", {"credProps": True})
        assert (options["timeout"], options["excludeCredentials"]) == (300_000, [])
        assert len(unb64(options["challenge"])) >= 16

    def test_a_passkey_is_listed_and_not_asked_for_twice(self, api: Api, clock: HeldClock) -> None:
        key = added(api, "  Blue key ")
        [shown] = listed(api)
        assert shown == {
            "passkeyKey": shown["passkeyKey"],
            "name": "Blue key",
            "host": HOST,
            "replacesPassword": True,
            "isBackedUp": False,
            "transports": ["internal", "hybrid"],
            "createdDate": clock.now(),
        }
        known = {"type": "public-key", "id": b64(key.credential_id), "transports": ["internal", "hybrid"]}
        assert begun(api)["excludeCredentials"] == [known]
        assert kinds_of(api)[0] == "passkey.added"

    def test_it_takes_the_password(self, api: Api) -> None:
        assert error_of(begin(api, password="not this one")) == WRONG_PASSWORD
        assert error_of(begin(api, code="123456")) == BAD_REQUEST
        answers = [begin(api, password="wrong").status_code for _ in range(12)]
        assert answers[-1] == 429, "throttled like a login"

    def test_with_the_second_factor_it_takes_a_code_as_well(self, api: Api) -> None:
        phone, _ = turned_on(api)
        assert error_of(begin(api)) == WRONG_CODE
        assert error_of(begin(api, password=PASSWORD, code="000000")) == WRONG_CODE
        assert begin(api, password=PASSWORD, code=phone.code()).status_code == 200

    def test_a_passkey_can_be_added_with_another_one_alone(self, api: Api) -> None:
        turned_on(api)
        stored_passkey(api)
        first = own_key(api)
        # Before the factor was on, the password would do; here, a passkey of the account stands for both.
        api.ctx.metadata.write(lambda unit: unit.second_factors.remove(api.account.account_id))
        add(api, first.created(begun(api)))
        turned_on(api)
        assert error_of(begin(api, passkey=first.signed(challenge(api), flags=UP))) == UNVERIFIED
        options = begun(api, passkey=first.signed(challenge(api)))
        assert add(api, own_key(api).created(options), "Second").status_code == 201

    def test_a_challenge_is_good_for_one_passkey_of_one_session(self, api: Api, other_api: Api) -> None:
        options = begun(api)
        same_account = logged_in(api.client, api.ctx, api.account)
        for another in (same_account, other_api):
            assert error_of(add(another, own_key(another).created(options))) == REFUSED
        assert add(api, own_key(api).created(options)).status_code == 201
        assert error_of(add(api, own_key(api).created(options), "Second")) == REFUSED
        assert [one["name"] for one in listed(api)] == ["Key"]

    def test_a_challenge_expires(self, api: Api, clock: HeldClock) -> None:
        options = begun(api)
        clock.advance(minutes=5)
        assert error_of(add(api, own_key(api).created(options))) == REFUSED

    def test_a_challenge_for_something_else_adds_nothing(self, api: Api) -> None:
        added(api, "First")
        for options in (login_challenge(api), challenge(api)):
            assert error_of(add(api, own_key(api).created(options))) == REFUSED

    def test_a_known_passkey_is_added_to_no_account(self, api: Api, other_api: Api) -> None:
        key = added(api)
        assert error_of(add(api, key.created(begun(api)))) == KNOWN
        assert error_of(add(other_api, key.created(begun(other_api)))) == KNOWN
        assert listed(other_api) == []

    @pytest.mark.parametrize(
        "changed",
        [
            {"origin": "https://localhost"},
            {"origin": "http://localhost.evil.example"},
            {"origin": "http://evil.example"},
            {"host": "evil.example"},
            {"kind": "webauthn.get"},
            {"cross_origin": True},
            {"flags": 0},
            {"flags": UP | BS},
            {"challenge": ""},
            {"challenge": "AAAA"},
            {"public": {1: 2, 3: -47, -1: 8, -2: bytes(32), -3: bytes(32)}},
            {"public": {1: 3, 3: -257, -1: bytes(2048), -2: b"\1\0\1"}},
            {"public": {}},
            {"raw": b""},
            {"raw": b"\xff" * 40},
            {"raw": b"\x81" * 20_000},
            {"raw": cbor.encode({"fmt": "none", "attStmt": {}, "authData": b"short"})},
        ],
        ids=str,
    )
    def test_what_is_not_a_passkey_for_this_page_is_refused(self, api: Api, changed: dict[str, Any]) -> None:
        kind = changed.pop("kind", None)
        key, options = own_key(api), begun(api)
        created = key.created(options, **changed)
        if kind:
            page = json.loads(unb64(created["response"]["clientDataJSON"]))
            created["response"]["clientDataJSON"] = b64(json.dumps({**page, "type": kind}).encode())
        answer = add(api, created)
        assert error_of(answer) in (REFUSED, BAD_REQUEST)
        assert listed(api) == []

    def test_the_id_has_to_be_that_of_the_signed_data(self, api: Api) -> None:
        created = own_key(api).created(begun(api))
        assert error_of(add(api, {**created, "id": b64(bytes(32))})) == REFUSED

    @pytest.mark.parametrize(
        "change",
        [
            lambda one: {**one, "id": "x" * 2000},
            lambda one: {**one, "id": "not/base64+"},
            lambda one: {**one, "response": {**one["response"], "attestationObject": "A" * 40_000}},
            lambda one: {**one, "response": {**one["response"], "transports": ["usb"] * 50}},
            lambda one: {**one, "response": {**one["response"], "clientDataJSON": 7}},
        ],
    )
    def test_what_is_too_large_is_a_bad_request(self, api: Api, change: Callable[[Any], Any]) -> None:
        assert error_of(add(api, change(own_key(api).created(begun(api))))) == BAD_REQUEST

    def test_an_account_has_a_bounded_number(self, api: Api) -> None:
        for number in range(PASSKEYS_MAX - 1):
            stored_passkey(api, f"Key {number}")
        options = [begun(api), begun(api)]
        assert add(api, own_key(api).created(options[0])).status_code == 201
        assert error_of(begin(api)) == FULL
        assert error_of(add(api, own_key(api).created(options[1]))) == FULL

    def test_a_security_key_without_an_account_or_a_pin_is_a_second_factor_only(self, api: Api) -> None:
        added(api, "Old", is_resident=False)
        added(api, "Without a PIN", always=UP)
        assert [one["replacesPassword"] for one in listed(api)] == [False, False]

    def test_one_that_is_backed_up_says_so(self, api: Api) -> None:
        added(api, "Phone", always=UP | UV | BE | BS)
        assert listed(api)[0]["isBackedUp"]


class TestAddresses:
    @pytest.mark.parametrize("host", ["testserver", "192.0.2.7", "[2001:db8::1]:8080", "drive.example.org:8080"])
    def test_without_https_or_a_host_name_the_answer_says_why(self, api: Api, host: str) -> None:
        calls = [
            api.post(f"{PATH}/begin", json={"password": PASSWORD}, headers={"host": host}),
            api.post(f"{PATH}/challenge", headers={"host": host}),
            api.client.post(f"{LOGIN}/begin", headers={"host": host}),
        ]
        for answer in calls:
            assert error_of(answer) == NEEDS_HTTPS
            assert f"this server is at http://{host}" in answer.json()["message"]

    def test_a_passkey_works_for_its_own_host_alone(self, api: Api) -> None:
        key = added(api)
        elsewhere = {"host": "other.localhost:8080"}
        answer = api.post(f"{PATH}/challenge", headers=elsewhere)
        assert error_of(answer) == NOT_FOUND
        options = api.client.post(f"{LOGIN}/begin", headers=elsewhere).json()
        assert options["rpId"] == "other.localhost"
        signed = key.signed(options, origin="http://other.localhost:8080", host="other.localhost")
        refused = api.client.post(LOGIN, json={"passkey": signed}, headers=elsewhere)
        assert error_of(refused) == REFUSED


class TestLoggingIn:
    def test_a_passkey_logs_in_without_a_name(self, api: Api, clock: HeldClock) -> None:
        key = added(api)
        options = login_challenge(api)
        assert options.keys() == {"challenge", "timeout", "rpId", "userVerification"}
        assert (options["rpId"], options["userVerification"]) == (HOST, "required")
        clock.advance(minutes=1)
        opened = answer_of(enter(api, key.signed(options), deviceName="Phone"), "passkey_login")
        assert opened["userId"] == api.account.account_key
        entered = Api(api.client, api.ctx, api.account, opened)
        assert entered.get("/security/users").status_code == 200
        assert listed(api)[0]["lastUsedDate"] == clock.now()
        event = api.get("/x/v1/account/events").json()["events"][0]
        assert (event["kind"], event["deviceName"]) == ("login", "Phone")

    def test_it_counts_as_both_factors(self, api: Api) -> None:
        key = added(api)
        turned_on(api)
        assert enter(api, key.signed(login_challenge(api))).status_code == 200

    def test_a_browser_gets_a_cookie_and_no_token(self, api: Api) -> None:
        key = added(api)
        answer = enter(api, key.signed(login_challenge(api)), inCookie=True)
        assert "skyshelf_session=" in answer.headers["set-cookie"]
        assert "authToken" not in answer.json()
        signed = key.signed(login_challenge(api))
        foreign = {**AT_HOST, "sec-fetch-site": "cross-site"}
        refused = api.client.post(LOGIN, json={"passkey": signed, "inCookie": True}, headers=foreign)
        assert error_of(refused) == REFUSED
        body = json.dumps({"passkey": key.signed(login_challenge(api)), "inCookie": True})
        plain = {**AT_HOST, "content-type": "text/plain"}
        assert error_of(api.client.post(LOGIN, content=body, headers=plain)) == (415, "SKY1008")

    def test_a_known_device_keeps_its_name(self, api: Api) -> None:
        key = added(api)
        again = enter(api, key.signed(login_challenge(api)), deviceKey=api.login["deviceKey"]).json()
        assert again["deviceKey"] == api.login["deviceKey"]

    def test_without_verification_it_replaces_no_password(self, api: Api) -> None:
        key = added(api)
        assert error_of(enter(api, key.signed(login_challenge(api), flags=UP))) == UNVERIFIED
        assert kinds_of(api)[0] == "passkey.failed"

    @pytest.mark.parametrize(
        "changed",
        [
            {"origin": "https://localhost"},
            {"origin": "http://evil.example"},
            {"host": "evil.example"},
            {"cross_origin": True},
            {"flags": UV},
            {"flags": UP | UV | BE},
            {"flags": UP | UV | BS},
            {"flags": UP | UV | AT},
            {"signature": b"\0" * 70},
            {"signature": b"x"},
            {"has_handle": False},
            {"challenge": b64(bytes(56))},
        ],
        ids=str,
    )
    def test_what_was_not_signed_for_this_login_is_refused(self, api: Api, changed: dict[str, Any]) -> None:
        key = added(api)
        assert error_of(enter(api, key.signed(login_challenge(api), **changed))) == REFUSED
        assert listed(api)[0].get("lastUsedDate") is None

    def test_a_challenge_logs_in_once(self, api: Api) -> None:
        key = added(api)
        options = login_challenge(api)
        signed = key.signed(options)
        assert enter(api, signed).status_code == 200
        assert error_of(enter(api, signed))[0] == 403
        assert error_of(enter(api, key.signed(options))) == REFUSED

    def test_of_many_logins_with_one_signature_one_is_let_in(self, api: Api) -> None:
        key = added(api, counts=False)
        signed = key.signed(login_challenge(api))
        with ThreadPoolExecutor(5) as pool:
            answers = list(pool.map(lambda _: enter(api, signed), range(5)))
        assert sorted(answer.status_code for answer in answers) == [200] + [403] * 4

    def test_a_challenge_expires(self, api: Api, clock: HeldClock) -> None:
        key = added(api)
        signed = key.signed(login_challenge(api))
        clock.advance(minutes=5)
        assert error_of(enter(api, signed)) == REFUSED

    def test_a_challenge_for_something_else_logs_nobody_in(self, api: Api) -> None:
        key = added(api)
        for options in (challenge(api), begun(api)):
            assert error_of(enter(api, key.signed(options))) == REFUSED

    def test_an_altered_challenge_is_none(self, api: Api) -> None:
        key, options = added(api), login_challenge(api)
        altered = bytearray(unb64(options["challenge"]))
        altered[17] ^= 1
        assert error_of(enter(api, key.signed(options, challenge=b64(bytes(altered))))) == REFUSED

    def test_the_key_of_somebody_else_opens_nothing(self, api: Api, other_api: Api) -> None:
        key, other = added(api), added(other_api)
        options = login_challenge(api)
        signed = other.signed(options)
        with_id = {**signed, "id": b64(key.credential_id), "rawId": b64(key.credential_id)}
        assert error_of(enter(api, with_id)) == REFUSED, "their signature under my id"
        response = {**signed["response"], "userHandle": b64(key.user_handle)}
        assert error_of(enter(api, {**signed, "response": response})) == REFUSED, "their passkey under my name"
        assert enter(api, other.signed(options)).json()["userId"] == other_api.account.account_key

    def test_an_unknown_one_is_refused_like_a_wrong_one(self, api: Api) -> None:
        key = added(api)
        unknown = enter(api, own_key(api).signed(login_challenge(api)))
        wrong = enter(api, key.signed(login_challenge(api), signature=b"x" * 70))
        assert error_of(unknown) == REFUSED
        assert unknown.content == wrong.content

    def test_a_counter_that_goes_back_is_refused_and_recorded(self, api: Api) -> None:
        key = added(api)
        assert enter(api, key.signed(login_challenge(api))).status_code == 200
        key.counter -= 1
        assert error_of(enter(api, key.signed(login_challenge(api)))) == COPIED
        events = api.get("/x/v1/account/events").json()["events"]
        assert (events[0]["kind"], events[0]["subject"]) == ("passkey.counter-went-back", "Key")
        assert enter(api, key.signed(login_challenge(api))).status_code == 200, "the one with the right counter works"

    def test_one_that_never_counts_is_accepted(self, api: Api) -> None:
        key = added(api, counts=False)
        for _ in range(3):
            assert enter(api, key.signed(login_challenge(api))).status_code == 200

    def test_a_removed_one_or_a_disabled_account_is_refused(self, api: Api) -> None:
        key = added(api)
        signed = key.signed(login_challenge(api))
        accounts.disable(api.ctx, api.account)
        assert error_of(enter(api, signed)) == REFUSED
        accounts.enable(api.ctx, api.account)
        assert own_passkeys.remove_all(api.ctx, api.account) == 1
        assert error_of(enter(api, key.signed(login_challenge(api)))) == REFUSED

    def test_guesses_are_throttled_and_do_not_lock_the_password(self, api: Api) -> None:
        key = added(api)
        answers = [enter(api, key.signed(login_challenge(api), signature=b"x" * 70)) for _ in range(12)]
        assert answers[0].status_code == 403
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert log_in(api.client, api.account.email).status_code == 200

    @pytest.mark.parametrize("passkey", [None, {}, {"id": "AA"}, {"id": "AA", "response": {}}, "AA"])
    def test_what_can_be_no_passkey_is_a_bad_request(self, api: Api, passkey: Any) -> None:
        assert error_of(enter(api, passkey)) == BAD_REQUEST

    def test_bytes_of_all_kinds_are_refused(self, api: Api) -> None:
        key = added(api)
        right = key.signed(login_challenge(api))
        for field in ("clientDataJSON", "authenticatorData", "signature", "userHandle"):
            for wrong in (b"\0", b"{}", b"[]", b"\xff" * 37, b"[" * 20_000, b'{"challenge": 1}'):
                response = {**right["response"], field: b64(wrong)}
                assert error_of(enter(api, {**right, "response": response}))[0] in (403, 429)


class TestSecondFactor:
    def needed(self, api: Api) -> httpx2.Response:
        email = {"emailId": api.account.email, "password": PASSWORD}
        response: httpx2.Response = api.client.post("/x/v1/login", json=email, headers=AT_HOST)
        return response

    def log_in(self, api: Api, **more: Any) -> httpx2.Response:
        body = {"emailId": api.account.email, "password": PASSWORD, **more}
        response: httpx2.Response = api.client.post("/x/v1/login", json=body, headers=AT_HOST)
        return response

    def test_after_the_password_a_passkey_is_as_good_as_a_code(self, api: Api) -> None:
        key = added(api)
        turned_on(api)
        answer = self.needed(api)
        assert (answer.status_code, answer.json()["code"]) == (401, "SKY2005")
        options = answer.json()["passkey"]
        assert [one["id"] for one in options["allowCredentials"]] == [b64(key.credential_id)]
        assert options["userVerification"] == "preferred"
        assert self.log_in(api, passkey=key.signed(options, flags=UP, has_handle=False)).status_code == 200
        assert error_of(self.log_in(api, passkey=key.signed(options))) == REFUSED, "once"

    def test_only_the_right_password_learns_of_passkeys(self, api: Api) -> None:
        key = added(api)
        turned_on(api)
        options = self.needed(api).json()["passkey"]
        wrong = self.log_in(api, password="wrong", passkey=key.signed(options))
        assert error_of(wrong) == (401, "SKY2000")

    def test_without_a_passkey_for_this_host_only_a_code_is_asked_for(self, api: Api) -> None:
        turned_on(api)
        assert error_of(self.needed(api)) == (401, "SKY2005")
        added_later = stored_passkey(api)
        assert added_later
        assert error_of(log_in(api.client, api.account.email)) == (401, "SKY2005"), "another host"

    def test_the_challenge_of_another_account_or_purpose_is_refused(self, api: Api, other_api: Api) -> None:
        key = added(api)
        added(other_api)
        turned_on(api)
        turned_on(other_api)
        theirs = self.needed(other_api).json()["passkey"]
        for options in (theirs, login_challenge(api), challenge(api)):
            assert error_of(self.log_in(api, passkey=key.signed(options))) == REFUSED

    def test_the_passkey_of_another_account_is_refused(self, api: Api, other_api: Api) -> None:
        added(api)
        theirs = added(other_api)
        turned_on(api)
        options = self.needed(api).json()["passkey"]
        assert error_of(self.log_in(api, passkey=theirs.signed(options))) == REFUSED

    def test_guesses_are_throttled_like_codes(self, api: Api) -> None:
        key = added(api)
        turned_on(api)
        options = self.needed(api).json()["passkey"]
        answers = [self.log_in(api, passkey=key.signed(options, signature=b"x" * 70)).status_code for _ in range(12)]
        assert answers[0] == 403
        assert answers[-1] == 429

    def test_a_passkey_confirms_what_takes_both_factors(self, api: Api) -> None:
        key = added(api)
        turned_on(api)
        app = {"name": "Phone", "password": PASSWORD, "passkey": key.signed(challenge(api), flags=UP)}
        assert api.post("/x/v1/app-passwords", json=app, headers=AT_HOST).status_code == 201
        alone = {"name": "Tablet", "passkey": key.signed(challenge(api))}
        assert api.post("/x/v1/app-passwords", json=alone, headers=AT_HOST).status_code == 201
        weak = {"name": "Watch", "passkey": key.signed(challenge(api), flags=UP)}
        assert error_of(api.post("/x/v1/app-passwords", json=weak, headers=AT_HOST)) == UNVERIFIED
        codes = {"passkey": key.signed(challenge(api))}
        assert api.post("/x/v1/account/second-factor/codes", json=codes, headers=AT_HOST).status_code == 200
        off = {"password": PASSWORD, "passkey": key.signed(challenge(api), flags=UP)}
        assert api.post("/x/v1/account/second-factor/off", json=off, headers=AT_HOST).status_code == 204

    def test_a_confirmation_is_for_one_session_and_one_change(self, api: Api) -> None:
        key = added(api)
        turned_on(api)
        other = logged_in_with(api, key)
        proof = {"passkey": key.signed(challenge(other))}
        assert error_of(api.post("/x/v1/account/second-factor/codes", json=proof, headers=AT_HOST)) == REFUSED
        options = challenge(api)
        for expected in (200, 403):
            proof = {"passkey": key.signed(options)}
            answer = api.post("/x/v1/account/second-factor/codes", json=proof, headers=AT_HOST)
            assert answer.status_code == expected

    def test_without_an_app_logins_ask_for_a_passkey(self, api: Api) -> None:
        key = added(api)
        path = "/x/v1/account/second-factor/passkey"
        wrong = {"password": "wrong", "passkey": key.signed(challenge(api))}
        assert error_of(api.post(path, json=wrong, headers=AT_HOST)) == WRONG_PASSWORD
        body = {"password": PASSWORD, "passkey": key.signed(challenge(api))}
        codes = answer_of(api.post(path, json=body, headers=AT_HOST), "second_factor_by_passkey")["recoveryCodes"]
        assert len(set(codes)) == 10
        status = api.get("/x/v1/account/second-factor").json()
        assert (status["isOn"], status["hasApp"], status["recoveryCodesLeft"]) == (True, False, 10)
        options = self.needed(api).json()["passkey"]
        assert self.log_in(api, code="000000").status_code == 401
        assert self.log_in(api, passkey=key.signed(options)).status_code == 200
        assert self.log_in(api, code=codes[0]).status_code == 200
        again = {"password": PASSWORD, "passkey": key.signed(challenge(api))}
        assert error_of(api.post(path, json=again, headers=AT_HOST)) == (409, "SKY2008")

    def test_the_only_passkey_cannot_be_removed_while_logins_need_it(self, api: Api) -> None:
        key = added(api)
        body = {"password": PASSWORD, "passkey": key.signed(challenge(api))}
        assert api.post("/x/v1/account/second-factor/passkey", json=body, headers=AT_HOST).status_code == 200
        proof = {"password": PASSWORD, "passkey": key.signed(challenge(api))}
        assert error_of(remove(api, key_of(api), **proof)) == NEEDED
        stored_passkey(api)
        assert remove(api, key_of(api), **proof).status_code == 204


def logged_in_with(api: Api, key: SoftKey) -> Api:
    opened = enter(api, key.signed(login_challenge(api)))
    assert opened.status_code == 200, opened.text
    return Api(api.client, api.ctx, api.account, opened.json())


class TestRenamingAndRemoving:
    def test_a_passkey_is_renamed(self, api: Api) -> None:
        added(api)
        path = f"{PATH}/{key_of(api)}"
        assert api.put(path, json={"name": " Blue one "}).status_code == 204
        assert listed(api)[0]["name"] == "Blue one"
        assert error_of(api.put(path, json={"name": "  "})) == BAD_REQUEST

    def test_removing_takes_what_a_login_takes(self, api: Api) -> None:
        key = added(api)
        wanted = key_of(api)
        assert error_of(remove(api, wanted, password="wrong")) == WRONG_PASSWORD
        phone, _ = turned_on(api)
        assert error_of(remove(api, wanted)) == WRONG_CODE
        assert error_of(remove(api, wanted, passkey=key.signed(challenge(api), flags=UP))) == UNVERIFIED
        assert listed(api)
        assert remove(api, wanted, password=PASSWORD, code=phone.code()).status_code == 204
        assert listed(api) == []
        assert kinds_of(api)[0] == "passkey.removed"
        assert error_of(enter(api, key.signed(login_challenge(api)))) == REFUSED
        assert error_of(remove(api, wanted)) == NOT_FOUND

    def test_no_session_ends_and_app_passwords_stay(self, api: Api) -> None:
        key = added(api)
        other = logged_in_with(api, key)
        assert api.post("/x/v1/app-passwords", json={"name": "App", "password": PASSWORD}).status_code == 201
        assert remove(api, key_of(api)).status_code == 204
        assert other.get("/security/users").status_code == 200
        assert len(api.get("/x/v1/app-passwords").json()["appPasswords"]) == 1

    def test_those_of_somebody_else_do_not_exist(self, api: Api, other_api: Api) -> None:
        added(other_api)
        theirs = key_of(other_api)
        assert error_of(remove(api, theirs)) == NOT_FOUND
        assert error_of(api.put(f"{PATH}/{theirs}", json={"name": "Mine"})) == NOT_FOUND
        assert listed(other_api)[0]["name"] == "Key"

    def test_an_operator_removes_all_of_a_person_who_is_locked_out(self, api: Api) -> None:
        added(api)
        stored_passkey(api)
        assert own_passkeys.remove_all(api.ctx, api.account) == 2
        assert own_passkeys.remove_all(api.ctx, api.account) == 0
        assert kinds_of(api).count("passkey.reset") == 1


def test_nothing_is_stored_for_a_challenge_that_nobody_answers(api: Api, client: TestClient) -> None:
    login_challenge(api)
    with api.ctx.metadata.read() as unit:
        before = unit.sql.all("SELECT count(*) FROM spent_tokens")
    for _ in range(20):
        login_challenge(api)
    with api.ctx.metadata.read() as unit:
        assert unit.sql.all("SELECT count(*) FROM spent_tokens") == before
