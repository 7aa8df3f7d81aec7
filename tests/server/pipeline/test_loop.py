"""Calls that are answered on the event loop: as threads answer them, and never what has to wait."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from tests.server.api import Api, HeldClock, error_of
from tests.server.handlers.test_thumbnails import picture
from tests.server.pipeline.places import in_threads, noted_on_loop, shown

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.pipeline.admission.kinds import RESPONSES
from skyshelf.service.accounts import own_account
from skyshelf.service.accounts.sessions import TOUCHED_EVERY
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Quota
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.open import open_metadata

PROFILE = "/security/users"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that were answered on the event loop."""
    return noted_on_loop(monkeypatch)


def download(file: StoredObject) -> str:
    return f"/download/files/{file.object_key}"


def asked_of_both(app: SkyshelfApp, call: Callable[[], httpx2.Response]) -> tuple[Any, Any]:
    """The answers of threads and of the event loop."""
    with in_threads(app):
        slow = shown(call())
    return slow, shown(call())


@pytest.mark.parametrize("size", [0, 1000, 100_000])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"range": "bytes=10-19"},
        {"range": "bytes=5-"},
        {"if-none-match": "*"},
        {"if-range": '"other"', "range": "bytes=1-2"},
    ],
)
def test_downloads_are_what_threads_answer(
    app: SkyshelfApp, api: Api, at_once: list[str], size: int, headers: dict[str, str]
) -> None:
    file = api.file("ä.bin", bytes(index % 251 for index in range(size)))
    slow, fast = asked_of_both(app, lambda: api.get(download(file), headers=headers))
    assert fast == slow
    if "range" not in headers:
        assert len(at_once) == 1


