"""Office documents for the tests of their previews, as small as they can be, and some that were made to do harm."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from tests.service.pictures import encoded, picture

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SLIDES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    f' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{_OFFICE}"'
)
_ELSEWHERE = 'TargetMode="External"'


def packed(parts: dict[str, str | bytes]) -> bytes:
    """An office document of these parts."""
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as written:
        for name, part in parts.items():
            written.writestr(name, part)
    return data.getvalue()


def relations(*found: tuple[str, str, str, str]) -> str:
    """The file that says what a part refers to: identifier, kind, target and further attributes of each."""
    rows = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}" {more}/>'
        for key, kind, target, more in found
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


def types(*overrides: tuple[str, str]) -> str:
    rows = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in overrides)
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="png" ContentType="image/png"/>{rows}</Types>'
    )


def document(*paragraphs: str, beacon: str = "") -> bytes:
    """A Word document; it has a link that is a script, and a picture at another server."""
    body = "".join(f"<w:p><w:r><w:t>{one}</w:t></w:r></w:p>" for one in paragraphs)
    link = '<w:p><w:hyperlink r:id="bad"><w:r><w:t>click me</w:t></w:r></w:hyperlink></w:p>'
    image = (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>'
        '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>'
        '<a:blip r:link="far"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>'
        "</w:r></w:p>"
    )
    main = f'<w:document xmlns:w="{_WORD}" xmlns:r="{_OFFICE}"><w:body>{body}{link}{image}</w:body></w:document>'
    return packed(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml", "")),
            "word/document.xml": main,
            "word/_rels/document.xml.rels": relations(
                ("bad", "hyperlink", "javascript:alert(1)", _ELSEWHERE), ("far", "image", beacon, _ELSEWHERE)
            ),
            "[Content_Types].xml": types(),
        }
    )


def workbook(first: str, second: str = "") -> bytes:
    """A workbook of two sheets, from the rows of each."""
    sheet = f'<worksheet xmlns="{_SHEET}"><sheetData>{{}}</sheetData></worksheet>'
    return packed(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml", "")),
            "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
            '<sheet name="Costs" sheetId="1" r:id="s1"/><sheet name="More" sheetId="2" r:id="s2"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                ("s1", "worksheet", "worksheets/sheet1.xml", ""), ("s2", "worksheet", "worksheets/sheet2.xml", "")
            ),
            "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}"><si><t>Bread</t></si><si><r><t>Mi</t></r><r>'
            f"<t>lk</t></r></si></sst>",
            "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}"><numFmts>'
            f'<numFmt numFmtId="170" formatCode="#,##0.00 &quot;EUR&quot;"/>'
            '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
            "xl/worksheets/sheet1.xml": sheet.format(first),
            "xl/worksheets/sheet2.xml": sheet.format(second),
        }
    )


def cell(place: str, value: str, *, kind: str = "n", style: int = 0) -> str:
    return f'<c r="{place}" t="{kind}" s="{style}"><v>{value}</v></c>'


def presentation(*titles: str, beacon: str = "") -> bytes:
    """Slides with a title, a shape and a picture each. Their files are in the opposite order."""
    slide = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"
    main = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    names = [f"slides/slide{len(titles) - index}.xml" for index in range(len(titles))]
    listed = "".join(f'<p:sldId id="{256 + index}" r:id="s{index}"/>' for index in range(len(titles)))
    colours = "".join(
        f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>'
        for name, value in {
            **{
                "dk1": "000000",
                "lt1": "FFFFFF",
                "dk2": "111111",
                "lt2": "EEEEEE",
                "hlink": "0000FF",
                "folHlink": "800080",
            },
            **{f"accent{number}": f"4472C{number}" for number in range(1, 7)},
        }.items()
    )
    tree = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    maps = " ".join(
        f'{key}="{value}"'
        for key, value in {
            **{"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2", "hlink": "hlink", "folHlink": "folHlink"},
            **{f"accent{number}": f"accent{number}" for number in range(1, 7)},
        }.items()
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": types(("/ppt/presentation.xml", main), *((f"/ppt/{name}", slide) for name in names)),
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml", "")),
        "ppt/presentation.xml": f'<p:presentation {_SLIDES}><p:sldMasterIdLst><p:sldMasterId id="1" r:id="m"/'
        f"></p:sldMasterIdLst>"
        f'<p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{index}", "slide", name, "") for index, name in enumerate(names)),
            ("m", "slideMaster", "slideMasters/slideMaster1.xml", ""),
            ("t", "theme", "theme/theme1.xml", ""),
        ),
        "ppt/theme/theme1.xml": f'<a:theme {_SLIDES} name="x"><a:themeElements>'
        f'<a:clrScheme name="x">{colours}</a:clrScheme>'
        '<a:fontScheme name="x"><a:majorFont><a:latin typeface="Arial"/></a:majorFont><a:minorFont>'
        '<a:latin typeface="Arial"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>',
        "ppt/slideMasters/slideMaster1.xml": f"<p:sldMaster {_SLIDES}><p:cSld><p:bg><p:bgPr><a:solidFill>"
        f'<a:srgbClr val="FFF8E0"/>'
        f"</a:solidFill></p:bgPr></p:bg><p:spTree>{tree}</p:spTree></p:cSld><p:clrMap {maps}/>"
        '<p:sldLayoutIdLst><p:sldLayoutId id="2" r:id="l"/></p:sldLayoutIdLst></p:sldMaster>',
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relations(
            ("l", "slideLayout", "../slideLayouts/slideLayout1.xml", ""), ("t", "theme", "../theme/theme1.xml", "")
        ),
        "ppt/slideLayouts/slideLayout1.xml": f"<p:sldLayout {_SLIDES}><p:cSld><p:spTree>{tree}</p:spTree>"
        f"</p:cSld></p:sldLayout>",
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relations(
            ("m", "slideMaster", "../slideMasters/slideMaster1.xml", "")
        ),
        "ppt/media/image1.png": encoded("PNG", picture(60, 40)),
    }
    for name, title in zip(names, titles, strict=True):
        parts[f"ppt/{name}"] = (
            f"<p:sld {_SLIDES}><p:cSld><p:spTree>{tree}{_shape(title)}{_image('here')}{_image('far')}</p:spTree>"
            f"</p:cSld></p:sld>"
        )
        parts[f"ppt/{name.replace('slides/', 'slides/_rels/')}.rels"] = relations(
            ("l", "slideLayout", "../slideLayouts/slideLayout1.xml", ""),
            ("here", "image", "../media/image1.png", ""),
            ("far", "image", beacon, _ELSEWHERE),
        )
    return packed(parts)


def _frame(left: int, top: int, width: int, height: int) -> str:
    return f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'


def _shape(title: str) -> str:
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
        f'{_frame(500000, 400000, 8000000, 1200000)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        '<a:solidFill><a:srgbClr val="CCE5FF"/></a:solidFill></p:spPr><p:txBody><a:bodyPr anchor="ctr"/>'
        f'<a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="2800" b="1"/><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp>'
    )


def _image(relation: str) -> str:
    return (
        '<p:pic><p:nvPicPr><p:cNvPr id="9" name="pic"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>'
        f'<a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>'
        f'{_frame(5000000, 3000000, 3000000, 2000000)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )


_OPEN = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{value}:1.0"'
    for name, value in {
        **{"office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style"},
        **{"fo": "xsl-fo-compatible", "svg": "svg-compatible", "presentation": "presentation"},
    }.items()
)


def open_document(kind: str, body: str, styles: str = "", page: str = "") -> bytes:
    """A file of LibreOffice: `kind` is text, spreadsheet or presentation. It has a picture of 60 by 40 pixels."""
    head = f'{_OPEN} xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"'
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {head}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {head}>{page}</office:document-styles>",
            "Pictures/here.png": encoded("PNG", picture(60, 40)),
        }
    )


def bomb() -> bytes:
    """160 MiB when unpacked."""
    return packed({"word/document.xml": b"x" * (160 * 1024 * 1024)})


def lying_bomb() -> bytes:
    """A document whose directory says that its part has 100 bytes; it has 32 MiB."""
    size = 32 * 1024 * 1024
    data = packed({"word/document.xml": b"x" * size})
    return data.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
