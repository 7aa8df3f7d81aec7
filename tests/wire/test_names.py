"""What a name may be, and the laws that everything made of names relies on."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skyshelf.wire import mime_types
from skyshelf.wire.names import category, clean_name, extension, numbered, order_key, split_mime
from skyshelf.wire.refusals import BadName

ANY_TEXT = st.text(max_size=300)


def _is_clean(text: str) -> bool:
    try:
        clean_name(text)
    except BadName:
        return False
    return True


CLEAN_NAMES = ANY_TEXT.filter(_is_clean).map(clean_name)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("", "empty"),
        (".", r"\. or \.\."),
        ("..", r"\. or \.\."),
        ("a/b", "slash"),
        ("a\0b", "control"),
        ("tab\t", "control"),
        ("\x7f", "control"),
        ("\x85", "control"),
        ("\ud800", "surrogates"),
        ("a\udfff.txt", "surrogates"),
        ("a" * 256, "256"),
        ("é" * 128, "256"),
    ],
)
def test_a_bad_name_is_refused_with_its_reason(bad: str, reason: str) -> None:
    with pytest.raises(BadName, match=reason) as refused:
        clean_name(bad)
    assert refused.value.code == "SKY1002"


@pytest.mark.parametrize(
    "good",
    ["a", "...", ".bashrc", " ", "a" * 255, "é" * 127, "Fotos 2024", "நிலா.jpg", "👩‍👩‍👧.png", "C:\\x", "a|b?*", "~"],
)
def test_a_good_name_stays_as_it_is(good: str) -> None:
    assert clean_name(good) == good


def test_no_character_of_the_category_cc_is_let_through() -> None:
    controls = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) == "Cc"]
    assert len(controls) == 65
    assert not any(_is_clean("a" + control) for control in controls)


def test_the_length_counts_after_normalisation() -> None:
    decomposed = "e\u0301" * 127
    assert len(decomposed.encode()) > 255
    assert clean_name(decomposed) == "é" * 127


@given(ANY_TEXT)
@example("e\u0301")
@example("\u0958")  # NFC makes this one longer
def test_a_clean_name_is_clean_for_good(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert clean_name(name) == name
    assert unicodedata.is_normalized("NFC", name)
    assert 1 <= len(name.encode()) <= 255
    assert "/" not in name
    assert name not in {".", ".."}


@given(ANY_TEXT)
def test_names_that_differ_in_case_or_form_order_alike(text: str) -> None:
    assert order_key(unicodedata.normalize("NFD", text)) == order_key(text)
    assert order_key(text.casefold()) == order_key(text)


def test_names_order_without_regard_to_case() -> None:
    names = ["b", "A", "a", "B", "Ä", "ß", "SS", "z"]
    assert sorted(names, key=lambda name: (order_key(name), name)) == ["A", "a", "B", "b", "SS", "ß", "z", "Ä"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.TXT", "txt"),
        ("archive.tar.gz", "gz"),
        (".bashrc", ""),
        ("..hidden", ""),
        (".config.json", "json"),
        ("README", ""),
        ("trailing.", ""),
        ("", ""),
        ("Mr. Smith", ""),
        ("Ünïcode.ÄB", "äb"),
    ],
)
def test_an_extension_is_what_people_call_one(name: str, expected: str) -> None:
    assert extension(name) == expected


@pytest.mark.parametrize(
    ("name", "mime", "counts_as"),
    [
        ("a.jpg", "image/jpeg", "photo"),
        ("a.HEIC", "image/heic", "photo"),
        ("a.avif", "image/avif", "photo"),
        ("a.mp4", "video/mp4", "video"),
        ("a.mov", "video/quicktime", "video"),
        ("a.mp3", "audio/mpeg", "audio"),
        ("a.pdf", "application/pdf", "document"),
        ("a.zip", "application/zip", "document"),
        ("a.md", "text/markdown", "document"),
        ("a.py", "text/x-python", "document"),
        ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "document"),
        ("a", "application/octet-stream", "document"),
        ("a.unheardof", "application/octet-stream", "document"),
    ],
)
def test_the_type_comes_from_our_own_table(name: str, mime: str, counts_as: str) -> None:
    assert "/".join(split_mime(name)) == mime
    assert category(mime) == counts_as
    assert category(split_mime(name)[0]) == counts_as


def test_an_extension_stands_in_the_table_once() -> None:
    listed = [extension for row in mime_types._EXTENSIONS_BY_TYPE.values() for extension in row.split()]
    assert len(listed) == len(set(listed)) == len(mime_types.TYPE_BY_EXTENSION)
    assert all(extension == extension.lower() for extension in listed)


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("a.txt", 1, "a (1).txt"),
        ("archive.tar.gz", 2, "archive.tar (2).gz"),
        (".bashrc", 1, ".bashrc (1)"),
        ("Fotos", 12, "Fotos (12)"),
        ("Mr. Smith", 1, "Mr. Smith (1)"),
        ("x" * 251 + ".txt", 1, "x" * 247 + " (1).txt"),
        ("é" * 125 + ".txt", 1, "é" * 123 + " (1).txt"),
        ("a." + "x" * 253, 1, "a." + "x" * 249 + " (1)"),
    ],
)
def test_a_taken_name_gets_a_number(name: str, n: int, expected: str) -> None:
    assert numbered(name, n) == expected


@given(CLEAN_NAMES, st.integers(1, 10**6))
@example("a." + "x" * 250, 1)
@example("😀." + "x" * 246, 10)
def test_a_numbered_name_is_a_name(name: str, n: int) -> None:
    substitute = numbered(name, n)
    assert clean_name(substitute) == substitute
    assert substitute != name
    assert f" ({n})" in substitute
    assert numbered(name, n + 1) != substitute