def test_a_part_is_answered_at_once_when_the_whole_was_verified(api: Api, at_once: list[str]) -> None:
    file = api.file("a.bin", bytes(100_000))
    assert api.get(download(file)).status_code == 200
    at_once.clear()
    part = api.get(download(file), headers={"range": "bytes=7-9"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"\0\0\0", "bytes 7-9/100000")
    assert len(at_once) == 1


def test_a_profile_and_a_location_are_what_threads_answer(app: SkyshelfApp, api: Api, at_once: list[str]) -> None:
    folder = api.folder("a")
    for path in (PROFILE, f"/x/v1/objects/{folder.object_key}"):
        slow, fast = asked_of_both(app, lambda path=path: api.get(path))  # type: ignore[misc]
        assert fast == slow
    assert at_once == [PROFILE, f"/x/v1/objects/{folder.object_key}"]


def test_a_thumbnail_is_answered_at_once_when_it_is_kept(app: SkyshelfApp, api: Api, at_once: list[str]) -> None:
    file = api.file("a.jpg", picture(64, 48))
    path = f"/download/avimages/{file.object_key}?size=256"
    first = api.get(path)
    assert first.status_code == 200, first.text
    assert at_once == []
    slow, fast = asked_of_both(app, lambda: api.get(path))
    assert fast == slow
    assert slow == shown(first)
    assert len(at_once) == 1
    again = api.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_large_files_are_left_to_threads(api: Api, at_once: list[str]) -> None:
    data = b"x" * 300_000
    assert api.get(download(api.file("a.bin", data))).content == data
    assert at_once == []


def test_damage_is_left_to_threads(api: Api, ctx: ServiceContext, at_once: list[str]) -> None:
    good, evil = b"good bytes" * 10_000, b"evil bytes" * 10_000
    file = api.file("a.bin", good)
    assert api.get(download(file)).content == good
    with ctx.metadata.read() as unit:
        location = unit.files.version(api.account.account_id, file.object_key).location
    path = ctx.blobs.local_path(location)
    assert path is not None
    path.chmod(0o600)
    path.write_bytes(evil)
    assert error_of(api.get(download(file))) == (500, "SKY5004")
    assert at_once == [download(file)]


def test_a_session_that_was_ended_anywhere_ends_at_once(
    api: Api, ctx: ServiceContext, settings: Any, at_once: list[str]
) -> None:
    assert [api.get(PROFILE).status_code for _ in range(3)] == [200] * 3
    assert len(at_once) == 3
    # As another process does it.
    elsewhere = open_metadata(settings.metadata)
    elsewhere.write(lambda unit: unit.sessions.revoke_all(api.account.account_id))
    elsewhere.close()
    assert error_of(api.get(PROFILE))[0] == 401
    assert len(at_once) == 3


def test_a_disabled_account_is_refused_at_once(api: Api, ctx: ServiceContext) -> None:
    assert api.get(PROFILE).status_code == 200
    ctx.metadata.write(lambda unit: unit.accounts.set_status(api.account.account_id, "D", ctx.clock.now()))
    assert error_of(api.get(PROFILE))[0] == 401


def test_a_session_expires_by_the_clock_alone(api: Api, clock: HeldClock) -> None:
    assert api.get(PROFILE).status_code == 200
    clock.advance(days=366)
    assert error_of(api.get(PROFILE))[0] == 401


def test_the_use_of_a_session_is_recorded_by_a_thread(
    api: Api, ctx: ServiceContext, clock: HeldClock, at_once: list[str]
) -> None:
    assert api.get(PROFILE).status_code == 200
    clock.advance(TOUCHED_EVERY)
    assert api.get(PROFILE).status_code == 200
    assert len(at_once) == 1
    with ctx.metadata.read() as unit:
        [session] = unit.sessions.of_account(api.account.account_id, clock.now())
    assert session.last_used_at == clock.now()
    assert api.get(PROFILE).status_code == 200
    assert len(at_once) == 2


def test_what_was_written_is_seen_by_the_next_call(api: Api, at_once: list[str]) -> None:
    file = api.file("a.bin", b"first")
    assert api.get(download(file)).content == b"first"
    api.trash(file.object_key)
    assert error_of(api.get(download(file)))[0] == 404
    assert at_once == [download(file)]


def test_who_leaves_large_responses_unread_gets_no_answer_at_once_either(
    app: SkyshelfApp, api: Api, at_once: list[str]
) -> None:
    unread = app.pipeline.admission.take(RESPONSES, key=api.account.account_id, weight=RESPONSES.share)
    assert api.get(PROFILE).status_code == 429
    unread.release()
    assert api.get(PROFILE).status_code == 200
    assert at_once == [PROFILE]


@pytest.mark.parametrize("header", ["X-Api-Key", "X-User-Id", "X-Device-Key", "Authorization"])
def test_other_headers_are_another_head(api: Api, header: str) -> None:
    assert api.get(PROFILE).status_code == 200
    assert api.get(PROFILE, headers={header: "something else"}).status_code in {401, 403}
    assert api.get(PROFILE, without=(header,)).status_code in {400, 401, 403}
    assert api.get(PROFILE).status_code == 200


def test_a_session_cookie_opens_no_download_but_what_it_opened_before(api: Api) -> None:
    """Downloads without a token need a nonce, also when the same headers have just proved a session."""
    file = api.file("a.bin", b"bytes")
    login = api.login
    cookie = f"skyshelf_session={login['userId']}:{login['deviceKey']}:{login['authToken']}"
    headers = {"cookie": cookie}
    without = ("Authorization",)
    assert api.get(PROFILE, headers=headers, without=without).status_code == 200
    assert error_of(api.get(download(file), headers=headers, without=without))[0] == 401


def test_somebody_elses_object_looks_like_no_object(api: Api, other_api: Api) -> None:
    file = api.file("a.bin", b"bytes")
    assert api.get(download(file)).status_code == 200
    assert error_of(other_api.get(download(file))) == error_of(other_api.get("/download/files/" + "0" * 32))


def test_remembered_heads_are_bounded(app: SkyshelfApp, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.server.pipeline.request.HEADS_REMEMBERED", 3)
    for number in range(10):
        assert api.get(PROFILE, headers={"x-number": str(number)}).status_code == 200
    assert api.get(PROFILE, headers={"x-long": "x" * 4000}).status_code == 200
    assert len(app.pipeline.heads) == 3


def test_answers_are_remembered_until_anything_is_committed_and_bounded(
    app: SkyshelfApp, api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skyshelf.server.pipeline.answers.ANSWERS_REMEMBERED", 3)
    looked_up: list[object] = []
    real = own_account.wire_quota

    def noted(quota: Quota) -> object:
        looked_up.append(quota)
        return real(quota)

    monkeypatch.setattr(own_account, "wire_quota", noted)
    assert [api.get(PROFILE).json()["quota"]["usedSpace"] for _ in range(3)] == [0, 0, 0]
    assert len(looked_up) == 1
    api.file("a.bin", b"12345")
    assert api.get(PROFILE).json()["quota"]["usedSpace"] == 5
    assert len(looked_up) == 2
    # A promotion may have ended.
    clock.advance(seconds=1)
    assert api.get(PROFILE).status_code == 200
    assert len(looked_up) == 3
    for number in range(10):
        assert api.get(f"{PROFILE}?x={number}").status_code == 200
    assert api.get(f"{PROFILE}?x={'y' * 600}").status_code == 200
    assert len(app.pipeline.answers) == 3


def test_a_format_that_is_accepted_is_part_of_the_question(api: Api) -> None:
    file = api.file("a.jpg", picture(64, 48))
    for accept in ("image/jpeg", "image/webp", "image/jpeg", "image/webp"):
        answer = api.get(f"/download/avimages/{file.object_key}", headers={"Accept": accept})
        assert answer.headers["content-type"] == accept
