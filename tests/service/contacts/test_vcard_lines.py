"""Lines of a vCard: what is read of every dialect, and that no line of a stranger takes long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.service.contacts.vcards import CardLine, escaped, parse_line, parts_of, text_of, write_line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("TEL:1", CardLine("TEL", [], "1")),
        ("item1.email;type=INTERNET;type=HOME:a@b", CardLine("EMAIL", ["INTERNET", "HOME"], "a@b")),
        ("TEL;HOME;VOICE:1", CardLine("TEL", ["HOME", "VOICE"], "1")),
        ('TEL;TYPE="voice,cell":tel:1', CardLine("TEL", ["voice", "cell"], "tel:1")),
        ('FN;X="a:b;c":Ada', CardLine("FN", [], "Ada")),
        ("FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller", CardLine("FN", [], "Müller")),
        ("FN;CHARSET=nothing;QUOTED-PRINTABLE:M=C3=BCller", CardLine("FN", ["QUOTED-PRINTABLE"], "Müller")),
        ('FN;X="never closed:Ada', CardLine("FN", [], "Ada")),
        ("no colon", None),
        (":no name", None),
        ("wrong name:x", None),
        ("TEL;" + "a," * 5000, None),
    ],
)
def test_a_line_is_read(line: str, expected: CardLine | None) -> None:
    assert parse_line(line) == expected


@pytest.mark.parametrize("part", ["a,", ";a", ";a=b,c", '"', ';x="a",', ";=", "\\", "=C3"])
@pytest.mark.parametrize("end", [":1", "", ";,:1", ";=:1", '":1'])
def test_hostile_parameters_take_no_more_than_their_length(part: str, end: str) -> None:
    """With a pattern that backtracks, one of these would not end."""
    parse_line("TEL;" + part * 3000 + end)
    parts_of(part * 3000)


def test_parts_and_escapes() -> None:
    assert parts_of(r"By\;ron;Ada\, Countess;;") == ["By;ron", "Ada, Countess", "", ""]
    assert text_of(r"a\nb\\c\,d") == "a\nb\\c,d"


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=300))
def test_what_is_written_is_read_again(text: str) -> None:
    written = write_line("FN", escaped(text), "home")
    assert all(len(line.encode()) <= 75 for line in written.split("\r\n"))
    found = parse_line(written.replace("\r\n ", "").removesuffix("\r\n"))
    assert found is not None
    assert (found.types, text_of(found.value)) == (["HOME"], text)
