"""How names, dates and numbers read on share pages, and in which language."""

import re
from importlib.resources import files

import pytest

from skyshelf.server.pages.rendering import iso_day, visible
from skyshelf.server.pages.words import GERMAN, Words, words_for


def test_dates_are_in_utc() -> None:
    at = 1_714_953_600_000
    assert (Words("en").day(at), Words("de").day(at), iso_day(at)) == ("6 May 2024", "6. Mai 2024", "2024-05-06")


@pytest.mark.parametrize("name", ["plain.txt", "ä 漢字 العربية", "👩‍👩‍👧.png", "می‌خواهم.txt"])
def test_names_that_hide_nothing_stay_as_they_are(name: str) -> None:
    assert visible(name) == name


@pytest.mark.parametrize(
    "hidden", [*"\x00\x1b\x7f\x85\u200b\u200e\u200f\u202a\u202e\u2028\u2066\u2069\ufeff\U000e0041"]
)
def test_what_hides_or_turns_text_around_is_spelled_out(hidden: str) -> None:
    assert visible(f"a{hidden}b") == f"a‹U+{ord(hidden):04X}›b"


def test_one_is_not_many() -> None:
    assert [Words("en").items(count) for count in (0, 1, 1200)] == ["0 items", "1 item", "1,200 items"]
    assert [Words("de").items(count) for count in (0, 1, 1200)] == ["0 Elemente", "1 Element", "1.200 Elemente"]
    assert Words("de").size(975_667) == "952,8 KiB"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.5,en;q=0.3", "de"),
        ("fr-FR,fr;q=0.9", "en"),
        ("en;q=0.1, DE;q=0.2", "de"),
        ("de;q=0", "en"),
        ("de;q=nonsense", "en"),
        ("," * 5000 + "de", "en"),
    ],
)
def test_the_visitor_s_language_is_chosen_by_preference(header: str, language: str) -> None:
    assert words_for(header).language == language


def test_every_sentence_of_the_templates_has_a_german_one() -> None:
    folder = files("skyshelf.server.pages").joinpath("templates")
    texts = [file.read_text() for file in folder.iterdir() if file.name.endswith(".html")]
    used = {text for source in texts for text in re.findall(r'w\("([^"]+)"', source)}
    assert len(used) > 40
    assert used <= GERMAN.keys()
    for english, german in GERMAN.items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", german))
