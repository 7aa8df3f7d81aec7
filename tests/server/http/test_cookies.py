"""Cookies: read as they are, without the quadratic unquoting of the standard library."""

from typing import Any

from starlette.requests import Request

from skyshelf.server.http.authentication import cookies_of


def _cookies(*headers: str) -> dict[str, str]:
    scope: dict[str, Any] = {"type": "http", "headers": [(b"cookie", header.encode()) for header in headers]}
    return cookies_of(Request(scope))


def test_cookies_of_all_lines_are_read_and_the_first_of_a_name_counts() -> None:
    found = _cookies("a=1; b=x=y;c", " a=2 ;d = 4 ")
    assert dict(found) == {"a": "1", "b": "x=y", "d": "4"}
    assert len(found) == 3
    assert found.get("missing") is None
    assert dict(_cookies()) == {}


def test_surrounding_quotes_are_removed_and_backslashes_stay() -> None:
    backslashes = "\\" * 390_000
    assert dict(_cookies(f'a="{backslashes}"; b="x=y"; c="; d=""')) == {"a": backslashes, "b": "x=y", "c": '"', "d": ""}
