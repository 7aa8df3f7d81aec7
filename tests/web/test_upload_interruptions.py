"""Interrupted uploads: lost connection, server errors and restarts, logout, reload."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.web.uploading import (
    CHUNK,
    Chunks,
    Gate,
    Tree,
    digest,
    drag,
    hashes,
    over,
    panel,
    small_chunks,
    stored,
    tree_of,
    until_stored,
    written,
)
from tests.web.visiting import PHONE, Visit, visit


def test_pausing_stops_and_going_on_sends_only_what_is_missing(page: Page, api: Api, film: Path) -> None:
    chunks = Chunks(page)
    chunks.let_through = 2
    drag(page, film)
    chunks.seen(page, 3)
    panel(page).get_by_role("button", name="Pause all").click()
    expect(panel(page).get_by_role("heading", name="Uploads paused")).to_be_visible()
    chunks.let_through = 10**9
    panel(page).get_by_role("button", name="Resume").click()
    expect(over(page, 1)).to_be_visible()
    assert chunks.offsets == [0, CHUNK, 2 * CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert tree_of(api) == {"film.bin": digest(film)}


def test_a_lost_connection_is_waited_for(page: Page, api: Api, film: Path, tmp_path: Path) -> None:
    chunks = Chunks(page)
    chunks.let_through = 1
    drag(page, film)
    chunks.seen(page, 2)
    page.context.set_offline(True)
    chunks.cut()
    before = len(chunks.offsets)
    small = written(tmp_path / "small", {"a.txt": b"a", "b.txt": b"b"})
    drag(page, small / "a.txt", small / "b.txt")
    expect(panel(page).get_by_text("Waiting for the connection").first).to_be_visible()
    page.context.set_offline(False)
    expect(over(page, 3)).to_be_visible()
    again = chunks.offsets[before:]
    # Small files, whose response may be lost, are sent again in chunks; the film's first chunk is not.
    assert [offset for offset in again if offset] == [CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert again.count(0) <= 2
    assert tree_of(api) == {"film.bin": digest(film)} | hashes({"a.txt": b"a", "b.txt": b"b"})
    assert all(one["version"] == 1 for one in stored(api).values())


def test_a_server_that_fails_for_a_while_is_asked_again(page: Page, api: Api, film: Path) -> None:
    failures = iter([503, 429, 500])

    def meet(route: Route) -> None:
        status = next(failures, None)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, headers={"retry-after": "1"}, json={"code": "SKY5001", "message": "later"})

    small_chunks(page)
    page.route(re.compile("/upload/files"), meet)
    drag(page, film)
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == {"film.bin": digest(film)}


def test_a_server_that_dies_on_the_way_and_comes_back(page: Page, api: Api, server: RunningServer, film: Path) -> None:
    chunks = Chunks(page)
    chunks.let_through = 2
    drag(page, film)
    chunks.seen(page, 3)
    server.kill()
    chunks.cut()
    page.context.set_offline(True)
    server.start()
    page.context.set_offline(False)
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == {"film.bin": digest(film)}


def test_a_session_that_ends_on_the_way_loses_nothing(page: Page, api: Api, film: Path, tmp_path: Path) -> None:
    written(tmp_path, {f"{number}.txt": b"text" for number in range(6)})
    chunks, gate = Chunks(page), Gate(page)
    chunks.let_through = 1
    drag(page, film, *sorted(tmp_path.glob("*.txt")))
    chunks.seen(page, 2)
    panel(page).get_by_role("button", name="Pause all").click()
    expect(panel(page).get_by_role("heading", name="Uploads paused")).to_be_visible()
    page.context.clear_cookies()
    chunks.let_through, gate.is_open = 10**9, True
    panel(page).get_by_role("button", name="Resume").click()
    again = page.get_by_role("dialog", name="Log in again")
    expect(again).to_be_visible()
    expect(panel(page)).to_be_hidden()
    again.get_by_label("Password").fill(PASSWORD)
    again.get_by_role("button", name="Log in").click()
    expect(over(page, 7)).to_be_visible()
    assert len(stored(api)) == 7


@pytest.mark.every_stack
def test_after_a_reload_uploads_resume_automatically_with_a_notice(
    page: Page, api: Api, film: Path, tmp_path: Path
) -> None:
    tree: Tree = {f"many/{number}.txt": f"text {number}".encode() for number in range(12)}
    written(tmp_path, tree)
    chunks, gate = Chunks(page), Gate(page)
    chunks.let_through = 2
    drag(page, film, tmp_path / "many")
    chunks.seen(page, 3)
    until_stored(page, 13)
    page.once("dialog", lambda dialog: dialog.accept())
    chunks.let_through, gate.is_open = 10**9, True
    page.reload()
    expect(page.get_by_text("13 unfinished uploads resumed")).to_be_visible()
    expect(over(page, 13)).to_be_visible()
    # Chunks that the server has are not sent again; the third one was cut off.
    assert chunks.offsets == [0, CHUNK, 2 * CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert tree_of(api) == {"film.bin": digest(film)} | hashes(tree)
    until_stored(page, 0)


def test_a_reload_is_warned_of_only_while_something_runs(page: Page, tmp_path: Path) -> None:
    asked: list[str] = []

    def meet(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", meet)
    written(tmp_path, {"a.txt": b"a"})
    gate = Gate(page)
    # Browsers show the warning only after an interaction with the page.
    page.get_by_role("heading", name="Files").click()
    drag(page, tmp_path / "a.txt")
    expect(panel(page)).to_be_visible()
    until_stored(page, 1)
    gate.is_open = True
    page.reload()
    assert asked == ["beforeunload"]
    expect(over(page, 1)).to_be_visible()
    page.get_by_role("heading", name="Files").click()
    page.reload()
    expect(page.locator("main#content")).to_be_visible()
    assert asked == ["beforeunload"]


def test_uploads_continue_on_a_phone_while_the_user_navigates(
    browser: Browser, server: RunningServer, api: Api, film: Path
) -> None:
    api.folder("Elsewhere")
    with visit(browser, server, api, Visit(size=PHONE)) as page:
        chunks = Chunks(page)
        chunks.let_through = 1
        drag(page, film)
        chunks.seen(page, 2)
        expect(panel(page).get_by_role("heading", name="Uploading 1 file")).to_be_visible()
        panel(page).get_by_role("button", name="Show uploads").click()
        expect(panel(page).get_by_role("listitem")).to_contain_text("film.bin")
        box = panel(page).bounding_box()
        assert box is not None
        assert (box["x"], box["width"]) == (0, 360)
        panel(page).get_by_role("button", name="Minimise uploads").click()
        page.get_by_role("option").filter(has_text="Elsewhere").tap()
        expect(page.get_by_role("heading", name="Elsewhere")).to_be_visible()
        panel(page).get_by_role("button", name="Show uploads").click()
        panel(page).get_by_role("button", name="Pause all").click()
        chunks.let_through = 10**9
        panel(page).get_by_role("button", name="Resume").click()
        expect(over(page, 1)).to_be_visible()
    assert "film.bin" in stored(api)


def test_what_a_closed_page_left_is_taken_over_by_the_one_that_is_open(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"a"})
    other = page.context.new_page()
    Gate(other)
    other.goto("/drive/files")
    expect(other.get_by_role("heading", name="This folder is empty")).to_be_visible()
    drag(other, tmp_path / "a.txt")
    expect(panel(other)).to_be_visible()
    until_stored(other, 1)
    page.reload()
    expect(page.locator("main#content")).to_be_visible()
    expect(panel(page)).to_be_hidden()
    other.close()
    expect(over(page, 1)).to_be_visible()
    assert list(stored(api)) == ["a.txt"]
