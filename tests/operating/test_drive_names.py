"""Names of files on this machine, as names of the drive: allowed, different, the same at every run."""

import os
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from skyshelf.service.importing.trees import drive_names, is_renamed
from skyshelf.wire.names import clean_name

# What a Linux file system allows: any bytes but / and NUL, up to 255 of them.
RAW = st.binary(min_size=1, max_size=255).filter(lambda name: b"/" not in name and b"\0" not in name)
CLOSE = st.text("eé\u0301~.%a\n\x85", min_size=1, max_size=6).map(str.encode)
FOLDERS = st.sets((RAW | CLOSE).filter(lambda name: name not in {b".", b".."}), max_size=12)


@given(FOLDERS)
def test_every_name_becomes_one_that_is_allowed_and_that_no_other_gets(names: set[bytes]) -> None:
    given_names = drive_names(os.fsdecode(name) for name in names)
    assert len(given_names) == len(names)
    assert len(set(given_names.values())) == len(names)
    assert all(clean_name(drive) == drive for drive in given_names.values())


@given(FOLDERS)
def test_the_order_in_which_they_are_found_does_not_matter(names: set[bytes]) -> None:
    decoded = sorted(os.fsdecode(name) for name in names)
    assert drive_names(decoded) == drive_names(reversed(decoded))


@given(FOLDERS)
def test_a_name_that_is_allowed_stays_as_it_is(names: set[bytes]) -> None:
    for name, drive in drive_names(os.fsdecode(name) for name in names).items():
        try:
            stays = clean_name(name) == name
        except ValueError:
            stays = False
        if stays:
            assert drive == name


def test_what_people_see_of_bytes_that_are_no_text() -> None:
    latin = os.fsdecode(b"caf\xe9.jpg")
    assert drive_names([latin, "line\nbreak.txt", "tab\there"]) == {
        latin: "caf%E9.jpg",
        "line\nbreak.txt": "line%0Abreak.txt",
        "tab\there": "tab%09here",
    }


def test_two_unicode_forms_of_a_name_are_distinguished_and_the_composed_one_keeps_its_name() -> None:
    composed, decomposed = "é.txt", unicodedata.normalize("NFD", "é.txt")
    names = drive_names([decomposed, composed])
    assert names[composed] == "é.txt"
    assert names[decomposed].startswith("é~")
    assert names[decomposed].endswith(".txt")
    assert drive_names([decomposed]) == {decomposed: "é.txt"}
    assert not is_renamed(decomposed, "é.txt")


def test_somebody_who_makes_up_the_digits_gets_no_other_file_overwritten() -> None:
    composed, decomposed = "é.txt", unicodedata.normalize("NFD", "é.txt")
    made_up = drive_names([composed, decomposed])[decomposed]
    names = drive_names([composed, decomposed, made_up])
    assert names[made_up] == made_up
    assert len(set(names.values())) == 3


def test_case_alone_is_a_difference() -> None:
    assert drive_names(["A.txt", "a.txt"]) == {"A.txt": "A.txt", "a.txt": "a.txt"}


def test_a_name_that_grew_too_long_keeps_its_extension() -> None:
    long = "\n" * 250 + ".jpeg"
    [drive] = drive_names([long]).values()
    assert len(drive.encode()) <= 255
    assert drive.startswith("%0A%0A")
    assert drive.endswith(".jpeg")
