"""What a process holds is shown in no encoding, and nothing else is damaged."""

import base64
from urllib.parse import quote

import pytest

from skyshelf.client.credentials import Credentials
from skyshelf.client.secrets import HELD, HIDDEN, Secrets

TOKEN = base64.b64encode(b"ADA#ATK#9f86d081/884c7d65+9a2f").decode()


@pytest.mark.parametrize(
    "written",
    [
        TOKEN,
        TOKEN.lower(),
        quote(TOKEN, safe=""),
        TOKEN.encode().hex(),
        base64.b64encode(f"x{TOKEN}x".encode()).decode(),
        TOKEN[::-1],
        "ADA#ATK#9f86d081/884c7d65+9a2f",
        "9f86d081/884c7d65+9a2f",
    ],
)
def test_a_token_is_hidden_however_it_is_written(written: str) -> None:
    shown = Secrets([TOKEN]).hide(f"before {written} after")
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert HIDDEN in shown
    assert written not in shown


def test_everything_else_is_left_as_it_is() -> None:
    secrets = Secrets([TOKEN, "short", "", None])
    for text in ("", "short", "Photos/beach.jpg", TOKEN[:20], "日本 \x1b"):
        assert secrets.hide(text) == secrets.hide_plain(text) == text
        assert secrets.hide_in_body(text.encode()) == text.encode()


def test_a_body_stays_what_it_was_around_the_secret() -> None:
    body = f'{{"a":"{TOKEN}","b":"9f86d081\\/884c7d65+9a2f"}}'.encode()
    assert Secrets([TOKEN]).hide_in_body(body) == b'{"a":"[hidden]","b":"[hidden]"}'


def test_a_session_is_held_and_only_so_many() -> None:
    session = Credentials(TOKEN, "ADA", "device", app_secret="of-our-own-application")
    for secret in (TOKEN, "of-our-own-application"):
        assert HELD.occur_in(secret)
        assert session.secrets.hide(secret) == HIDDEN
    many = Secrets([f"secret number {number}" for number in range(1000)])
    assert many.hide("secret number 999") == HIDDEN
    assert many.hide("secret number 0 ") == "secret number 0 "


def test_secrets_are_not_printed_by_what_holds_them() -> None:
    assert TOKEN not in repr(Secrets([TOKEN]))
