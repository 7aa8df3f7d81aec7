"""GET /l/: what a visitor sees, and what not."""

import re
from html import unescape

import httpx2
import pytest
from tests.server.api import Api, HeldClock
from tests.server.sharing import Link, share
from tests.service.pictures import encoded

from skyshelf.service.context import ServiceContext
from skyshelf.service.sharing.visitor import ENTRIES_PER_PAGE


def is_not_found(answer: httpx2.Response) -> bool:
    return answer.status_code == 404 and "Nothing here" in answer.text and answer.text.startswith("<!doctype html>")


def names_on(answer: httpx2.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [unescape(name) for name in re.findall(r'<span class="name"><bdi>(.*?)</bdi>', answer.text)]


def test_a_visitor_needs_no_session_and_no_headers(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key, api.folder("Photos").object_key)
    answer = link.client.send(httpx2.Request("GET", link.url))
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert names_on(answer) == ["Photos", "a.txt"]


def test_sizes_and_dates_are_shown(api: Api) -> None:
    link = share(api, api.file("a.bin", bytes(1_540_000)).object_key, api.folder("b").object_key)
    assert "1.5 MiB" in link.page().text
    assert "3 May 2026" in link.page().text


def test_a_share_of_one_folder_begins_inside_of_it(api: Api) -> None:
    folder = api.folder("Trip")
    api.file("a.txt", parent_key=folder.object_key)
    page = share(api, folder.object_key).page()
    assert "<h1><bdi>Trip</bdi></h1>" in page.text
    assert names_on(page) == ["a.txt"]


def test_a_share_of_one_file_begins_with_it(api: Api) -> None:
    page = share(api, api.file("a.txt", b"hello there").object_key).page()
    assert "<h1><bdi>a.txt</bdi></h1>" in page.text
    assert "hello there" in page.text


def test_folders_can_be_entered_however_deep(api: Api) -> None:
    top = api.folder("top")
    middle = api.folder("middle", top.object_key)
    below = api.folder("below", middle.object_key)
    api.file("deep.txt", parent_key=below.object_key)
    link = share(api, top.object_key)
    assert names_on(link.page(below.object_key)) == ["deep.txt"]
    assert "middle" in link.page(below.object_key).text


def test_a_shared_folder_is_shown_as_it_is_at_the_visit(api: Api) -> None:
    folder = api.folder("Trip")
    link = share(api, folder.object_key)
    assert "Nothing here right now" in link.page().text
    api.file("later.txt", parent_key=folder.object_key)
    assert names_on(link.page()) == ["later.txt"]


def test_folders_above_and_beside_are_not_opened(api: Api) -> None:
    top = api.folder("top")
    shared = api.folder("shared", top.object_key)
    beside = api.file("beside.txt", parent_key=top.object_key)
    link = share(api, shared.object_key)
    for key in (top.object_key, beside.object_key, api.root_key, "0" * 32, "nonsense"):
        assert is_not_found(link.page(key))
        assert is_not_found(link.file(key))
        assert is_not_found(link.thumbnail(key))
        assert is_not_found(link.zip(key))
    assert "top" not in names_on(link.page())


def test_the_way_up_ends_at_what_is_shared(api: Api) -> None:
    secret = api.folder("secret plans")
    shared = api.folder("shared", secret.object_key)
    inner = api.folder("inner", shared.object_key)
    page = share(api, shared.object_key).page(inner.object_key)
    assert "secret plans" not in page.text
    assert "shared" in page.text


def test_somebody_elses_object_is_not_opened(api: Api, other_api: Api) -> None:
    theirs = other_api.file("secret.txt")
    link = share(api, api.root_key)
    assert is_not_found(link.page(theirs.object_key))
    assert is_not_found(link.file(theirs.object_key))


def test_a_trashed_object_is_not_served(api: Api) -> None:
    file, other = api.file("a.txt"), api.file("b.txt")
    link = share(api, file.object_key, other.object_key)
    api.trash(file.object_key)
    assert names_on(link.page()) == ["b.txt"]
    assert is_not_found(link.page(file.object_key))
    assert is_not_found(link.file(file.object_key))


def test_what_is_below_a_trashed_folder_is_not_served(api: Api) -> None:
    outer = api.folder("outer")
    folder = api.folder("folder", outer.object_key)
    file = api.file("a.txt", parent_key=folder.object_key)
    link = share(api, folder.object_key)
    api.trash(outer.object_key)
    assert "Nothing here right now" in link.page().text
    assert is_not_found(link.page(file.object_key))
    assert is_not_found(link.file(file.object_key))
    assert is_not_found(link.zip())


def test_a_file_that_is_moved_out_of_the_shared_folder_is_no_longer_served(api: Api) -> None:
    from skyshelf.storage.metadata.contracts.tree import Move

    folder = api.folder("folder")
    file = api.file("a.txt", parent_key=folder.object_key)
    link = share(api, folder.object_key)
    assert link.file(file.object_key).status_code == 200
    move, now = Move(file.object_key, api.root_key), api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.tree.apply(api.account.account_id, [move], now))
    assert is_not_found(link.file(file.object_key))


