"""What people without an account send through a link: where it goes, what it can never do, and where it ends."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.on_boards import add, call, create, names, person, take_off
from tests.server.sharing import Link

from skyshelf.service.context import ServiceContext

JPEG = b"\xff\xd8\xff\xe0 not quite a picture"
PASSWORD = "open sesame"


@pytest.fixture
def ada(client: TestClient, ctx: ServiceContext) -> Api:
    return person(client, ctx, "Ada")


def album(api: Api, **fields: Any) -> tuple[str, Link]:
    board = create(api, "Wedding")
    body = {"shareName": "Guests", "rights": "add", **fields}
    made = answer_of(call(api, "POST", board, "/shares", body), "add_board_share")
    return board, Link(api, made["shareURL"])


def inbox(api: Api, **fields: Any) -> tuple[str, Link]:
    folder = api.folder("Inbox").object_key
    body = {"objectKeys": [folder], "shareName": "Your files, please", "rights": "send", **fields}
    return folder, Link(api, answer_of(api.post("/x/v1/shares", json=body), "add_share")["shareURL"])


def send(link: Link, *files: tuple[str, bytes], guest: str = "Grace", **more: Any) -> httpx2.Response:
    parts: list[Any] = [("guest", (None, guest)), *(("file", file) for file in files)]
    return link.get("/l/send", method="POST", files=parts, follow_redirects=False, **more)


def in_folder(api: Api, key: str) -> dict[str, bytes]:
    with api.ctx.metadata.read() as unit:
        children = unit.tree.children(api.account.account_id, key)
    return {one.name: api.get(f"/download/files/{one.object_key}").content for one in children}


def test_a_guest_adds_photos_and_everybody_sees_who_it_was(ada: Api) -> None:
    board, link = album(ada)
    answer = send(link, ("a.jpg", JPEG), ("b.mp4", b"film"), guest="  Grace\tHopper ")
    assert answer.status_code == 303
    page = link.get(answer.headers["location"].partition("?")[0], params={"sent": "2"})
    assert "Thank you. 2 files have arrived." in page.text
    assert "Grace Hopper" in page.text
    assert names(ada, board) == ["a.jpg", "b.mp4"]
    assert ada.get("/x/v1/shares").json()["shares"][0]["uploads"] == 2
    added = answer_of(call(ada, "GET", board, "/guest-files"), "board_guest_files")["guestFiles"]
    assert [one["guestName"] for one in added] == ["Grace Hopper"] * 2
    take_off(ada, board, added[0]["objectKey"])
    assert len(answer_of(call(ada, "GET", board, "/guest-files"), "board_guest_files")["guestFiles"]) == 1


def test_a_file_with_a_name_that_is_taken_is_kept_beside_it(ada: Api) -> None:
    folder, link = inbox(ada)
    ada.file("cv.pdf", b"mine", folder)
    assert send(link, ("cv.pdf", b"first"), ("cv.pdf", b"second")).status_code == 303
    assert in_folder(ada, folder) == {"cv.pdf": b"mine", "cv (1).pdf": b"first", "cv (2).pdf": b"second"}


def test_a_request_for_files_shows_nothing_of_the_folder(ada: Api) -> None:
    folder, link = inbox(ada)
    secret = ada.file("secret.txt", b"mine", folder).object_key
    page = link.page()
    assert page.status_code == 200
    assert "Your files, please" in page.text
    assert all(text not in page.text for text in ("secret", folder, "Inbox"))
    answers = [
        link.page(folder),
        link.page(secret),
        link.file(secret),
        link.thumbnail(secret),
        link.zip(),
        link.zip(folder),
    ]
    assert {answer.status_code for answer in answers} == {404}
    send(link, ("mine.txt", b"sent"))
    assert "mine.txt" not in link.page().text


def test_a_link_to_look_takes_no_files(ada: Api) -> None:
    board, link = album(ada, rights="view")
    assert 'type="file"' not in link.page().text
    assert send(link, ("a.jpg", JPEG)).status_code == 404
    assert names(ada, board) == []


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("..", "__"),
        ("a\x07b.txt", "a_b.txt"),
        ("CON.txt", "_CON.txt"),
        ("x" * 3000 + ".txt", None),
        ("page.html", "page.html"),
    ],
)
def test_names_are_only_names(ada: Api, name: str, kept: str | None) -> None:
    folder, link = inbox(ada)
    body = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n<script>1</script>\r\n--b--\r\n'
        % name.replace("\\", "\\\\").encode()
    )
    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = link.get("/l/send", method="POST", content=body, headers=headers, follow_redirects=False)
    with ada.ctx.metadata.read() as unit:
        found = [one.name for one in unit.tree.children(ada.account.account_id, folder)]
        outside = [one.name for one in unit.tree.children(ada.account.account_id, ada.root_key)]
    assert outside == ["Inbox"]
    if answer.status_code == 303:
        assert found == [kept] if kept else (len(found) == 1 and len(found[0].encode()) <= 255)
    else:
        assert answer.status_code in {400, 413}
        assert found == []


def test_an_album_takes_pictures_and_films_alone_and_serves_them_as_data(ada: Api) -> None:
    board, link = album(ada)
    assert send(link, ("page.html", b"<script>1</script>")).status_code == 415
    assert names(ada, board) == []
    send(link, ("page.jpg", b"<html><script>1</script></html>"))
    with ada.ctx.metadata.read() as unit:
        (item,) = unit.board_items.gallery(board, limit=5)
    for answer in (link.file(item.object_key), link.file(item.object_key, params={"view": "1"})):
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]


def test_limits_of_a_link_bound_size_and_number(ada: Api) -> None:
    folder, link = inbox(ada, maxUploads=2, maxUploadBytes=10)
    assert send(link, ("large.bin", bytes(11))).status_code == 413
    assert send(link, ("a.bin", bytes(10))).status_code == 303
    assert send(link, ("b.bin", b""), ("c.bin", b"")).status_code == 403
    assert sorted(in_folder(ada, folder)) == ["a.bin", "b.bin"]
    assert "takes no more files" in send(link, ("d.bin", b"")).text


def test_of_many_files_of_one_name_at_once_only_as_many_arrive_as_the_link_takes(ada: Api) -> None:
    folder, link = inbox(ada, maxUploads=3)
    with ThreadPoolExecutor(8) as threads:
        statuses = list(threads.map(lambda n: send(link, ("a.txt", bytes([n]))).status_code, range(12)))
    assert sorted(statuses) == [303] * 3 + [403] * 9
    kept = in_folder(ada, folder)
    assert len(kept) == len(set(kept.values())) == 3
    assert ada.get("/x/v1/shares").json()["shares"][0]["uploads"] == 3


def test_many_at_once_stay_within_the_owner_s_quota(client: TestClient, ctx: ServiceContext) -> None:
    owner = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=1000))
    folder, link = inbox(owner)
    with ThreadPoolExecutor(8) as threads:
        statuses = list(threads.map(lambda n: send(link, (f"{n}.bin", bytes(400))).status_code, range(8)))
    arrived = in_folder(owner, folder)
    assert len(arrived) == statuses.count(303) == 2
    assert set(statuses) == {303, 413}
    assert owner.get("/x/v1/shares").json()["shares"][0]["uploads"] == 2


def test_an_hour_takes_only_so_many_files(ada: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.wire.limits.GUEST_FILES_PER_HOUR_MAX", 2)
    _, link = inbox(ada)
    assert [send(link, (f"{n}.txt", b"")).status_code for n in range(3)] == [303, 303, 429]
    refused = send(link, ("4.txt", b""))
    assert 0 < int(refused.headers["retry-after"]) <= 3600
    clock.advance(seconds=3600)
    assert send(link, ("5.txt", b"")).status_code == 303


def test_what_guests_send_counts_against_the_owner_s_quota(client: TestClient, ctx: ServiceContext) -> None:
    owner = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=1000))
    folder, link = inbox(owner)
    assert send(link, ("a.bin", bytes(900))).status_code == 303
    full = send(link, ("b.bin", bytes(200)))
    assert (full.status_code, "no more space" in full.text) == (413, True)
    assert sorted(in_folder(owner, folder)) == ["a.bin"]
    assert owner.get("/x/v1/shares").json()["shares"][0]["uploads"] == 1


def test_a_password_and_an_end_hold_for_sending_too(ada: Api, clock: HeldClock) -> None:
    folder, link = inbox(ada, password=PASSWORD, expiryDate=clock.now() + 1000)
    assert "Your files, please" not in link.page().text
    assert send(link, ("a.txt", b"")).status_code == 401
    link.get("/l/unlock", method="POST", data={"password": PASSWORD})
    assert send(link, ("a.txt", b"")).status_code == 303
    clock.advance(ms=1000)
    assert send(link, ("b.txt", b"")).status_code == 404
    assert sorted(in_folder(ada, folder)) == ["a.txt"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data; boundary=b"),
        (b"--b\r\nnothing", "multipart/form-data; boundary=b"),
        (
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ncut',
            "multipart/form-data; boundary=b",
        ),
        (
            b'--b\r\nContent-Disposition: form-data; name="guest"\r\n\r\nG\r\n--b--\r\n',
            "multipart/form-data; boundary=b",
        ),
        (
            b'--b\r\nContent-Disposition: form-data; name="guest"\r\n\r\n' + b"G" * 5000 + b"\r\n--b--\r\n",
            "multipart/form-data; boundary=b",
        ),
        (b"a=b", "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
    ],
)
def test_broken_forms_leave_nothing_behind(ada: Api, body: bytes, kind: str) -> None:
    folder, link = inbox(ada)
    answer = link.get("/l/send", method="POST", content=body, headers={"content-type": kind}, follow_redirects=False)
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-type"].startswith("text/html")
    assert in_folder(ada, folder) == {}
    assert ada.get("/x/v1/shares").json()["shares"][0]["uploads"] == 0


def test_a_folder_that_is_gone_ends_the_request(ada: Api) -> None:
    folder, link = inbox(ada)
    ada.trash(folder)
    assert link.page().status_code == 404
    assert send(link, ("a.txt", b"")).status_code == 404


def test_the_page_speaks_the_visitor_s_language_and_names_the_sharer(ada: Api) -> None:
    board, link = album(ada)
    add(ada, board, ada.file("sea.jpg", JPEG).object_key)
    german = link.get(headers={"accept-language": "de-DE,de;q=0.9"})
    assert '<html lang="de">' in german.text
    assert all(text in german.text for text in ("Geteilt von Ada", "1 Foto oder Video", "Alles herunterladen"))
    assert "Shared by Ada" in link.page().text


def test_previews_for_messengers_name_an_open_link_and_no_locked_one(ada: Api) -> None:
    board, link = album(ada)
    picture = ada.file("sea.jpg", JPEG).object_key
    add(ada, board, picture)
    page = link.page().text
    assert '<meta property="og:title" content="Wedding">' in page
    assert f'<meta property="og:image" content="http://testserver/l/thumb/{picture}?' in page
    assert "Shared by Ada" in page
    _, locked = album(ada, password=PASSWORD)
    assert "og:" not in locked.page().text
    locked.get("/l/unlock", method="POST", data={"password": PASSWORD})
    opened = locked.page().text
    assert "Wedding" in opened
    assert "og:" not in opened


def test_files_lead_to_those_beside_them(ada: Api) -> None:
    folder = ada.folder("Trip").object_key
    keys = [ada.file(f"{name}.txt", name.encode(), folder).object_key for name in "abc"]
    body = {"objectKeys": [folder], "shareName": "Trip"}
    link = Link(ada, answer_of(ada.post("/x/v1/shares", json=body), "add_share")["shareURL"])
    first, middle, last = (link.page(key).text for key in keys)
    assert ('rel="prev"' in first, 'rel="next"' in first) == (False, True)
    assert keys[0] in middle
    assert keys[2] in middle
    assert ('rel="prev"' in last, 'rel="next"' in last) == (True, False)


def test_the_key_of_another_link_opens_nothing_more(ada: Api) -> None:
    folder, to_send = inbox(ada)
    seen = ada.file("seen.txt", b"seen").object_key
    shared = ada.post("/x/v1/shares", json={"objectKeys": [seen], "shareName": "To look at"})
    to_see = Link(ada, answer_of(shared, "add_share")["shareURL"])
    assert send(to_see, ("a.txt", b"")).status_code == 404
    # Neither shows or serves what the other one does.
    assert to_send.get(f"/l/files/{seen}").status_code == 404
    assert to_see.get(f"/l/files/{folder}").status_code == 404
    assert in_folder(ada, folder) == {}


def test_a_link_without_a_name_does_not_show_the_moment_it_was_made(ada: Api) -> None:
    keys = [ada.file(name).object_key for name in ("a.txt", "b.txt")]
    body = {"objectKeys": keys, "shareName": "06May2024_070809"}
    unnamed = Link(ada, answer_of(ada.post("/x/v1/shares", json=body), "add_share")["shareURL"])
    assert "06May2024_070809" not in unnamed.page().text
    assert "<h1>Shared with you" in unnamed.page().text.replace("<bdi>", "")
