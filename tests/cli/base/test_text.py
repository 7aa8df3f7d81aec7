"""What people see of texts that others wrote."""

import re

from hypothesis import given
from hypothesis import strategies as st

from skyshelf.cli.base.output import bar, table
from skyshelf.cli.base.text import local_time, safe_line, visible, width
from skyshelf.wire.projection import utc_time


@given(st.text())
def test_whatever_is_shown_can_be_seen(text: str) -> None:
    shown = visible(text)
    assert not any(ord(one) < 0x20 or 0x7F <= ord(one) < 0xA0 for one in shown)
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u2028\ufeff") & set(shown)


def test_plain_names_stay_as_they_are() -> None:
    for name in ("beach.jpg", "Ferien in Köln.jpg", "写真.jpg", "👨‍👩‍👧.png"):
        assert visible(name) == name


def test_escapes_are_written_out() -> None:
    assert visible("a\x1b[31mb\n") == "a\\x1b[31mb\\x0a"


def test_columns_are_counted_as_a_terminal_does() -> None:
    assert [width(text) for text in ("ab", "写真", "e\u0301", "กำลัง", "\u2764\ufe0f", "한글")] == [2, 4, 1, 4, 2, 4]
    assert list(table([("写真", "1"), ("a", "22")], right=frozenset({1}))) == ["写真   1", "a     22"]


def test_times_outside_the_calendar_are_no_crash() -> None:
    assert utc_time(10**30) is None
    assert local_time(10**30) == "?"
    assert utc_time(0) == "1970-01-01T00:00:00.000Z"


def test_a_bar_never_shows_something_as_nothing() -> None:
    assert bar(0, columns=4) == "░░░░"
    assert bar(0.001, columns=4) == "█░░░"
    assert bar(7, columns=4) == "████"


@given(st.text() | st.lists(st.sampled_from(["\x1b", "\x1b[", "31m", "\x1b[1;34m", "a", "\x9b2J", "\n"])).map("".join))
def test_a_line_holds_nothing_but_text_and_colours(text: str) -> None:
    shown = safe_line(text)
    without_colours = re.sub("\x1b\\[[0-9;]*m", "", shown)
    assert visible(without_colours) == without_colours
    assert safe_line(shown) == shown
