"""Passwords: what a hash costs, and which passwords are taken at all."""

import pytest

from skyshelf.service.accounts import passwords
from skyshelf.service.errors import ServiceError


def test_the_parameters_are_those_that_owasp_asks_for_at_least() -> None:
    assert passwords.hash_password("some password").startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_password_fits_its_own_hash_and_no_other() -> None:
    hashed = passwords.hash_password("some password")
    assert passwords.matches("some password", hashed)
    assert not passwords.matches("some Password", hashed)
    assert not passwords.matches("", hashed)


def test_an_unknown_account_has_no_password() -> None:
    assert not passwords.matches("nobody has this password, and nobody can log in with it", None)


def test_a_hash_that_is_none_fits_nothing() -> None:
    assert not passwords.matches("x", "not a hash")
    assert not passwords.matches("\ud800", passwords.hash_password("some password"))


@pytest.mark.parametrize(
    ("password", "sentence"),
    [
        ("short", "at least 8"),
        ("x" * 1025, "at most 1024"),
        ("\ud800" * 9, "not valid Unicode"),
    ],
)
def test_a_password_that_cannot_protect_is_refused_with_a_sentence(password: str, sentence: str) -> None:
    with pytest.raises(ServiceError, match=sentence):
        passwords.check_new_password(password)


def test_any_other_password_is_taken() -> None:
    for password in ("12345678", "пароль-пароль", "x" * 1024, "        "):
        passwords.check_new_password(password)
