"""How names and dates read on share pages."""

import pytest

from skyshelf.server.pages.rendering import counted, day, iso_day, visible


def test_dates_are_in_utc() -> None:
    assert (day(1_714_953_600_000), iso_day(1_714_953_600_000)) == ("6 May 2024", "2024-05-06")


@pytest.mark.parametrize("name", ["plain.txt", "ä 漢字 العربية", "👩‍👩‍👧.png", "می‌خواهم.txt"])
def test_names_that_hide_nothing_stay_as_they_are(name: str) -> None:
    assert visible(name) == name


@pytest.mark.parametrize(
    "hidden", [*"\x00\x1b\x7f\x85\u200b\u200e\u200f\u202a\u202e\u2028\u2066\u2069\ufeff\U000e0041"]
)
def test_what_hides_or_turns_text_around_is_spelled_out(hidden: str) -> None:
    assert visible(f"a{hidden}b") == f"a‹U+{ord(hidden):04X}›b"


def test_one_is_not_many() -> None:
    assert [counted(count, "item") for count in (0, 1, 1200)] == ["0 items", "1 item", "1,200 items"]
