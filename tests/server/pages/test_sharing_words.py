"""How names, sizes and dates read on the public page."""

import pytest

from skyshelf.server.pages.rendering import counted, day, iso_day, shown, size


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (9_940, "9.9 kB"),
        (9_960, "10 kB"),
        (999_400, "999 kB"),
        (999_600, "1.0 MB"),
        (1_540_000, "1.5 MB"),
        (5 * 10**9, "5.0 GB"),
        (2**60, "1153 PB"),
    ],
)
def test_sizes_read_as_people_compare_them(count: int, text: str) -> None:
    assert size(count) == text


def test_dates_are_in_utc() -> None:
    assert (day(1_714_953_600_000), iso_day(1_714_953_600_000)) == ("6 May 2024", "2024-05-06")


@pytest.mark.parametrize("name", ["plain.txt", "ä 漢字 العربية", "👩‍👩‍👧.png", "می‌خواهم.txt"])
def test_names_that_hide_nothing_stay_as_they_are(name: str) -> None:
    assert shown(name) == name


@pytest.mark.parametrize(
    "hidden", [*"\x00\x1b\x7f\x85\u200b\u200e\u200f\u202a\u202e\u2028\u2066\u2069\ufeff\U000e0041"]
)
def test_what_hides_or_turns_text_around_is_spelled_out(hidden: str) -> None:
    assert shown(f"a{hidden}b") == f"a‹U+{ord(hidden):04X}›b"


def test_one_is_not_many() -> None:
    assert [counted(count, "item") for count in (0, 1, 1200)] == ["0 items", "1 item", "1,200 items"]
