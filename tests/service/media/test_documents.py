"""The text of documents through the worker processes, good ones and hostile ones."""

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.service.documents import docx, ods, odt, packed, pdf, pptx, xlsx

from skyshelf.service.media.documents import TEXT_BYTES_MAX, UNPACKED_BYTES_MAX
from skyshelf.service.media.pool import Workers
from skyshelf.service.media.protocol import MediaResult, TextJob


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(1)
    yield workers
    workers.close()


Read = Callable[..., MediaResult]


@pytest.fixture
def read(workers: Workers, tmp_path: Path) -> Read:
    def run(content: bytes, subtype: str = "x-office") -> MediaResult:
        path = tmp_path / "file"
        path.write_bytes(content)
        done = workers.run(1, TextJob(str(path), subtype))
        assert done is not None, "a worker died of the file"
        return done

    return run


@pytest.mark.parametrize(
    ("content", "subtype", "text"),
    [
        (docx("Dear reader,", "", "", "Grüße & <more>"), "docx", "Dear reader,\n\nGrüße & <more>"),
        (xlsx(["Name", "Age"], ["Ada", 36]), "xlsx", "Name\tAge\nAda\t36"),
        (pptx("First", "Second"), "pptx", "First\n\nSecond"),
        (odt("One", "Two"), "odt", "Title\nOne\nTwo\na\tb"),
        (ods(["Name", "Age"], ["Ada", "36"]), "ods", "Name \tAge\nAda \t36"),
        (pdf("Page one", "Page two"), "pdf", "Page one\n\nPage two"),
    ],
    ids=["docx", "xlsx", "pptx", "odt", "ods", "pdf"],
)
def test_the_text_is_read(read: Read, content: bytes, subtype: str, text: str) -> None:
    done = read(content, subtype)
    assert done.data.decode() == text
    assert done.is_whole


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "lzma"])
def test_what_is_packed_as_no_document_is_has_no_text(read: Read, method: int) -> None:
    text = '<text:p xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">One</text:p>'
    assert read(packed({"content.xml": text})).data == b"One"
    done = read(packed({"content.xml": text}, method))
    # Not tried again as a heavy job either: it was not unpacked.
    assert (done.data, done.is_heavy) == (b"", False)


def test_more_than_nine_slides_are_in_their_order(read: Read) -> None:
    slides = [f"slide {number}" for number in range(1, 13)]
    assert read(pptx(*slides)).data.decode().split("\n\n") == slides


def test_of_a_very_long_document_the_beginning_is_read(read: Read) -> None:
    done = read(docx(*["a line of a very long document"] * 50_000))
    assert not done.is_whole
    assert TEXT_BYTES_MAX - 40 < len(done.data) <= TEXT_BYTES_MAX
    assert done.data.startswith(b"a line of")


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
DEEP = "<w:p>" * 1_000_000


def _office(xml: str) -> bytes:
    return packed({"word/document.xml": xml})


def _bomb() -> bytes:
    """Far more blanks than may be unpacked, and no text."""
    return packed({"word/document.xml": b"<w:document>" + b" " * (UNPACKED_BYTES_MAX + 1024)})


HOSTILE = {
    "empty": b"",
    "no archive": b"PK\x03\x04 nonsense",
    "no document": packed({"other.xml": "<x/>"}),
    "not xml": _office("Dear reader"),
    "entities": _office(f"{ENTITIES}<w:t>&b;</w:t>"),
    "a file of the server": _office(f"{OUTSIDE}<w:t>&a;</w:t>"),
    "deep": _office(DEEP),
    "bomb": _bomb(),
    "many members": packed({f"{number}": b"" for number in range(20_001)}),
    "no text": docx(""),
    "a reference to no string": packed(
        {"xl/workbook.xml": "<x/>", "xl/worksheets/sheet1.xml": '<r><c t="s"><v>99999999</v></c></r>'}
    ),
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_a_hostile_document_has_no_text_and_the_worker_lives(read: Read, name: str) -> None:
    assert read(HOSTILE[name]).data == b""
    assert read(docx("still here")).data == b"still here"


@pytest.mark.parametrize("content", [b"%PDF-1.4\n", b"%PDF", pdf("x")[:-200]], ids=["head", "magic", "cut off"])
def test_a_broken_pdf_has_no_text_or_what_can_be_saved(read: Read, content: bytes) -> None:
    assert read(content, "pdf").data in {b"", b"x"}


def test_what_an_archive_says_about_its_members_is_not_believed(read: Read) -> None:
    content = bytearray(docx("a text that is longer than the archive says"))
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = (5).to_bytes(4, "little")
    assert len(read(bytes(content)).data) <= 64


def test_a_bomb_behind_text_ends_with_the_text(read: Read) -> None:
    start = b"<w:document xmlns:w='w'><w:p><w:t>words</w:t></w:p>"
    done = read(packed({"word/document.xml": start + b" " * (UNPACKED_BYTES_MAX + 1024)}))
    assert (done.data, done.is_whole) == (b"words", False)