@pytest.mark.parametrize("query", ["", "?u=", "?u=nonsense", "?u=%F0%9F%98%80", "?u=" + "a" * 5000, "?x=1"])
def test_an_unknown_token_is_a_page_that_says_so(api: Api, query: str) -> None:
    for path in ("/l/", "/l/zip", f"/l/file/{api.root_key}", f"/l/thumb/{api.root_key}"):
        assert is_not_found(api.client.get(path + query))


def test_a_revoked_link_opens_nothing(api: Api) -> None:
    file = api.file("a.txt")
    link = share(api, file.object_key)
    link.revoke()
    for answer in (link.page(), link.page(file.object_key), link.file(file.object_key), link.zip()):
        assert is_not_found(answer)


def test_an_expired_link_opens_nothing(api: Api, clock: HeldClock) -> None:
    link = share(api, api.file("a.txt").object_key)
    link.edit(expires_at=clock.now() + 60_000)
    assert link.page().status_code == 200
    clock.advance(minutes=1)
    assert is_not_found(link.page())


def test_links_of_a_disabled_account_open_nothing(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key)
    now = api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.accounts.set_status(api.account.account_id, "D", now))
    assert is_not_found(link.page())


def test_control_and_bidi_characters_in_names_are_made_visible(api: Api) -> None:
    link = share(api, api.file("photo\u202egpj.exe").object_key, api.file("a\u200bb\u2066.txt").object_key)
    assert names_on(link.page()) == ["photo‹U+202E›gpj.exe", "a‹U+200B›b‹U+2066›.txt"]
    assert "\u202e" not in link.page().text


def test_markup_in_names_and_texts_stays_text(api: Api) -> None:
    name = "<img src=x onerror=alert(1)>\"'&.txt"
    file = api.file(name, b"</pre><script>alert(1)</script>")
    link = share(api, file.object_key, api.folder("</title><script>").object_key)
    for page in (link.page(), link.page(file.object_key)):
        assert "<img src=x" not in page.text
        assert "<script" not in page.text
    assert name in names_on(link.page())


def test_nothing_on_a_page_is_inline_or_from_elsewhere(api: Api) -> None:
    link = share(api, api.file("a.jpg", encoded("JPEG")).object_key, api.file("b.txt").object_key)
    for page in (link.page(), link.page(link.share.object_keys[0]), link.page("0" * 32)):
        assert not re.search(
            r"<script(?! type=\"module\" src=\"/assets/)|<style|\sstyle=|\son\w+=|javascript:", page.text
        )
        urls = re.findall(r'(?:href|src|action)="([^"]*)"', page.text)
        assert all(url.startswith(("/l/", "#", "/assets/guest-")) for url in urls)


def test_pages_forbid_scripts_frames_referrers_indexing_and_storing(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key)
    for page in (link.page(), link.page("0" * 32)):
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert "unsafe" not in policy
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["x-frame-options"] == "DENY"
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["x-robots-tag"] == "noindex, nofollow"
        assert page.headers["cache-control"] == "no-store"


def test_a_gallery_runs_our_script_alone(api: Api) -> None:
    policy = (
        share(api, api.file("a.jpg", encoded("JPEG")).object_key, api.file("b.txt").object_key)
        .page()
        .headers["content-security-policy"]
    )
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_style_sheet_is_ours_and_can_be_kept(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key)
    found = re.search(r'<link rel="stylesheet" href="([^"]+)"', link.page().text)
    assert found is not None
    sheet = api.client.get(unescape(found[1]))
    assert sheet.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in sheet.headers["cache-control"]
    assert "prefers-color-scheme: dark" in sheet.text


