"""Invisible characters are found and replaced, and nothing else is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from skyshelf.wire.text import (
    bracketed_code_point,
    can_carry_hidden_text,
    escape_in_json,
    escaped_code_point,
    is_invisible,
    is_unprintable,
    replace_invisible,
)

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
OTHERS = "\x00\n\x1b\x7f\x85\u200b\u2028\u2029\ufeff\u3164\u115f\ud800\U000e0041"


@given(st.text())
def test_after_replacing_nothing_invisible_is_left(text: str) -> None:
    for is_hidden in (is_invisible, is_unprintable, can_carry_hidden_text):
        replaced = replace_invisible(text, lambda _: "_", is_hidden)
        assert not any(map(is_hidden, replaced))
        assert len(replaced) == len(text)
        assert all(new in {old, "_"} for old, new in zip(text, replaced, strict=True))


@pytest.mark.parametrize("character", [*BIDI, *OTHERS])
def test_what_hides_or_reverses_text_is_invisible_to_everybody(character: str) -> None:
    assert is_invisible(character)
    assert is_unprintable(character)
    assert can_carry_hidden_text(character)


@pytest.mark.parametrize("text", ["plain.txt", "ä 漢字 العربية", "👩‍👩‍👧.png", "می‌خواهم.txt", "葛\U000e0100飾", "❤️"])
def test_scripts_and_emoji_stay_as_they_are(text: str) -> None:
    assert replace_invisible(text, bracketed_code_point) == text
    assert replace_invisible(text, escaped_code_point, is_unprintable) == text


def test_joiners_and_selectors_can_carry_hidden_text_but_the_selector_of_emoji_cannot() -> None:
    assert [*map(can_carry_hidden_text, "\u200c\u200d\ufe00\ufe0e\U000e0100\ufe0f")] == [True] * 5 + [False]


def test_a_terminal_does_not_print_what_no_font_defines() -> None:
    private, unassigned = "\ue000", "\u0378"
    assert [unicodedata.category(character) for character in (private, unassigned)] == ["Co", "Cn"]
    assert [is_unprintable(character) for character in (private, unassigned)] == [True, True]
    assert [is_invisible(character) for character in (private, unassigned)] == [False, False]


def test_code_points_are_written_out() -> None:
    assert [*map(bracketed_code_point, "\n\u202e\U000e0041")] == ["‹U+000A›", "‹U+202E›", "‹U+E0041›"]
    assert [*map(escaped_code_point, "\n\u202e\U000e0041")] == ["\\x0a", "\\u202e", "\\U000e0041"]


@given(st.text() | st.lists(st.sampled_from(BIDI + OTHERS.replace("\ud800", "") + "aé日\u00a0\ufe0f")).map("".join))
def test_escaped_json_has_the_same_value_and_nothing_invisible(text: str) -> None:
    for document in (json.encode({text: [text]}), json.format(json.encode({text: [text]}), indent=2)):
        escaped = escape_in_json(document.decode())
        assert json.decode(escaped) == {text: [text]}
        assert not any(is_unprintable(one) or can_carry_hidden_text(one) for one in escaped if one != "\n")
        assert "\x7f" not in escaped


def test_escaped_json_keeps_what_people_read() -> None:
    for text in ('{"a": "Köln 写真 ❤\ufe0f"}', "[1, 2.5, null]", '"\\u202e"'):
        assert escape_in_json(text) == text
    assert escape_in_json('"a\u202eb\U000e0041"') == '"a\\u202eb\\udb40\\udc41"'
