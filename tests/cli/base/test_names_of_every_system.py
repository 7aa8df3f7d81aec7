"""Names and paths as Windows, macOS and Linux write them: what is pure is the same on each of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.targets import split_target, target
from skyshelf.cli.commands.curl_session import session_from_curl
from skyshelf.cli.commands.mirror_plan import normalize_names
from skyshelf.cli.commands.path_filters import path_filter
from skyshelf.client.local.names import comparable, safe_name

DECOMPOSED = "Mu\u0308nchen/Cafe\u0301.txt"
COMPOSED = "München/Café.txt"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Photos", "/Photos"),
        ("/Photos/", "/Photos"),
        ("//Photos//2024", "/Photos/2024"),
        ("", "/"),
        # A backslash and a colon are characters of names there, whatever they are here.
        (r"Photos\2024", r"/Photos\2024"),
        ("C:", "/C:"),
        ("/Photos/..", "/Photos/.."),
        ("./a", "/./a"),
    ],
)
def test_a_path_of_the_server_is_read_alike_on_every_system(typed: str, meant: str) -> None:
    assert target(typed) == meant


def test_the_last_name_of_a_path_is_split_off() -> None:
    assert split_target("/Photos/2024/beach.jpg") == ("/Photos/2024", "beach.jpg")
    assert split_target("beach.jpg") == ("/", "beach.jpg")
    assert split_target(r"/a\b") == ("/", r"a\b")
    for nothing in ("/", "", "key:" + "0" * 32):
        with pytest.raises(CommandFailed, match="inside a folder"):
            split_target(nothing)


def test_a_name_from_a_mac_is_the_same_name() -> None:
    assert normalize_names(tuple(DECOMPOSED.split("/"))) == tuple(COMPOSED.split("/"))
    chooser = path_filter((DECOMPOSED,), ())
    assert chooser is not None
    assert chooser.accepts(COMPOSED, is_folder=False)
    assert comparable(DECOMPOSED) == comparable(COMPOSED)


@pytest.mark.parametrize(
    ("there", "here"),
    [
        ("a:b.txt", "a_b.txt"),
        ("a/b", "a_b"),
        (r"a\b", "a_b"),
        ("what?*.txt", "what__.txt"),
        ("end. ", "end__"),
        ("NUL", "_NUL"),
        ("com1.txt", "_com1.txt"),
        ("..", "__"),
        ("Cafe\u0301.txt", "Café.txt"),
    ],
)
def test_a_name_that_some_system_cannot_hold_gets_one_that_all_can(there: str, here: str) -> None:
    assert safe_name(there) == here


@given(st.lists(st.text(alphabet="aZ é\\:.~", min_size=1, max_size=6), min_size=1, max_size=4))
def test_what_leads_to_a_folder_and_its_last_name_are_the_path(names: list[str]) -> None:
    path = "/" + "/".join(names)
    above, name = split_target(path)
    assert target(f"{above}/{name}") == target(path)


def test_a_request_copied_on_windows_is_read_like_one_of_other_systems() -> None:
    copied = (
        'curl ^"https://x.example/security/users^" ^\r\n  -H ^"Authorization: Basic abc^" ^\r\n'
        '  -H ^"X-User-Id: u^" ^\r\n  -H ^"X-Device-Key: d^"'
    )
    assert session_from_curl(copied).settings == {"auth_token": "abc", "user_id": "u", "device_key": "d"}