def test_a_large_folder_comes_in_pages_that_miss_and_repeat_nothing(api: Api) -> None:
    folder = api.folder("many")
    names = [f"{number:04}.bin" for number in range(ENTRIES_PER_PAGE * 2 + 3)]
    for name in names:
        api.file(name, parent_key=folder.object_key)
    answer, found = share(api, folder.object_key).page(), list[str]()
    while True:
        found += names_on(answer)
        following = re.search(r'href="([^"]+)" rel="next"', answer.text)
        if following is None:
            break
        answer = api.client.get(unescape(following[1]))
    assert found == names


def test_many_shared_objects_come_in_pages_too(api: Api) -> None:
    names = [f"{number:04}.bin" for number in range(ENTRIES_PER_PAGE + 1)]
    link = share(api, *[api.file(name).object_key for name in names])
    first = names_on(link.page())
    assert first == names[:-1]
    assert names_on(link.page(after=link.share.object_keys[len(first) - 1])) == names[-1:]


def test_opening_the_link_counts_as_a_visit_and_looking_around_does_not(api: Api, clock: HeldClock) -> None:
    folder = api.folder("a")
    link = share(api, folder.object_key)
    link.page()
    clock.advance(seconds=5)
    link.page()
    link.page(folder.object_key)
    link.get(method="HEAD")
    assert (link.share.visits, link.share.last_visit_at) == (2, clock.now())


def test_head_is_answered_without_a_body(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key)
    whole, head = link.page(), link.get(method="HEAD")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.content))


def test_a_long_text_is_shown_from_its_beginning_and_says_so(api: Api) -> None:
    data = "".join(f"line {number} ä\n" for number in range(20_000)).encode()
    page = share(api, api.file("long.log", data).object_key).page()
    assert "line 0 ä" in page.text
    assert "line 19999" not in page.text
    assert "Only the beginning is shown" in page.text


@pytest.mark.parametrize(
    ("name", "element"),
    [
        ("a.mp4", "<video controls"),
        ("a.mp3", "<audio controls"),
        ("a.jpg", '<img src="/l/thumb/'),
        ("a.heic", '<img src="/l/thumb/'),
        ("a.pdf", "First page of"),
        ("a.md", "<pre"),
        ("a.svg", "No preview available"),
        ("a.exe", "No preview available"),
        ("a.html", "<pre"),
    ],
)
def test_each_kind_of_file_has_its_preview(api: Api, name: str, element: str) -> None:
    assert element in share(api, api.file(name).object_key).page().text


