"""A server whose disk is at its reserve: nothing is added, everything else works, and operators can see it."""

from collections.abc import Iterator

import httpx2
import pytest
from msgspec.structs import replace
from tests.server.api import Api, HeldClock, error_of
from tests.server.echoes import batch, echo_of, entry
from tests.server.good_calls import furnish, good_call, removing_last
from tests.server.in_process import TestClient
from tests.server.sharing import Link
from tests.server.uploading import begun, send, upload

from skyshelf.server.app import API_ENDPOINTS
from skyshelf.server.dav.routes import METHODS
from skyshelf.service.context import ServiceContext
from skyshelf.service.history.rewinds import REWIND
from skyshelf.service.jobs import contents
from skyshelf.service.jobs.maintenance import ADVANCE_GENERATION
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.service.process.reservations import DiskReserve, Reservations
from skyshelf.storage.space import Space
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoints import BY_NAME

FULL = (507, "SKY5002")
RESERVE = 1000
# What may be written below the reserve: it removes something, ends access, lets somebody in, or is an operator's call.
ALLOWED = {
    "admin_add_account",
    "admin_add_banner",
    "admin_delete_account",
    "admin_edit_account",
    "admin_edit_banner",
    "admin_end_sessions",
    "admin_keep_account",
    "admin_operator_role",
    "admin_password_link",
    "admin_release_brake",
    "admin_remove_banner",
    "admin_reset_second_factor",
    "allow_device",
    "batch",
    "begin_export",
    "begin_passkey_login",
    "cancel_rewind",
    "cancel_upload",
    "change_password",
    "cookie_nonce",
    "decline_invitation",
    "delete_account",
    "delete_board",
    "delete_tag",
    "empty_trash",
    "end_delegation",
    "end_other_sessions",
    "end_paused_session",
    "end_session",
    "flat_batch",
    "forget_history",
    "keep_account",
    "leave_board",
    "legacy_delete",
    "login",
    "login_by_provider",
    "logout",
    "passkey_challenge",
    "passkey_login",
    "plan_rewind",
    "purge",
    "refresh_token",
    "refresh_token_by_put",
    "remove_board_comment",
    "remove_board_member",
    "remove_contacts",
    "remove_device",
    "remove_from_board",
    "remove_passkey",
    "remove_tag",
    "remove_versions",
    "request_password_mail",
    "revoke_app_password",
    "revoke_board_invitation",
    "revoke_board_link",
    "revoke_share",
    "set_history",
    "set_operator_consent",
    "trash_objects",
    "turn_off_second_factor",
    "unlink_identity",
    "use_link",
}
# What may be written only if it lowers what others can do: bodies in their order, and whether each is accepted.
LOWERING: dict[str, list[tuple[dict[str, object], bool]]] = {
    "edit_share": [
        ({"shareName": "Renamed"}, False),
        ({"password": "one that nobody guesses"}, True),
        ({"password": ""}, False),
        ({"maxDownloads": 5, "expiryDate": 4_000_000_000_000}, True),
        ({"maxDownloads": 6}, False),
        ({"maxDownloads": 0}, False),
        ({"maxDownloads": 4, "expiryDate": 4_000_000_000_001}, False),
        ({"maxDownloads": 4, "expiryDate": 3_000_000_000_000, "maxUploads": 1, "maxUploadBytes": 1}, True),
        ({"maxUploadBytes": 2}, False),
        ({"expiryDate": 0}, False),
    ],
    "set_board_role": [
        ({"memberType": "M"}, False),
        ({"memberType": "O"}, False),
        ({"memberType": "V"}, True),
        ({"memberType": "M"}, False),
    ],
    "set_alarm_limit": [
        ({"limit": 900}, True),
        ({"limit": 901}, False),
        ({"limit": 0}, False),
        ({"limit": None}, False),
        ({"limit": 100}, True),
    ],
}


