"""What an object is called on this machine."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.client.local.names import (
    REPLACED_FOLDER,
    STATE_FOLDER,
    comparable,
    local_names,
    marked,
    needs_mark,
    part_name,
    safe_name,
)

HOSTILE = [
    "",
    ".",
    "..",
    "...",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\Windows\\System32",
    "a\x00b",
    "a\nb",
    "a\u202egpj.exe",
    "\u2066hidden\u2069",
    "CON",
    "con.txt",
    "Lpt1 .log",
    "COM¹",
    "NUL",
    "name.",
    "name ",
    ".. ",
    "file:stream",
    "\ud800lone",
    "x" * 300 + ".jpg",
    "é" * 200,
    "e\u0301",
    STATE_FOLDER,
    STATE_FOLDER.upper(),
    REPLACED_FOLDER,
]

names = st.one_of(st.text(), st.sampled_from(HOSTILE), st.text(alphabet="aA.éE\u0301 \u200d#()~:/"))
keys = st.text(alphabet="0123456789ABCDEF", min_size=1, max_size=32)


def ordered(children: dict[str, str]) -> list[tuple[str, str]]:
    return sorted(children.items(), key=lambda child: (comparable(safe_name(child[1])), child[0]))


@given(names)
def test_a_safe_name_is_one_name_on_every_system(name: str) -> None:
    safe = safe_name(name)
    assert safe not in {"", ".", ".."}
    assert len(safe.encode()) <= 255
    assert not set(safe) & set('<>:"/\\|?*')
    assert not any(unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"} for one in safe)
    assert not any(unicodedata.bidirectional(one) in {"RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI"} for one in safe)
    assert safe[-1] not in " ."
    assert unicodedata.is_normalized("NFC", safe)


@given(names)
def test_a_safe_name_outside_windows_keeps_what_only_windows_refuses(name: str) -> None:
    safe = safe_name(name, on_windows=False)
    assert safe not in {"", ".", ".."}
    assert len(safe.encode()) <= 255
    assert "/" not in safe
    assert safe_name(safe, on_windows=False) == safe


@pytest.mark.parametrize("name", ["CON", "con.txt", "name.", "name ", "file:stream", 'what? "this" <that>'])
def test_names_that_windows_refuses_stay_outside_it(name: str) -> None:
    assert safe_name(name, on_windows=False) == name


@given(names)
def test_what_is_safe_stays_as_it_is(name: str) -> None:
    assert safe_name(safe_name(name)) == safe_name(name)


@pytest.mark.parametrize("name", ["con", "PRN.txt", "nul.tar.gz", "COM1", "lpt9.x", "com² .y", "conin$"])
def test_devices_of_windows_are_plain_files(name: str) -> None:
    assert safe_name(name).startswith("_")


@pytest.mark.parametrize("name", ["holiday.jpg", "Übung 1.txt", "写真.png", ".bashrc", "console.log", "a b (1).txt"])
def test_ordinary_names_are_not_touched(name: str) -> None:
    assert safe_name(name) == name


def test_a_long_name_keeps_its_ending() -> None:
    assert safe_name("x" * 300 + ".jpeg").endswith("x.jpeg")
    assert len(safe_name("写" * 300 + ".jpeg").encode()) <= 255


def test_the_oldest_key_keeps_the_name_and_the_ending_stays_an_ending() -> None:
    found = dict(local_names(ordered({"02": "a.jpg", "01": "A.JPG", "03": "b.jpg"})))
    assert found["01"] == "A.JPG"
    assert found["02"].startswith("a (#")
    assert found["02"].endswith(").jpg")
    assert found["03"] == "b.jpg"


def test_both_forms_of_an_accent_are_one_name() -> None:
    found = dict(local_names(ordered({"01": "caf\u00e9", "02": "cafe\u0301"})))
    assert found["01"] == "caf\u00e9"
    assert found["02"] != found["01"]


def test_a_newcomer_changes_no_name() -> None:
    before = dict(local_names(ordered({"01": "a", "02": "A"})))
    after = dict(local_names(ordered({"01": "a", "02": "A", "03": "a"})))
    assert before.items() <= after.items()


def test_nobody_can_choose_the_name_that_another_object_gets() -> None:
    """An object that is called what another one will be called after its mark."""
    stolen = marked("a.txt", "02")
    found = dict(local_names(ordered({"01": "a.txt", "02": "a.txt", "00": stolen})))
    assert found["02"] == stolen
    assert len(set(map(comparable, found.values()))) == 3


def test_nobody_can_choose_the_name_of_a_part_or_of_our_own_folder() -> None:
    found = dict(local_names(ordered({"01": part_name("a.txt", "02"), "02": "a.txt", "03": STATE_FOLDER.upper()})))
    assert found["01"] != part_name("a.txt", "02")
    assert comparable(found["03"]) != STATE_FOLDER
    assert not any(name.endswith(".part") and needs_mark(name) and "(#" not in name for name in found.values())


@given(st.dictionaries(keys, names, max_size=12))
def test_no_two_children_of_a_folder_share_a_local_name(children: dict[str, str]) -> None:
    found = dict(local_names(ordered(children)))
    assert found.keys() == children.keys()
    assert len({comparable(name) for name in found.values()}) == len(children)
    assert all(safe_name(name) == name for name in found.values())


@given(st.dictionaries(keys, st.sampled_from(["a", "A", "a.", "a/", "x" * 300, "x" * 299]), max_size=8))
def test_names_that_become_equal_are_made_unique(children: dict[str, str]) -> None:
    found = dict(local_names(ordered(children)))
    assert len({comparable(name) for name in found.values()}) == len(children)


@given(names, keys, keys)
def test_parts_of_two_objects_are_two_files(name: str, one: str, other: str) -> None:
    local = safe_name(name)
    assert len(part_name(local, one).encode()) <= 255
    assert (part_name(local, one) == part_name(local, other)) == (one == other)
