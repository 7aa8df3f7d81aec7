"""Any version of a file is looked at, compared with another and restored."""

from playwright.sync_api import Browser, Locator, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.server.uploading import content_of, upload
from tests.service.pictures import encoded, picture
from tests.web.axe import assert_nothing, findings
from tests.web.test_files import show
from tests.web.test_preview import opened, pdf
from tests.web.visiting import PHONE, Visit, visit


def shown_version(page: Page, name: str, version: int) -> Locator:
    page.get_by_role("option", name=name).click()
    page.keyboard.press("i")
    page.get_by_role("button", name=f"Show V{version}").click()
    return page.get_by_role("dialog", name=f"Versions of {name}")


def test_two_texts_are_compared_and_one_is_restored(page: Page, api: Api) -> None:
    key = api.file("plan.txt", b"first line\noldest words\n").object_key
    upload(api, "plan.txt", b"first line\nmiddle words\n")
    upload(api, "plan.txt", b"first line\nnewest words\n")
    show(page)
    dialog = shown_version(page, "plan.txt", 1)
    expect(dialog.get_by_text("oldest words")).to_be_visible()
    expect(dialog.get_by_text("newest words")).to_be_visible()
    assert_nothing({"versions": findings(page)})
    dialog.get_by_label("Compare with").select_option(value="2")
    expect(dialog.get_by_text("middle words")).to_be_visible()
    expect(dialog.get_by_text("newest words")).to_have_count(0)
    # Alone, as the viewer shows the current text.
    dialog.get_by_label("Compare with").select_option(label="Nothing")
    expect(dialog.get_by_role("region", name="plan.txt").locator("pre")).to_have_text("first line\noldest words")
    dialog.get_by_label("Version", exact=True).select_option(value="2")
    dialog.get_by_role("button", name="Restore version 2").click()
    expect(dialog).to_have_count(0)
    assert content_of(api, key) == b"first line\nmiddle words\n"


def test_two_pictures_are_compared_side_by_side_and_with_a_slider(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    api.file("photo.jpg", encoded("JPEG", picture(400, 300)))
    upload(api, "photo.jpg", encoded("JPEG", picture(200, 100)))
    with visit(browser, server, api, Visit(scheme="dark")) as page:
        dialog = shown_version(page, "photo.jpg", 1)
        expect(dialog.locator("img")).to_have_js_property("naturalWidth", 400)
        dialog.get_by_label("Compare with").select_option(value="2")
        before, after = dialog.get_by_alt_text("Version 1"), dialog.get_by_alt_text("Version 2")
        expect(before).to_have_js_property("naturalWidth", 400)
        expect(after).to_have_js_property("naturalWidth", 200)
        left, right = before.bounding_box(), after.bounding_box()
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"]
        dialog.get_by_role("button", name="Slider").click()
        boundary = dialog.get_by_role("slider")
        boundary.focus()
        page.keyboard.press("Home")
        figure = dialog.locator("figure").filter(has=page.get_by_alt_text("Version 1"))
        expect(figure).to_have_css("clip-path", "inset(0px 100% 0px 0px)")
        assert_nothing({"pictures": findings(page)})


def test_versions_stay_while_a_newer_one_comes(page: Page, api: Api) -> None:
    api.file("plan.txt", b"first words")
    upload(api, "plan.txt", b"newest words")
    show(page)
    page.get_by_role("option", name="plan.txt").click()
    page.keyboard.press("i")
    button = page.get_by_role("button", name="Show V1")
    button.evaluate("button => button.setAttribute('data-first', '')")
    upload(api, "plan.txt", b"of another device")
    expect(page.get_by_role("button", name="Show V3")).to_be_visible()
    expect(button).to_have_attribute("data-first", "")


def test_versions_are_shown_above_the_viewer_on_a_phone(browser: Browser, server: RunningServer, api: Api) -> None:
    api.file("guide.pdf", pdf("The first edition"))
    upload(api, "guide.pdf", pdf("The second edition"))
    api.file("later.txt", b"the next file")
    with visit(browser, server, api, Visit(size=PHONE)) as page:
        page.get_by_role("option", name="guide.pdf").tap()
        viewer = page.get_by_role("dialog", name="Preview")
        viewer.get_by_role("button", name="Details").tap()
        viewer.get_by_role("button", name="Show V1").tap()
        dialog = page.get_by_role("dialog", name="Versions of guide.pdf")
        expect(dialog.get_by_text("The first edition")).to_be_attached()
        assert_nothing({"phone": findings(page)})
        # Keys belong to what is open above; the viewer does not go on to the next file.
        dialog.get_by_label("Version", exact=True).focus()
        page.keyboard.press("ArrowRight")
        page.go_back()
        expect(dialog).to_have_count(0)
        expect(viewer.get_by_role("heading", name="guide.pdf").first).to_be_visible()


def test_content_that_cannot_be_shown_can_be_downloaded(page: Page, api: Api) -> None:
    api.file("data.bin", b"one")
    upload(api, "data.bin", b"three")
    show(page)
    dialog = shown_version(page, "data.bin", 1)
    expect(dialog.get_by_label("Compare with")).to_have_count(0)
    link = dialog.get_by_role("link", name="Download", exact=True)
    with page.expect_download() as downloaded:
        link.click()
    assert downloaded.value.path().read_bytes() == b"one"
    page.keyboard.press("Escape")
    expect(opened(page, "data.bin").get_by_role("link", name="Download")).to_be_visible()
