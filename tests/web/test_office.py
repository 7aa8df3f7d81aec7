"""Word documents, Excel sheets and PowerPoint slides are shown, and nothing in them runs or loads anything."""

from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.office_files import bomb, cell, document, lying_bomb, open_document, presentation, workbook
from tests.web.test_files import show
from tests.web.test_preview import opened
from tests.web.visiting import PHONE, Visit, visit

BEACON = "http://127.0.0.1:9/beacon.png"


def requests_elsewhere(page: Page) -> list[str]:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "beacon" in request.url else None)
    return asked


def test_word_documents_are_shown(page: Page, api: Api) -> None:
    asked = requests_elsewhere(page)
    api.file("letter.docx", document("Dear Ada,", "the &lt;script&gt; in here is text.", beacon=BEACON))
    show(page)
    viewer = opened(page, "letter.docx")
    expect(viewer.get_by_text("Dear Ada,")).to_be_visible()
    expect(viewer.get_by_text("the <script> in here is text.")).to_be_visible()
    expect(viewer.get_by_text("click me")).to_be_visible()
    assert viewer.locator("a[href^=javascript]").count() == 0
    assert viewer.locator("[role=region] img").count() == 0
    assert_nothing({"document": findings(page)})
    assert asked == []


def test_sheets_are_shown_as_tables(browser: Browser, server: RunningServer, api: Api) -> None:
    rows = (
        f'<row r="1">{cell("A1", "0", kind="s")}{cell("B1", "1234.5", style=2)}</row>'
        f'<row r="2">{cell("A2", "1", kind="s")}{cell("B2", "45658", style=1)}</row>'
    )
    api.file("costs.xlsx", workbook(rows, f"<row>{cell('A1', '7')}</row>"))
    with visit(browser, server, api, Visit(size=PHONE, scheme="dark")) as page:
        page.get_by_role("option", name="costs.xlsx").tap()
        viewer = page.get_by_role("dialog", name="Preview")
        for shown in ("Bread", "Milk", "1,234.50 EUR", "2025-01-01"):
            expect(viewer.get_by_role("cell", name=shown)).to_be_visible()
        expect(viewer.get_by_role("columnheader", name="B")).to_be_visible()
        assert_nothing({"sheet": findings(page)})
        viewer.get_by_role("tab", name="More").tap()
        expect(viewer.get_by_role("cell", name="7")).to_be_visible()


def test_slides_are_shown_in_their_order(page: Page, api: Api) -> None:
    asked = requests_elsewhere(page)
    api.file("talk.pptx", presentation("The beginning", "The &lt;b&gt;end&lt;/b&gt;", beacon=BEACON))
    show(page)
    viewer = opened(page, "talk.pptx")
    expect(viewer.get_by_role("listitem", name="Slide 1 of 2").get_by_text("The beginning")).to_be_visible()
    last = viewer.get_by_role("listitem", name="Slide 2 of 2")
    last.scroll_into_view_if_needed()
    expect(last.get_by_text("The <b>end</b>")).to_be_visible()
    expect(last.locator("img")).to_have_count(1)
    expect(last.locator("img")).to_have_js_property("naturalWidth", 60)
    assert_nothing({"slides": findings(page)})
    assert asked == []


