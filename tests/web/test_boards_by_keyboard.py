"""Boards with the keyboard alone: create, add files, comment and leave."""

from playwright.sync_api import Locator, Page, expect
from tests.server.api import Api

MOST_STOPS = 80


def walk_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the element has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"No key leads to {wanted}")


def use(page: Page, wanted: Locator) -> None:
    walk_to(page, wanted)
    page.keyboard.press("Enter")


def pick(page: Page, entry: str) -> None:
    """Choose from the open menu with the arrow keys."""
    wanted = page.get_by_role("menuitem", name=entry)
    expect(page.get_by_role("menuitem").first).to_be_focused()
    for _ in range(page.get_by_role("menuitem").count()):
        if wanted.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press("ArrowDown")
    expect(wanted).to_be_focused()
    page.keyboard.press("Enter")


def test_a_board_is_made_filled_talked_about_and_left_by_keys_alone(page: Page, api: Api) -> None:
    api.file("plan.txt", b"to the sea")
    page.goto("/drive/boards")
    expect(page.get_by_text("No albums yet")).to_be_visible()
    use(page, page.get_by_role("button", name="New album").first)
    expect(page.get_by_label("Album name")).to_be_focused()
    page.keyboard.type("Sea")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sea")).to_be_visible()

    use(page, page.get_by_label("Main navigation").get_by_role("link", name="Files"))
    expect(page.get_by_role("option", name="plan.txt")).to_be_visible()
    walk_to(page, page.get_by_role("listbox"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+F10")
    pick(page, "Add to album…")
    use(page, page.get_by_role("dialog").get_by_role("button", name="Sea"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    use(page, page.get_by_role("button", name="View", exact=True))
    expect(page.get_by_role("option", name="plan.txt")).to_be_visible()

    use(page, page.get_by_role("button", name="0 comments"))
    expect(page.get_by_label("Add a comment")).to_be_focused()
    page.keyboard.type("By train!")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("complementary").get_by_role("listitem")).to_contain_text("By train!")

    use(page, page.get_by_role("button", name="More actions for this album"))
    pick(page, "Leave album")
    use(page, page.get_by_role("dialog").get_by_role("button", name="Leave album"))
    expect(page.get_by_text("No albums yet")).to_be_visible()
    boards = api.get("/boards/sync/initial", params={"page": 0, "limit": 10, "albumType": "p"}).json()["boards"]
    assert boards == []
