"""All dialogs, panes and menus of the web client, and how to open them."""

from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.server.api import PASSWORD
from tests.web.axe import findings

DIALOG, PANE, MENU = "dialog[open]", "aside", "[role=menu]"
Opening = tuple[str, Callable[[Page], object]]


def button(name: str) -> Callable[[Page], object]:
    return lambda page: page.get_by_role("button", name=name).first.click()


def entry(button_name: str, name: str) -> Callable[[Page], object]:
    """Choose from the menu that a button opens."""

    def choose(page: Page) -> None:
        button(button_name)(page)
        page.get_by_role("menuitem", name=name).click()

    return choose


def action(name: str, of: str = "notes.txt") -> Callable[[Page], object]:
    """Choose from the menu of a row."""

    def choose(page: Page) -> None:
        page.get_by_role("option", name=of).locator(".more").click()
        page.get_by_role("menuitem", name=name).click()

    return choose


def keyboard_help(page: Page) -> None:
    page.get_by_role("option", name="notes.txt").focus()
    page.keyboard.press("?")


def person(name: str) -> Callable[[Page], object]:
    """Choose from the menu of a member, in the open members pane."""
    return entry("Actions for Ada", name)


def people_and_the_menu(page: Page) -> None:
    button("2 people")(page)
    button("Actions for Ada")(page)


def second_factor(page: Page) -> None:
    """Open the second step of turning it on."""
    button("Turn on")(page)
    page.get_by_role("dialog").get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="QR code for the authenticator app")).to_be_visible()


OF_FILES: dict[str, Opening] = {
    "rename": (DIALOG, action("Rename")),
    "move": (DIALOG, action("Move…")),
    "link": (DIALOG, action("Share link")),
    "add to a board": (DIALOG, action("Add to album…")),
    "details": (PANE, action("Details")),
    "menu": (MENU, lambda page: page.get_by_role("option", name="notes.txt").locator(".more").click()),
    "help": (DIALOG, keyboard_help),
    "text": (DIALOG, action("Open")),
    "markdown": (DIALOG, action("Open", of="readme.md")),
    "picture": (DIALOG, action("Open", of="photo.png")),
    "no preview": (DIALOG, action("Open", of="unknown.bin")),
}
IN_THE_BAR: dict[str, Opening] = {
    "sort": (MENU, button("Sort by")),
    "upload": (MENU, button("Upload")),
    "new folder": (DIALOG, button("New folder")),
}
ON_A_PHONE: dict[str, Opening] = {
    "view and order": (MENU, button("View and order")),
    "new": (MENU, button("New")),
    "new folder": (DIALOG, entry("New", "New folder")),
}
OF_A_BOARD: dict[str, Opening] = {
    "person menu": (MENU, people_and_the_menu),
    "pass on": (DIALOG, person("Make owner")),
    "remove person": (DIALOG, person("Remove from album")),
    "people": (PANE, lambda page: None),
    "comments": (PANE, button("1 comment")),
    "board menu": (MENU, button("More actions for this album")),
    "edit board": (DIALOG, entry("More actions for this album", "Edit name and description")),
    "leave board": (DIALOG, entry("More actions for this album", "Leave album")),
    "delete board": (DIALOG, entry("More actions for this album", "Delete album")),
}
OTHERS: dict[str, dict[str, Opening]] = {
    "boards": {"new board": (DIALOG, button("New album"))},
    "contacts": {
        "new contact": (DIALOG, button("Add contact")),
        "change contact": (DIALOG, button("Edit Grace Hopper")),
        "remove contact": (DIALOG, button("Remove Grace Hopper")),
    },
    "shared": {
        "change link": (DIALOG, button("Edit link")),
        "take link back": (DIALOG, button("Revoke link")),
    },
    "trash": {
        "empty trash": (DIALOG, button("Empty trash")),
        "delete for good": (DIALOG, action("Delete permanently", of="old.txt")),
    },
    "settings": {
        "second factor": (DIALOG, button("Turn on")),
        "picture of the second factor": (DIALOG, second_factor),
        "delete account": (DIALOG, button("Delete account")),
        "rename device": (DIALOG, button("Rename ")),
        "new app password": (DIALOG, button("New app password")),
    },
}


def look_into(page: Page, path: str, openings: dict[str, Opening]) -> dict[str, list[str]]:
    """Check the page, and everything that opens on it in turn."""
    # The browser may still be going back from what was open before, which ends a navigation.
    page.wait_for_function("() => !history.state?.layers")
    page.goto(path)
    expect(page.locator("main h1, main h2").first).to_be_visible()
    wrong = {path: findings(page)}
    for name, (place, open_it) in openings.items():
        open_it(page)
        expect(page.locator(place).last).to_be_visible()
        expect(page.locator(f"{place} [aria-busy=true]")).to_have_count(0)
        wrong[name] = findings(page, place)
        if place == PANE:
            page.locator(PANE).get_by_role("button", name="Close").click()
        else:
            page.keyboard.press("Escape")
        # On a phone an open pane is a dialog, too.
        expect(page.locator(place).filter(has_not=page.locator(PANE))).to_have_count(0)
    return wrong
