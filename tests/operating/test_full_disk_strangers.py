"""People without an account on a server whose disk is full: visitors of links, guests who send files, and guessers."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from tests.operating.full_disks import Full, eventually
from tests.real_parts.small_disks import MIB
from tests.server.api import PASSWORD, log_in
from tests.server.sharing import Link

from skyshelf.service.process.event_trail import EVENTS_OF_GROUP_MAX

ROUNDS = 12


def link(full: Full, path: str = "/x/v1/shares", **body: Any) -> Link:
    made = full.api.post(path, json={"shareName": "Summer", **body})
    assert made.status_code == 201, made.text
    return Link(full.api, made.json()["shareURL"])


def send(to: Link, data: bytes = b"a film") -> httpx2.Response:
    files: list[Any] = [("guest", (None, "Grace")), ("file", ("a.mp4", data))]
    return to.get("/l/send", method="POST", files=files, follow_redirects=False)


def use_up_the_ballast(full: Full) -> None:
    """Take every byte that a full disk still has: that of the ballast, and what the database made of it."""
    full.disk.fill()
    assert log_in(full.api.client, full.api.account.email).status_code == 200
    full.disk.fill()


@pytest.mark.whole
def test_visitors_read_what_is_shared_while_no_byte_is_left(full: Full) -> None:
    folder = full.api.folder("Summer").object_key
    data = os.urandom(MIB)
    key = full.api.file("a.bin", data, folder).object_key
    shared, limited = link(full, objectKeys=[folder]), link(full, objectKeys=[folder], maxDownloads=2)
    use_up_the_ballast(full)
    for _ in range(ROUNDS):
        full.disk.fill()
        assert shared.page().status_code == 200
        assert shared.page(key).status_code == 200
        assert shared.file(key).content == data
        assert shared.zip().status_code == 200
        assert limited.page().status_code == 200
    # A limited one allows no downloads that cannot be counted.
    statuses = [limited.file(key).status_code for _ in range(4)]
    assert set(statuses) <= {200, 404, 507}
    assert statuses.count(200) <= 2
    full.disk.clear()
    eventually(lambda: full.space() == "ready")
    assert shared.file(key).content == data
    full.assert_nothing_was_lost()


@pytest.mark.whole
def test_guests_send_nothing_use_nothing_up_and_are_told_why(full: Full) -> None:
    folder = full.api.folder("Inbox").object_key
    inbox = link(full, objectKeys=[folder], rights="send", maxUploads=2)
    assert send(inbox).status_code == 303
    full.disk.fill()
    assert log_in(full.api.client, full.api.account.email).status_code == 200
    full.disk.fill()
    left = full.disk.free
    for _ in range(ROUNDS):
        refused = send(inbox, os.urandom(MIB))
        assert refused.status_code == 507
        assert "The server has no space left" in refused.text, refused.text
        assert inbox.page().status_code == 200
    assert full.disk.free >= left - 64 * 1024
    assert list(full.ctx.blobs.list_uploads()) == []
    full.disk.clear()
    eventually(lambda: full.space() == "ready")
    # One of two was left before, and still is.
    assert [send(inbox).status_code for _ in range(2)] == [303, 403]
    with full.ctx.metadata.read() as unit:
        assert len(unit.tree.children(full.api.account.account_id, folder)) == 2
    full.assert_nothing_was_lost()


@pytest.mark.whole
def test_a_flood_of_wrong_passwords_takes_nobody_the_last_bytes(full: Full) -> None:
    key = full.upload("a.bin")
    assert key
    use_up_the_ballast(full)
    before = trail(full)

    def guess(number: int) -> int:
        transport = httpx2.HTTPTransport(local_address=f"127.0.{number % 20}.9")
        with httpx2.Client(transport=transport, base_url=full.server.url, timeout=120) as client:
            who = {"emailId": f"{number % 7}@example.org", "password": f"{PASSWORD}{number}"}
            return client.post("/x/v1/login", json=who).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(guess, range(200)))
    # Whoever cannot be counted is not let in either.
    assert set(answers) <= {401, 429, 503, 507}
    full.disk.fill()
    assert full.api.get(f"/download/files/{key}").content == full.kept[key]
    assert log_in(full.api.client, full.api.account.email).status_code == 200
    full.delete(key)
    full.disk.clear()
    eventually(lambda: full.space() == "ready")
    # Each network has some events, and the rest is a count.
    assert trail(full) - before <= 20 * (EVENTS_OF_GROUP_MAX + 1) + 10
    full.assert_nothing_was_lost()


def trail(full: Full) -> int:
    with full.ctx.metadata.read() as unit:
        return int(unit.sql.value("SELECT count(*) FROM audit_events") or 0)
