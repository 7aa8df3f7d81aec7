"""Codes of an authenticator: the RFC's own numbers, and what a code fits."""

import base64

import pytest

from skyshelf.service.accounts.login_codes import code_of, in_base32, is_code, matching_step, otpauth_uri, step_at

SECRET = b"12345678901234567890"
# RFC 6238, appendix B, the rows of SHA1: seconds since 1970, and eight digits.
OF_THE_RFC = {
    59: "94287082",
    1_111_111_109: "07081804",
    1_111_111_111: "14050471",
    1_234_567_890: "89005924",
    2_000_000_000: "69279037",
    20_000_000_000: "65353130",
}
# RFC 4226, appendix D: the first ten codes of six digits.
OF_THE_COUNTER = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]


@pytest.mark.parametrize(("seconds", "code"), OF_THE_RFC.items())
def test_codes_are_those_of_the_rfc(seconds: int, code: str) -> None:
    assert code_of(SECRET, step_at(seconds * 1000), digits=8) == code
    assert code_of(SECRET, step_at(seconds * 1000)) == code[-6:]


def test_codes_by_counter_are_those_of_the_rfc_before() -> None:
    assert [code_of(SECRET, step) for step in range(10)] == OF_THE_COUNTER


def test_a_code_fits_its_step_and_the_two_beside_it() -> None:
    now = 59_000
    assert [matching_step(SECRET, OF_THE_COUNTER[step], now, after=-1) for step in range(4)] == [0, 1, 2, None]


def test_a_step_that_was_taken_fits_no_more() -> None:
    assert matching_step(SECRET, OF_THE_COUNTER[1], 59_000, after=0) == 1
    assert matching_step(SECRET, OF_THE_COUNTER[1], 59_000, after=1) is None


@pytest.mark.parametrize("code", ["", "28708", "2870822", "２８７０８２", "287082\0", "\ud800"])
def test_what_is_not_six_digits_fits_nothing(code: str) -> None:
    assert matching_step(SECRET, code, 59_000, after=-1) is None
    assert not is_code(code)


def test_the_secret_is_in_a_form_that_authenticators_accept() -> None:
    assert base64.b32decode(in_base32(SECRET)) == SECRET
    assert otpauth_uri(SECRET, "Sky shelf", "a:b@example.org") == (
        f"otpauth://totp/Sky%20shelf:a%3Ab%40example.org?secret={in_base32(SECRET)}"
        "&issuer=Sky%20shelf&algorithm=SHA1&digits=6&period=30"
    )
