"""Requests and admission: what is refused before it costs anything, and what the figures show."""

from collections.abc import Callable
from typing import Any, NoReturn

import pytest
from starlette.responses import Response
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in
from tests.server.in_process import TestClient
from tests.server.sharing import share

from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.metrics import Metrics
from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.kinds import RESPONSES, STREAMS
from skyshelf.server.pipeline.admission.requesters import Requester, current_requester
from skyshelf.server.pipeline.sending import PIECE, StreamedResponse, in_pieces
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.accounts.login_throttle import OF_ADDRESS
from skyshelf.service.accounts.passwords import hash_password
from skyshelf.service.archives import archive
from skyshelf.service.errors import Throttled
from skyshelf.service.process.reservations import DiskReserve

THROTTLED = (429, "SKY1007")


@pytest.fixture
def no_hashing(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on, nothing may ask for one of the threads that hash passwords."""

    def refuse(*_: Any) -> NoReturn:
        raise AssertionError("a throttled request waits for a slow thread")

    return lambda: monkeypatch.setattr(Threads, "password", refuse)


@pytest.mark.usefixtures("clock")
def test_throttled_attempts_never_wait_for_the_threads_that_hash_passwords(
    client: TestClient, api: Api, no_hashing: Callable[[], None]
) -> None:
    link = share(api, api.folder("shared").object_key)
    link.edit(password_hash=hash_password("right password"))
    for number in range(OF_ADDRESS.free_failures + 1):
        log_in(client, f"nobody{number}@example.org")
    no_hashing()
    assert error_of(log_in(client, "ada@example.org")) == THROTTLED
    change = {"oldPassword": PASSWORD, "newPassword": "another password"}
    assert error_of(api.post("/x/v1/account/password", json=change)) == THROTTLED
    unlocked = link.get("/l/unlock", method="POST", data={"password": "right password"})
    assert (unlocked.status_code, "retry-after" in unlocked.headers) == (429, True)


def test_the_check_before_the_queue_counts_no_attempt(client: TestClient, api: Api, clock: HeldClock) -> None:
    for number in range(OF_ADDRESS.free_failures + 1):
        log_in(client, f"nobody{number}@example.org")
    for _ in range(50):
        assert error_of(log_in(client, api.account.email)) == THROTTLED
    clock.advance(minutes=16)
    assert log_in(client, api.account.email).status_code == 200


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_archive_with_too_many_entries_is_refused_with_a_page_that_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    folder = api.folder("many").object_key
    for number in range(3):
        api.file(f"{number}.txt", parent_key=folder)
    link = share(api, folder)
    monkeypatch.setattr(archive, "ARCHIVE_ENTRIES_MAX", 4)
    assert link.get("/l/zip", method=method).status_code == 200
    monkeypatch.setattr(archive, "ARCHIVE_ENTRIES_MAX", 3)
    refused = link.get("/l/zip", method=method)
    assert refused.status_code == 413
    assert method == "HEAD" or "too many files here for one ZIP" in refused.text


def test_a_large_response_arrives_whole_and_a_small_one_unchanged(api: Api) -> None:
    for number in range(1000):
        api.folder(f"{number:0200}")
    listed = api.get(f"/nms/metadata?folderKey={api.root_key}&type=w&limit=5000&page=0")
    assert int(listed.headers["content-length"]) == len(listed.content) > PIECE
    assert len(listed.json()["objects"]) == 1000
    small = Response(b"x" * PIECE)
    assert in_pieces(Admission(), small) is small


def test_who_leaves_large_responses_unread_is_refused_at_the_next_request() -> None:
    admission, requester = Admission(), Requester(5)
    token = current_requester.set(requester)
    try:
        while_unread = RESPONSES.share // (16 * PIECE)
        for _ in range(while_unread):
            admission.check(RESPONSES)
            assert isinstance(in_pieces(admission, Response(b"x" * 16 * PIECE)), StreamedResponse)
        with pytest.raises(Throttled):
            admission.check(RESPONSES)
        requester.leave()
        admission.check(RESPONSES)
    finally:
        current_requester.reset(token)


def test_the_figures_show_what_runs_waits_and_was_refused_by_kind_and_reason() -> None:
    admission, metrics = Admission(), Metrics(WorkerCounts())
    for _ in range(STREAMS.share):
        admission.take(STREAMS, key=5)
    for _ in range(3):
        with pytest.raises(Throttled):
            admission.take(STREAMS, key=5)
    for _ in range(2):  # counters must not count twice what was noted twice
        metrics.note_admission(admission.figures())
    page = metrics.page(DiskReserve()).decode()
    assert f'skyshelf_admission_in_use{{kind="change_streams"}} {STREAMS.share:.1f}' in page
    assert 'skyshelf_admission_waiting{kind="calls"} 0.0' in page
    assert 'skyshelf_admission_refused_total{kind="change_streams",reason="caller"} 3.0' in page
    assert 'skyshelf_admission_refused_total{kind="change_streams",reason="server"} 0.0' in page
