"""The second factor: turning it on and off, logging in with it, and what a code is worth."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from tests.server.answers import answer_of
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, logged_in
from tests.server.in_process import TestClient
from tests.server.second_factors import (
    PATH,
    Authenticator,
    begin,
    begun,
    confirm,
    renew,
    status,
    turn_off,
    turned_on,
)

from skyshelf.service.accounts import second_factor
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.wire.resources import credentials as wire
from skyshelf.wire.resources.credentials import LoginRequest

NEEDED, REFUSED = (401, "SKY2005"), (401, "SKY2006")
WRONG_PASSWORD, WRONG_CODE = (403, "SKY2004"), (403, "SKY2007")
IS_ON, IS_OFF = (409, "SKY2008"), (409, "SKY2009")
WRONG_PAIR = (401, "SKY2000")


def enter(api: Api, code: str | None = None, **more: Any) -> httpx2.Response:
    """A login from a device that nobody knows, unless one is named."""
    return log_in(api.client, api.account.email, **({} if code is None else {"code": code}), **more)


def another_code(phone: Authenticator) -> str:
    """Six digits that are not right now."""
    right = {phone.code(step) for step in (-1, 0, 1)}
    return next(code for code in ("000000", "111111", "222222", "333333") if code not in right)


class TestTurningOn:
    def test_it_begins_with_the_password_and_nothing_is_on_before_a_first_code(self, api: Api) -> None:
        assert status(api) == {"isOn": False}
        setup = answer_of(begin(api), "begin_second_factor")
        assert status(api) == {"isOn": False}
        assert enter(api).status_code == 200
        assert setup["otpauthUri"] == (
            f"otpauth://totp/Skyshelf:ada%40example.org?secret={setup['secret']}"
            "&issuer=Skyshelf&algorithm=SHA1&digits=6&period=30"
        )
        assert len(setup["secret"]) == 32
        rows = setup["qrCode"]
        assert {len(row) for row in rows} == {len(rows)}
        assert {row[:7] for row in rows[:2]} == {"1111111", "1000001"}, "the corner by which readers find it"

    def test_a_code_turns_it_on_and_shows_ten_recovery_codes_once(self, api: Api, clock: HeldClock) -> None:
        phone = begun(api)
        codes = answer_of(confirm(api, f" {phone.code()[:3]} {phone.code()[3:]} "), "confirm_second_factor")
        assert len(set(codes["recoveryCodes"])) == 10
        assert status(api) == {"isOn": True, "hasApp": True, "onSinceDate": clock.now(), "recoveryCodesLeft": 10}

    def test_no_session_is_ended_by_it(self, api: Api) -> None:
        other = logged_in(api.client, api.ctx, api.account)
        phone, _ = turned_on(api)
        assert other.get("/security/users").status_code == 200
        assert turn_off(api, phone.code()).status_code == 204
        assert other.get("/security/users").status_code == 200

    def test_a_wrong_password_begins_nothing(self, api: Api) -> None:
        assert error_of(begin(api, "not it")) == WRONG_PASSWORD
        assert error_of(confirm(api, "123456")) == IS_OFF

    def test_a_wrong_code_turns_nothing_on(self, api: Api) -> None:
        phone = begun(api)
        for code in (another_code(phone), "12345", "1234567", "not a code", "１２３４５６", phone.code() + "0"):
            assert error_of(confirm(api, code)) == WRONG_CODE
        assert status(api) == {"isOn": False}
        assert confirm(api, phone.code()).status_code == 200

    def test_to_begin_again_forgets_the_secret_before(self, api: Api) -> None:
        first, second = begun(api), begun(api)
        assert first.code() != second.code()
        assert error_of(confirm(api, first.code())) == WRONG_CODE
        assert confirm(api, second.code()).status_code == 200

    def test_what_is_on_cannot_be_begun_or_confirmed_again(self, api: Api) -> None:
        phone, _ = turned_on(api)
        assert error_of(begin(api)) == IS_ON
        assert error_of(confirm(api, phone.code())) == IS_ON


class TestLoggingIn:
    def test_the_right_password_learns_that_a_code_is_needed(self, api: Api) -> None:
        phone, _ = turned_on(api)
        assert error_of(enter(api)) == NEEDED
        answer = enter(api, phone.code())
        assert answer.status_code == 200
        assert answer.json().keys() == {
            "userId",
            "deviceKey",
            "rootFolderKey",
            "authToken",
            "jwt",
            "refreshToken",
            "expiresIn",
        }

    @pytest.mark.parametrize("code", [None, "123456", "right"])
    def test_a_wrong_password_learns_nothing_of_it(self, api: Api, code: str | None) -> None:
        phone, _ = turned_on(api)
        sent = phone.code() if code == "right" else code
        wrong = enter(api, sent, password="wrong password")
        unknown = log_in(api.client, "nobody@example.org", **({"code": sent} if sent else {}))
        assert error_of(wrong) == error_of(unknown) == WRONG_PAIR
        assert wrong.content == unknown.content
        assert enter(api, phone.code()).status_code == 200, "and the code was not used up"

    def test_an_account_without_one_sees_no_difference(self, api: Api) -> None:
        for code in (None, "123456", "whatever it is"):
            answer = enter(api, code)
            assert answer.json().keys() == {
                "userId",
                "deviceKey",
                "rootFolderKey",
                "authToken",
                "jwt",
                "refreshToken",
                "expiresIn",
            }

    def test_a_code_opens_once(self, api: Api) -> None:
        phone, _ = turned_on(api)
        assert enter(api, phone.code()).status_code == 200
        assert error_of(enter(api, phone.code())) == REFUSED

    def test_the_code_that_turned_it_on_opens_nothing(self, api: Api) -> None:
        phone = begun(api)
        confirm(api, phone.code())
        assert error_of(enter(api, phone.code())) == REFUSED
        assert enter(api, phone.code(+1)).status_code == 200

    def test_after_a_later_code_an_earlier_one_is_no_longer_valid(self, api: Api) -> None:
        phone, _ = turned_on(api)
        assert enter(api, phone.code(+1)).status_code == 200
        assert error_of(enter(api, phone.code())) == REFUSED

    @pytest.mark.parametrize(("steps", "opens"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
    def test_a_clock_may_be_half_a_minute_off_and_not_more(
        self, api: Api, clock: HeldClock, steps: int, opens: bool
    ) -> None:
        phone, _ = turned_on(api)
        clock.advance(minutes=5)
        assert (enter(api, phone.code(steps)).status_code == 200) is opens

    def test_a_recovery_code_opens_once_however_it_is_typed(self, api: Api) -> None:
        _, codes = turned_on(api)
        assert enter(api, codes[0]).status_code == 200
        assert error_of(enter(api, codes[0])) == REFUSED
        assert enter(api, codes[1].lower().replace("-", " ")).status_code == 200
        misread = codes[2].replace("0", "o").replace("1", "l")
        assert enter(api, misread).status_code == 200
        assert status(api)["recoveryCodesLeft"] == 7

    def test_recovery_codes_of_somebody_else_open_nothing(self, api: Api, other_api: Api) -> None:
        turned_on(api)
        _, codes = turned_on(other_api)
        assert error_of(enter(api, codes[0])) == REFUSED
        assert status(other_api)["recoveryCodesLeft"] == 10

    def test_of_many_logins_with_one_code_exactly_one_is_let_in(self, api: Api) -> None:
        phone, codes = turned_on(api)
        for code in (phone.code(), codes[0]):
            with ThreadPoolExecutor(5) as pool:
                answers = list(pool.map(lambda _, code=code: enter(api, code), range(5)))
            assert sorted(answer.status_code for answer in answers) == [200] + [401] * 4

    def test_a_page_that_keeps_its_token_in_a_cookie_gets_none_without_the_code(self, api: Api) -> None:
        phone, _ = turned_on(api)
        refused = enter(api, inCookie=True)
        assert error_of(refused) == NEEDED
        assert "set-cookie" not in refused.headers
        assert "skyshelf_session=" in enter(api, phone.code(), inCookie=True).headers["set-cookie"]

    @pytest.mark.parametrize("code", ["", "x" * 65, 123456, ["123456"]])
    def test_what_can_be_no_code_is_a_bad_request(self, api: Api, code: Any) -> None:
        turned_on(api)
        assert error_of(enter(api, code)) == (400, "SKY1000")


class TestThrottling:
    def test_guesses_lock_the_login_for_longer_each_time(self, api: Api, clock: HeldClock) -> None:
        phone, _ = turned_on(api)
        pauses = []
        for _ in range(40):
            # Long enough for the password's own bucket to be open again, and too short for this one to forget.
            clock.advance(minutes=20)
            answer = enter(api, another_code(phone))
            if answer.status_code == 429:
                pauses.append(int(answer.headers["retry-after"]))
        assert pauses
        assert max(pauses) > 30 * 60, "a guesser gets about one try an hour"
        assert enter(api, phone.code()).status_code == 429, "not even the right one, for a while"
        clock.advance(minutes=60)
        assert enter(api, phone.code()).status_code == 200
        assert enter(api, phone.code(+1)).status_code == 200, "and what was right is forgotten"

    def test_a_device_of_the_owner_is_not_kept_out_by_the_guesses_of_others(self, api: Api) -> None:
        phone, _ = turned_on(api)
        answers = [enter(api, another_code(phone)) for _ in range(12)]
        assert answers[0].status_code == 401
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert enter(api, phone.code(), deviceKey=api.login["deviceKey"]).status_code == 200

    def test_asking_without_a_code_does_not_make_space_for_more_guesses(self, api: Api) -> None:
        phone, _ = turned_on(api)
        answers = []
        for _ in range(8):
            answers += [enter(api).status_code, enter(api, another_code(phone)).status_code]
        assert answers[-1] == 429

    def test_guesses_in_a_session_are_throttled_and_other_deeds_do_not_make_space(
        self, api: Api, clock: HeldClock
    ) -> None:
        phone, _ = turned_on(api)
        change = {"oldPassword": PASSWORD, "newPassword": PASSWORD}
        answers = []
        for _ in range(12):
            answers.append(turn_off(api, another_code(phone)).status_code)
            assert api.post("/x/v1/account/password", json=change).status_code == 200
        assert answers[:10] == [403] * 10
        assert answers[-1] == 429
        clock.advance(seconds=2)
        assert turn_off(api, phone.code()).status_code == 204

    def test_guesses_at_the_first_code_are_throttled_too(self, api: Api) -> None:
        phone = begun(api)
        answers = [confirm(api, another_code(phone)).status_code for _ in range(12)]
        assert answers[0] == 403
        assert answers[-1] == 429

    def test_wrong_codes_count_against_the_address(self, api: Api, other_api: Api) -> None:
        phone, _ = turned_on(api)
        for device in ({}, {"deviceKey": api.login["deviceKey"]}):
            for _ in range(10):
                assert error_of(enter(api, another_code(phone), **device)) == REFUSED
        other, _ = turned_on(other_api)
        assert error_of(enter(other_api, another_code(other))) == REFUSED
        assert enter(other_api, other.code()).status_code == 429


class TestTurningOff:
    def test_it_takes_both_factors(self, api: Api) -> None:
        phone, codes = turned_on(api)
        assert error_of(turn_off(api, phone.code(), "not it")) == WRONG_PASSWORD
        assert error_of(turn_off(api, another_code(phone))) == WRONG_CODE
        assert status(api)["isOn"]
        answer = turn_off(api, phone.code())
        assert (answer.status_code, answer.content) == (204, b"")
        assert status(api) == {"isOn": False}
        assert enter(api).status_code == 200
        assert error_of(turn_off(api, codes[0])) == IS_OFF

    def test_a_recovery_code_will_do_and_then_another_authenticator_can_be_taken(self, api: Api) -> None:
        phone, codes = turned_on(api)
        assert turn_off(api, codes[3]).status_code == 204
        another, new_codes = turned_on(api)
        assert error_of(enter(api, codes[4])) == REFUSED
        assert error_of(enter(api, phone.code())) == REFUSED
        assert enter(api, another.code()).status_code == 200
        assert enter(api, new_codes[4]).status_code == 200

    def test_the_operator_can_turn_it_off_for_somebody_who_lost_everything(self, api: Api) -> None:
        turned_on(api)
        assert second_factor.reset_second_factor(api.ctx, api.account)
        assert enter(api).status_code == 200
        assert api.get("/security/users").status_code == 200
        assert not second_factor.reset_second_factor(api.ctx, api.account)


class TestNewCodes:
    def test_they_replace_those_before(self, api: Api) -> None:
        phone, codes = turned_on(api)
        enter(api, codes[0])
        new = answer_of(renew(api, phone.code()), "renew_recovery_codes")["recoveryCodes"]
        assert len(set(new) | set(codes)) == 20
        assert status(api)["recoveryCodesLeft"] == 10
        assert error_of(enter(api, codes[1])) == REFUSED
        assert enter(api, new[1]).status_code == 200

    def test_they_take_both_factors(self, api: Api) -> None:
        assert error_of(renew(api, "123456")) == IS_OFF
        phone, codes = turned_on(api)
        assert error_of(renew(api, phone.code(), "not it")) == WRONG_PASSWORD
        assert error_of(renew(api, another_code(phone))) == WRONG_CODE
        assert enter(api, codes[0]).status_code == 200


def test_the_store_holds_neither_the_secret_nor_a_code(api: Api, ctx: ServiceContext) -> None:
    secret = begin(api).json()["secret"]
    codes = confirm(api, Authenticator(api, secret).code()).json()["recoveryCodes"]
    store = ctx.metadata
    assert isinstance(store, SqliteStore)
    with store.read() as unit:
        rows = repr(unit.sql.all("SELECT * FROM second_factors") + unit.sql.all("SELECT * FROM recovery_codes"))
    for hidden in (secret, *codes, *(code.replace("-", "") for code in codes)):
        assert hidden not in rows


def test_without_the_secret_of_the_server_no_code_is_right(api: Api) -> None:
    phone, codes = turned_on(api)
    store = api.ctx.metadata
    assert isinstance(store, SqliteStore)
    store.write(lambda unit: unit.sql.run("DELETE FROM settings WHERE name = 'second-factor-key'"))
    assert error_of(enter(api, phone.code())) == REFUSED
    assert error_of(enter(api, codes[0])) == REFUSED
    with store.read() as unit:
        assert unit.settings.get("second-factor-key") is None, "nobody makes another one behind the operator's back"


def test_two_accounts_have_nothing_in_common(api: Api, other_api: Api) -> None:
    phone, other = begun(api), begun(other_api)
    assert [phone.code(step) for step in range(3)] != [other.code(step) for step in range(3)]
    assert error_of(confirm(api, other.code())) == WRONG_CODE


def test_no_secret_is_in_a_representation() -> None:
    shown = [
        repr(wire.SecondFactorBeginRequest(password="sesame")),
        repr(wire.SecondFactorConfirmRequest(code="sesame")),
        repr(wire.SecondFactorProofRequest(password="sesame", code="sesame")),
        repr(wire.SecondFactorSetup(secret="sesame", otpauth_uri="sesame", qr_code=["sesame"])),
        repr(wire.RecoveryCodes(recovery_codes=["sesame"])),
        repr(LoginRequest(email_id="ada@example.org", password="sesame", code="sesame")),
    ]
    assert "sesame" not in "".join(shown)


def test_without_a_session_there_is_nothing_to_see(anonymous: TestClient) -> None:
    headers = {"content-type": "application/json", "accept-language": "en"}
    assert error_of(anonymous.get(PATH, headers=headers)) == (401, "TEJGA0401")
