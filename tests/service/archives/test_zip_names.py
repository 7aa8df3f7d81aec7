"""Names inside an archive: nothing in them leads out of the folder, fails to unpack, or stands for two files."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skyshelf.service.archives.zip_writer import FolderNames
from skyshelf.wire.names import safe_name

ANY_NAME = st.text(st.characters(), max_size=300)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("holiday.jpg", "holiday.jpg"),
        ("Ünïcode 漢字 👩‍👩‍👧.txt", "Ünïcode 漢字 👩‍👩‍👧.txt"),
        ("..", "__"),
        (".", "_"),
        ("", "_"),
        ("..\\..\\evil.bat", ".._.._evil.bat"),
        ("C:\\Windows", "C__Windows"),
        ("a/b", "a_b"),
        ('what?*<>|".txt', "what______.txt"),
        ("line\nfeed\x00\x7f\x9f", "line_feed___"),
        ("photo\u202egpj.exe", "photo_gpj.exe"),
        ("trailing. .", "trailing___"),
        ("CON", "_CON"),
        ("con.txt", "_con.txt"),
        ("Aux .tar.gz", "_Aux .tar.gz"),
        ("com1", "_com1"),
        ("LPT³.log", "_LPT³.log"),
        ("console.txt", "console.txt"),
        (".hidden", ".hidden"),
    ],
)
def test_hostile_names_are_made_safe_and_others_stay(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(ANY_NAME)
@example("\ud800")
@example("a" * 254 + " b")
@example("a" * 254 + ". ")
@example("con." + "é" * 200)
@example("x" * 250 + ".\u202e....")
def test_a_safe_name_is_one_plain_part_of_a_path(name: str) -> None:
    safe = safe_name(name)
    assert 0 < len(safe.encode()) <= 255
    assert safe not in {".", ".."}
    assert not set(safe) & set('<>:"/\\|?*')
    assert not safe.endswith((".", " "))
    assert not any(unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"} for one in safe)
    assert safe.split(".")[0].strip().upper() not in {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9"}


@given(ANY_NAME)
def test_a_safe_name_stays_as_it_is(name: str) -> None:
    assert safe_name(safe_name(name)) == safe_name(name)


@given(st.lists(st.one_of(ANY_NAME, st.sampled_from(["a.txt", "A.TXT", "a (1).txt", "ß", "SS", "é", "e\u0301"]))))
def test_no_two_names_of_a_folder_are_alike_in_any_case(names: list[str]) -> None:
    folder = FolderNames()
    taken = [folder.take(name) for name in names]
    assert len({unicodedata.normalize("NFC", name).casefold() for name in taken}) == len(names)
    assert all(safe_name(name) == name for name in taken)


def test_the_first_of_two_alike_keeps_its_name() -> None:
    folder = FolderNames()
    assert [folder.take(name) for name in ("a.txt", "A.txt", "a.txt")] == ["a.txt", "A (1).txt", "a (2).txt"]


def test_many_equal_names_are_made_unique_quickly() -> None:
    folder = FolderNames()
    assert len({folder.take("same.txt") for _ in range(20_000)}) == 20_000