def test_a_store_that_cannot_be_reached_is_a_page_too(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyshelf.service.sharing import links
    from skyshelf.storage.errors import StoreUnavailable

    def fail(*_: object) -> None:
        raise StoreUnavailable("gone")

    link = share(api, api.file("a.txt").object_key)
    monkeypatch.setattr(links, "find_share", fail)
    answer = link.page()
    assert answer.status_code == 503
    assert "Temporarily unavailable" in answer.text
    assert answer.headers["retry-after"] == "5"


class TestPassword:
    @pytest.fixture
    def link(self, api: Api) -> Link:
        from skyshelf.service.accounts.passwords import hash_password

        link = share(api, api.file("secret name.txt").object_key)
        link.edit(password_hash=hash_password("open sesame"))
        return link

    def unlock(self, link: Link, password: str) -> httpx2.Response:
        return link.get("/l/unlock", method="POST", data={"password": password})

    def test_nothing_is_shown_before_the_password_is_given(self, link: Link) -> None:
        key = link.share.object_keys[0]
        for answer in (link.page(), link.page(key), link.file(key), link.zip(), link.thumbnail(key)):
            assert "This link has a password" in answer.text
            assert "secret name" not in answer.text

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_a_program_that_asks_for_contents_does_not_take_the_form_for_them(self, link: Link, method: str) -> None:
        key = link.share.object_keys[0]
        assert link.get(method=method).status_code == 200
        for path in (f"/l/file/{key}", f"/l/thumb/{key}", "/l/zip"):
            answer = link.get(path, method=method)
            assert (answer.status_code, answer.headers["content-type"]) == (401, "text/html; charset=utf-8"), path
            assert "content-disposition" not in answer.headers

    @pytest.mark.parametrize(
        ("form", "status"),
        [
            ("&".join(f"f{number}=" for number in range(9)), 400),
            ("password=open+sesame&password=another", 400),
            ("password=%ff%fe", 400),
            (b"password=\xff\xfe", 400),
            (f"password={'x' * 10_000}", 413),
            (f"{'x' * 10_000}=1", 413),
            ("", 401),
            ("=&;&=;%", 400),
        ],
    )
    def test_whatever_is_no_form_is_a_page_that_says_so(self, link: Link, form: str | bytes, status: int) -> None:
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = link.get("/l/unlock", method="POST", content=form, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert "set-cookie" not in answer.headers

    @pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=x", "text/plain", "x", ";"])
    def test_a_form_of_another_kind_is_refused(self, link: Link, kind: str) -> None:
        answer = link.get("/l/unlock", method="POST", content=b"password=open+sesame", headers={"content-type": kind})
        assert (answer.status_code, answer.headers["content-type"]) == (415, "text/html; charset=utf-8")

    def test_over_tls_its_cookie_is_one_that_a_plain_connection_cannot_set(self, link: Link) -> None:
        link.client.base_url = "https://testserver"
        cookie = self.unlock(link, "open sesame").headers["set-cookie"]
        assert cookie.startswith("__Secure-skyshelf_share_")
        assert "Secure" in [part.strip() for part in cookie.split(";")]
        assert "secret name" in link.page().text
        name, _, value = cookie.partition(";")[0].partition("=")
        link.client.cookies.clear()
        planted = {"cookie": f"{name.removeprefix('__Secure-')}={value}"}
        assert "secret name" not in link.get(headers=planted).text

    def test_the_right_password_opens_it_for_this_visitor(self, link: Link) -> None:
        answer = self.unlock(link, "open sesame")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/l/?u={link.token}")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "Path=/l" in cookie
        assert "secret name" in link.page().text
        assert link.file(link.share.object_keys[0]).content == b"some bytes"

    def test_a_wrong_password_does_not(self, link: Link) -> None:
        answer = self.unlock(link, "open barley")
        assert answer.status_code == 401
        assert "Wrong password" in answer.text
        assert "set-cookie" not in answer.headers
        assert "This link has a password" in link.page().text

    def test_a_new_password_asks_everybody_again(self, link: Link) -> None:
        from skyshelf.service.accounts.passwords import hash_password

        self.unlock(link, "open sesame")
        link.edit(password_hash=hash_password("something else"))
        assert "This link has a password" in link.page().text

    def test_guessing_is_throttled(self, link: Link) -> None:
        answers = [self.unlock(link, f"guess {number}") for number in range(12)]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert "Too many attempts" in answers[-1].text


HOSTILE = {
    "a NUL": "%00",
    "a NUL inside": "abc%00def",
    "no UTF-8": "%FF%FE",
    "half a pair of surrogates": "%ED%A0%80",
    "half an escape": "%",
    "a line break": "a%0D%0Ab",
    "very long": "x" * 10_000,
    "very long and wide": "%F0%9F%98%80" * 1_000,
}


@pytest.mark.parametrize("path", ["/l/", "/l/zip", "/l/file/a", "/l/thumb/a"])
def test_whatever_stands_for_a_token_is_answered_as_an_unknown_link_on_a_page(api: Api, path: str) -> None:
    answers = {name: api.client.get(f"{path}?u={written}") for name, written in HOSTILE.items()}
    assert [name for name, answer in answers.items() if not is_not_found(answer)] == []


def test_whatever_stands_for_a_place_in_a_share_is_answered_by_a_page(api: Api) -> None:
    folder = api.folder("b").object_key
    api.file("a.txt", parent_key=folder)
    link = share(api, folder)
    for name, written in HOSTILE.items():
        assert is_not_found(api.client.get(f"/l/?u={link.token}&p={written}")), name
        assert names_on(api.client.get(f"/l/?u={link.token}&after={written}")) == ["a.txt"], name