def test_open_documents_are_shown_in_the_same_way(page: Page, api: Api) -> None:
    asked = requests_elsewhere(page)
    bold = (
        '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    )
    text = (
        '<text:h text:outline-level="2">Minutes</text:h><text:p>The <text:span text:style-name="B">first</text:span>'
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>below</text:p></text:note-body>"
        "</text:note> &lt;b&gt;point</text:p><office:annotation><text:p>a remark</text:p></office:annotation>"
        '<text:p><text:a xlink:href="javascript:alert(1)">click me</text:a><draw:frame>'
        f'<draw:image xlink:href="Pictures/here.png"/><draw:image xlink:href="{BEACON}"/></draw:frame></text:p>'
    )
    cells = (
        '<table:table table:name="Costs"><table:table-row><table:table-cell office:value-type="string">'
        '<text:p>Bread</text:p></table:table-cell><table:table-cell office:value-type="currency" office:value="2.5">'
        "<text:p>2,50 €</text:p></table:table-cell></table:table-row>"
        '<table:table-row table:number-rows-repeated="1048575"><table:table-cell/></table:table-row></table:table>'
    )
    layout = (
        '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/>'
        '</style:page-layout><style:master-page style:name="M" style:page-layout-name="L"/>'
    )
    frame = '<draw:frame svg:x="2cm" svg:y="{}cm" svg:width="10cm" svg:height="5cm">{}</draw:frame>'
    title = frame.format(2, "<draw:text-box><text:p>The {}</text:p></draw:text-box>")
    image = frame.format(9, '<draw:image xlink:href="Pictures/here.png"/>')
    slides = "".join(
        f'<draw:page draw:master-page-name="M">{title.format(word)}{image}'
        "<presentation:notes><draw:frame><draw:text-box><text:p>not said</text:p></draw:text-box></draw:frame>"
        "</presentation:notes></draw:page>"
        for word in ("beginning", "end")
    )
    api.file("minutes.odt", open_document("text", text, bold))
    api.file("costs.ods", open_document("spreadsheet", cells))
    api.file("talk.odp", open_document("presentation", slides, page=layout))
    show(page)
    viewer = opened(page, "minutes.odt")
    expect(viewer.get_by_role("heading", name="Minutes", level=2)).to_be_visible()
    expect(viewer.get_by_text("The first1 <b>point")).to_be_visible()
    expect(viewer.locator("strong")).to_have_text("first")
    expect(viewer.get_by_role("listitem").filter(has_text="below")).to_be_visible()
    expect(viewer.locator("[role=region] img")).to_have_js_property("naturalWidth", 60)
    assert viewer.get_by_text("a remark").count() == viewer.locator("a[href^=javascript]").count() == 0
    assert_nothing({"text": findings(page)})
    page.keyboard.press("Escape")
    viewer = opened(page, "costs.ods")
    expect(viewer.get_by_role("cell", name="2,50 €")).to_be_visible()
    assert viewer.get_by_role("row").count() == 2
    page.keyboard.press("Escape")
    viewer = opened(page, "talk.odp")
    expect(viewer.get_by_role("listitem", name="Slide 1 of 2").get_by_text("The beginning")).to_be_visible()
    last = viewer.get_by_role("listitem", name="Slide 2 of 2")
    last.scroll_into_view_if_needed()
    expect(last.locator("img")).to_have_js_property("naturalWidth", 60)
    assert viewer.get_by_text("not said").count() == 0
    assert_nothing({"slides": findings(page)})
    assert asked == []


def test_a_sheet_of_a_million_rows_is_shown_in_part(page: Page, api: Api) -> None:
    far = f'<row r="1">{cell("A1", "near")}{cell("XFD1", "1")}</row><row r="1048576">{cell("A1048576", "2")}</row>'
    api.file("far.xlsx", workbook(far))
    show(page)
    viewer = opened(page, "far.xlsx")
    expect(viewer.get_by_role("note")).to_contain_text("Only the first 1,000 rows and 60 columns are shown.")
    expect(viewer.get_by_role("cell", name="near")).to_be_visible()
    assert viewer.get_by_role("row").count() == 2


def test_what_cannot_be_read_says_so(page: Page, api: Api) -> None:
    large, lying, other = bomb(), lying_bomb(), b"no ZIP file"
    harmful = {
        **{"large.docx": large, "large.xlsx": large, "large.pptx": large},
        **{"lying.docx": lying, "lying.xlsx": lying, "lying.pptx": lying, "other.docx": other, "old.doc": other},
        **{"other.odt": other, "old.xls": other, "old.ppt": other},
    }
    for name, content in harmful.items():
        api.file(name, content)
    show(page)
    for name in harmful:
        viewer = opened(page, name)
        sentence = "This kind of office document" if name.startswith("old.") else "This document cannot be shown here"
        expect(viewer.get_by_text(sentence)).to_be_visible()
        expect(viewer.get_by_role("link", name="Download")).to_be_visible()
        page.keyboard.press("Escape")
        expect(viewer).to_have_count(0)
