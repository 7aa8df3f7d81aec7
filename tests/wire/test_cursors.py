"""Cursors: what a page gave is understood again, and everything else is refused."""

import base64
from collections.abc import Callable

import pytest

from skyshelf.wire.cursors import bytes_cursor, encode_cursor, number_cursor
from skyshelf.wire.error_codes import BAD_CURSOR
from skyshelf.wire.refusals import InvalidRequest

KEY = "0123456789ABCDEF" * 2


def test_a_cursor_holds_the_place_of_an_entry() -> None:
    assert number_cursor(encode_cursor(1_700_000_000_000, KEY)) == (1_700_000_000_000, KEY)
    assert bytes_cursor(encode_cursor(b"name\xff", KEY)) == (b"name\xff", KEY)


def _cursor_of(json: str) -> str:
    return base64.urlsafe_b64encode(json.encode()).decode().rstrip("=")


@pytest.mark.parametrize("parse", [number_cursor, bytes_cursor])
@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        _cursor_of("[1]"),
        _cursor_of("{}"),
        encode_cursor(1, "no key"),
        encode_cursor(b"name", "no key"),
        encode_cursor(1, KEY[:-1]),
        encode_cursor(b"name", KEY + "0"),
    ],
)
def test_anything_else_is_refused(parse: Callable[[str], object], cursor: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(cursor)
    assert refused.value.error is BAD_CURSOR


def test_a_cursor_of_another_order_is_refused() -> None:
    for parse, cursor in ((number_cursor, encode_cursor(b"name", KEY)), (bytes_cursor, encode_cursor(1, KEY))):
        with pytest.raises(InvalidRequest):
            parse(cursor)
