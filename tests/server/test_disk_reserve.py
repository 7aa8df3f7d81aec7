"""A server whose disk is at its reserve: nothing is added, everything else works, and operators can see it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient
from tests.server.api import Api, HeldClock, error_of, log_in
from tests.server.good_calls import furnish, good_call, removing_last
from tests.server.uploading import begun, names_in, send, upload

from skyshelf.server.app import API_ENDPOINTS
from skyshelf.service.context import ServiceContext
from skyshelf.service.disk_reserve import DiskReserve
from skyshelf.service.jobs import contents
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.service.reservations import Reservations
from skyshelf.storage.errors import StoreFull
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.space import Ballast, Space
from skyshelf.wire.endpoints import BY_NAME

FULL = (507, "SKY5002")
RESERVE = 1000
# What may be written below the reserve: it removes something, or it is a small change of what exists.
ALLOWED = {
    "accept_invitation",
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
    "begin_link",
    "begin_passkey",
    "begin_passkey_login",
    "begin_second_factor",
    "cancel_rewind",
    "cancel_upload",
    "change_password",
    "confirm_second_factor",
    "cookie_nonce",
    "decline_invitation",
    "delete_account",
    "delete_board",
    "delete_tag",
    "edit_profile",
    "edit_share",
    "empty_trash",
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
    "rename_device",
    "rename_passkey",
    "rename_tag",
    "renew_recovery_codes",
    "request_password_mail",
    "restore",
    "revoke_app_password",
    "revoke_board_invitation",
    "revoke_board_link",
    "revoke_share",
    "second_factor_by_passkey",
    "set_alarm_limit",
    "set_board_cover",
    "set_board_role",
    "set_history",
    "trash_objects",
    "turn_off_second_factor",
    "unlink_identity",
    "use_link",
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
    assert writing - needing == ALLOWED


def test_below_the_reserve_what_adds_is_refused_and_everything_else_works(api: Api, disk: Disk) -> None:
    keys = furnish(api)
    disk.free = RESERVE - 1
    # A thumbnail that is not kept yet would be added: it is missing until there is space.
    assert good_call("thumbnail", api, keys).send(api).status_code == 404
    disk.free = 10**9
    assert good_call("thumbnail", api, keys).send(api).status_code == 200
    disk.free = RESERVE - 1
    answers: dict[str, tuple[int, int]] = {}
    for name in removing_last(endpoint.name for endpoint in API_ENDPOINTS):
        disk.free = 10**9
        endpoint, call = BY_NAME[name], good_call(name, api, keys)
        disk.free = RESERVE - 1
        answer = call.send(api)
        answers[name] = (answer.status_code, 507 if endpoint.needs_space else endpoint.success)
    assert {name: got for name, got in answers.items() if got[0] != got[1]} == {}


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


def test_a_deletion_that_finds_the_disk_full_is_done_with_the_space_of_the_ballast(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, ballast = api.file("a.txt"), ctx.metadata.ballast()
    ctx.reservations.disk.observe()
    assert isinstance(ballast, Ballast)
    assert ballast.is_there()
    write = ctx.metadata.write

    def full_with_ballast(work: Callable[[Unit], Any]) -> Any:
        if ballast.is_there():
            raise StoreFull("no space left for the metadata")
        return write(work)

    monkeypatch.setattr(ctx.metadata, "write", full_with_ballast)
    answer = api.put("/nms/metadata/1.0", json={"objects": [trash_entry(stored.object_key)]})
    assert [entry["operation"] for entry in answer.json()["objects"]] == ["TRASH"]
    assert names_in(api) == []
    assert log_in(api.client, api.account.email).status_code == 200


def trash_entry(key: str) -> dict[str, Any]:
    echo = {"objectKey": key, "objectName": "a.txt", "sourceName": "DRIVE", "status": "T"}
    return {"operation": "TRASH", "correlationId": "1", "object": echo}


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