class Disk:
    def __init__(self) -> None:
        self.free, self.now = 10**9, 0.0

    def look(self) -> Space:
        return Space(self.free, 10**10)

    def clock(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def ctx(ctx: ServiceContext, disk: Disk) -> ServiceContext:
    ballast = ctx.metadata.ballast()
    assert ballast is not None
    reserve = DiskReserve({"blobs": disk.look}, reserve=RESERVE, ballasts=[ballast], clock=disk.clock)
    return replace(ctx, reservations=Reservations(reserve))


def test_every_call_that_writes_either_needs_space_or_is_allowed_without() -> None:
    writing = {endpoint.name for endpoint in API_ENDPOINTS if endpoint.method != "GET"}
    needing = {endpoint.name for endpoint in API_ENDPOINTS if endpoint.needs_space}
    assert needing <= writing
    assert writing - needing == ALLOWED | LOWERING.keys()
    lowering = [endpoint for endpoint in API_ENDPOINTS if endpoint.lowering_while_full]
    assert {endpoint.name for endpoint in lowering} == LOWERING.keys()
    assert all(codes.DISK_FULL in endpoint.all_errors for endpoint in lowering)


def test_below_the_reserve_what_adds_is_refused_and_everything_else_works(api: Api, disk: Disk) -> None:
    keys = furnish(api)
    disk.free = RESERVE - 1
    # A thumbnail that is not kept yet would be added: it is missing until there is space.
    assert good_call("thumbnail", api, keys).send(api).status_code == 404
    disk.free = 10**9
    assert good_call("thumbnail", api, keys).send(api).status_code == 200
    disk.free = RESERVE - 1
    answers: dict[str, tuple[int, int]] = {}
    for name in removing_last(endpoint.name for endpoint in API_ENDPOINTS if endpoint.name not in LOWERING):
        disk.free = 10**9
        endpoint, call = BY_NAME[name], good_call(name, api, keys)
        disk.free = RESERVE - 1
        answer = call.send(api)
        answers[name] = (answer.status_code, 507 if endpoint.needs_space else endpoint.success)
    assert {name: got for name, got in answers.items() if got[0] != got[1]} == {}


@pytest.mark.parametrize("name", LOWERING)
def test_below_the_reserve_access_can_be_lowered_and_not_raised(api: Api, disk: Disk, name: str) -> None:
    call = good_call(name, api, furnish(api))
    disk.free = RESERVE - 1
    for body, is_accepted in LOWERING[name]:
        answer = replace(call, body=body).send(api)
        assert (200 if is_accepted else FULL) == (200 if answer.status_code == 200 else error_of(answer)), body


def test_below_the_reserve_guests_can_be_stopped_from_adding_to_an_album(api: Api, disk: Disk) -> None:
    board = furnish(api).board
    made = api.post(f"/x/v1/boards/{board}/shares", json={"shareName": "For guests", "rights": "add"}).json()
    path = f"/x/v1/shares/{made['shareKey']}"
    disk.free = RESERVE - 1
    assert api.put(path, json={"rights": "view"}).json()["rights"] == "view"
    assert error_of(api.put(path, json={"rights": "add"})) == FULL


def test_below_the_reserve_a_batch_moves_to_the_trash_and_does_nothing_else(api: Api, disk: Disk) -> None:
    keys = [api.folder(name).object_key for name in "abc"]
    echoes = [echo_of(api, key) for key in keys]
    disk.free = 0
    answer = batch(
        api,
        entry("SETFAV", echoes[0]),
        entry("TRASH", echoes[1], status="T"),
        entry("RENAME", echoes[2], objectName="d"),
    )
    assert [one["object"]["objectKey"] for one in answer["objects"]] == [keys[1]]
    assert [one["object"]["errorCode"] for one in answer["unprocessed"]] == ["SKY5002", "SKY5002"]


def test_the_refusal_is_a_clear_sentence_after_the_session_was_checked(api: Api, disk: Disk) -> None:
    disk.free = 0
    answer = upload(api, "a.txt", b"bytes")
    assert error_of(answer) == FULL
    assert "deleting works" in answer.json()["message"]
    assert error_of(api.post("/upload/files", content=b"", without=("Authorization",))) == (401, "TEJGA0401")


def test_an_upload_that_would_pass_the_reserve_is_refused_although_there_is_some_space(api: Api, disk: Disk) -> None:
    disk.free = RESERVE + 10
    assert error_of(upload(api, "a.txt", b"x" * 11)) == FULL
    assert upload(api, "a.txt", b"x" * 10).status_code == 201


def test_readiness_and_figures_show_it_and_the_instance_stays_in_service(
    api: Api, anonymous: TestClient, disk: Disk
) -> None:
    disk.free = RESERVE - 1
    answer = anonymous.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "metadata": "ready",
        "blobs": "ready",
        "space": "at the reserve: uploads are refused",
        "jobs": "ready",
        "writes": "ready",
    }
    disk.free = RESERVE
    assert anonymous.get("/readyz").json()["space"] == "ready"


