"""Small documents in every format whose text can be read."""

import io
import zipfile
from xml.sax.saxutils import escape

_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_SLIDE = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
_SLIDE += 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_OPEN = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
_OPEN += 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
_OPEN += 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'


def packed(members: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP file of these members, with the same bytes at any time."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return made.getvalue()


def docx(*paragraphs: str) -> bytes:
    """A letter."""
    lines = "".join(f"<w:p><w:pPr/><w:r><w:t>{escape(one)}</w:t></w:r></w:p>" for one in paragraphs)
    return packed({"word/document.xml": f"<w:document {_WORD}><w:body>{lines}</w:body></w:document>"})


def xlsx(*rows: list[str | int]) -> bytes:
    """A table whose texts are shared strings, as spreadsheet programs write it."""
    strings = [cell for row in rows for cell in row if isinstance(cell, str)]
    cells = [
        "".join(
            f'<c t="s"><v>{strings.index(one)}</v></c>' if isinstance(one, str) else f"<c><v>{one}</v></c>"
            for one in row
        )
        for row in rows
    ]
    lines = "".join(f"<row>{one}</row>" for one in cells)
    return packed(
        {
            "xl/workbook.xml": f"<workbook {_SHEET}/>",
            "xl/sharedStrings.xml": f"<sst {_SHEET}>"
            + "".join(f"<si><t>{escape(one)}</t></si>" for one in strings)
            + "</sst>",
            "xl/worksheets/sheet1.xml": f"<worksheet {_SHEET}><sheetData>{lines}</sheetData></worksheet>",
        }
    )


def pptx(*slides: str) -> bytes:
    """A talk."""
    members: dict[str, str | bytes] = {"ppt/presentation.xml": f"<p:presentation {_SLIDE}/>"}
    for number, text in enumerate(slides, 1):
        members[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {_SLIDE}><p:txBody><a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p></p:txBody></p:sld>"
        )
    return packed(members)


def odt(*paragraphs: str) -> bytes:
    """A letter in the open format."""
    lines = "".join(f"<text:p>{escape(one)}</text:p>" for one in paragraphs)
    end = "<text:p>a<text:tab/>b</text:p>"
    body = f"<text:h>Title</text:h>{lines}{end}"
    return packed({"content.xml": f"<office:document-content {_OPEN}>{body}</office:document-content>"})


def ods(*rows: list[str]) -> bytes:
    """A table in the open format."""
    lines = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{escape(one)}</text:p></table:table-cell>" for one in row)
        + "</table:table-row>"
        for row in rows
    )
    return packed({"content.xml": f"<office:document-content {_OPEN}>{lines}</office:document-content>"})


def pdf(*pages: str) -> bytes:
    """A PDF whose pages have a line each."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for text in pages:
        kids.append(len(objects) + 1)
        stream = f"BT /F1 24 Tf 50 700 Td ({text}) Tj ET".encode("latin-1")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
            % (len(objects) + 2)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    listed = " ".join(f"{one} 0 R" for one in kids).encode()
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, len(kids))
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        len(out),
    )