def test_emptying_the_trash_frees_the_disk_without_an_operator(
    api: Api, ctx: ServiceContext, clock: HeldClock, disk: Disk
) -> None:
    stored = api.file("large.bin", b"x" * 5000)
    disk.free = RESERVE - 1
    api.trash(stored.object_key)
    assert api.post("/x/v1/trash/empty").status_code == 200
    worker = JobRunner(ctx)
    worker.schedule()
    while worker.work_once():
        pass
    assert list(ctx.blobs.list()) != []
    clock.advance(ms=contents.SHORT_GRACE + 1000)
    while worker.work_once():
        pass
    assert list(ctx.blobs.list()) == []
    disk.free = RESERVE + 5000
    assert upload(api, "a.txt", b"bytes").status_code == 201


def test_below_the_reserve_a_rewind_waits_and_goes_on_above_it(ctx: ServiceContext, disk: Disk) -> None:
    done: list[str] = []

    def steps(_: ServiceContext, subject: str) -> Iterator[None]:
        for step in ("first", "second"):
            disk.free = RESERVE - 1
            done.append(f"{subject} {step}")
            yield

    worker = JobRunner(ctx, jobs={REWIND: steps}, tasks=[])
    ctx.metadata.write(lambda unit: unit.outbox.put(REWIND, "one", b"", ctx.clock.now()))
    disk.free = RESERVE - 1
    assert not worker.work_once()
    disk.free = RESERVE
    assert worker.work_once()
    assert done == ["one first"]
    assert not worker.work_once()
    disk.free = RESERVE
    assert worker.work_once()
    assert done == ["one first", "one first"]


def test_below_the_reserve_the_generation_of_the_store_stays(ctx: ServiceContext, disk: Disk) -> None:
    """On a full disk it would be raised in the database and not beside the blobs, again and again."""
    disk.free = RESERVE - 1
    worker = JobRunner(ctx)
    worker.schedule()
    while worker.work_once():
        pass
    with ctx.metadata.read() as unit:
        due = unit.outbox.next_due([ADVANCE_GENERATION])
    assert due is not None
    assert due <= ctx.clock.now()
    disk.free = RESERVE
    assert worker.work_once()


def test_webdav_follows_the_same_rule() -> None:
    freeing = {"DELETE", "UNLOCK"}
    assert {name for name, method in METHODS.items() if method.writes and method.frees} == freeing
    assert {name for name, method in METHODS.items() if method.writes} > freeing | {"MOVE", "COPY", "PUT", "MKCOL"}


def test_refused_chunks_leave_nothing_behind(api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.bin", b"0123456789")
    for _ in range(3):
        wrong = send(api, transaction, 0, b"01234", content_md5="0" * 32)
        assert wrong.status_code == 400
    assert sum(one.size for one in ctx.blobs.list_uploads()) == 0
    assert send(api, transaction, 0, b"01234").json()["offset"] == 5


def test_tiny_chunks_are_refused_once_there_are_too_many(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.service.uploads.chunked.UPLOAD_PARTS_ALWAYS", 5)
    data = bytes(range(20))
    transaction = begun(api, "a.bin", data)
    statuses = [send(api, transaction, at, data[at : at + 1]).status_code for at in range(7)]
    assert statuses == [200] * 5 + [400] * 1 + [409]
    assert send(api, transaction, 5, data[5:]).status_code == 201


def test_a_guest_is_told_that_the_server_has_no_space_and_uses_up_nothing(api: Api, disk: Disk) -> None:
    body = {"objectKeys": [api.folder("Inbox").object_key], "shareName": "Inbox", "rights": "send", "maxUploads": 1}
    link = Link(api, api.post("/x/v1/shares", json=body).json()["shareURL"])

    def send() -> httpx2.Response:
        return link.get("/l/send", method="POST", files=[("file", ("a.mp4", b"film"))], follow_redirects=False)

    disk.free = 0
    refused = send()
    assert refused.status_code == 507
    assert "The server has no space left" in refused.text, refused.text
    disk.free = 10**9
    assert [send().status_code for _ in range(2)] == [303, 403]
