"""Everything that an account can ask the database to keep has a bound, and the refusal says which."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, new_account
from tests.server.good_calls import a_delegation
from tests.server.uploading import form, initiate, md5, send, upload

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import maintenance
from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.sql import bounds
from skyshelf.wire.limits import TAGS_MAX

LIMIT = (413, "SKY4008")
SQL = "skyshelf.storage.metadata.sql"
LIMITS = "skyshelf.wire.limits"
_NUMBERS = count()


def name() -> str:
    return f"name {next(_NUMBERS)}"


def new_folder(api: Api) -> Any:
    return api.post("/nms/folders", json={"objectName": name(), "parentObjectKey": api.root_key, "sourceName": "DRIVE"})


def new_share(api: Api) -> Any:
    keys = [{"objectKey": api.file(name()).object_key}]
    return api.post("/share/ulinks", json={"objects": keys, "shareName": "a", "shareType": "L"})


def new_tag(api: Api) -> Any:
    return api.post("/x/v1/tags", json={"objectKeys": [api.file(name()).object_key], "tagName": name()})


def new_board(api: Api) -> Any:
    return api.post("/boards", json={"boardName": name()})


def on_board(path: str, body: Callable[[Api], dict[str, Any]], **usual: Any) -> Callable[[Api], Any]:
    boards: dict[int, str] = {}

    def add(api: Api) -> Any:
        if id(api) not in boards:
            boards[id(api)] = new_board(api).json()["boardKey"]
        return api.request(usual.get("method", "POST"), f"/x/v1/boards/{boards[id(api)]}/{path}", json=body(api))

    return add


def new_contact(api: Api) -> Any:
    return api.post("/x/v1/contacts", json={"displayName": name()})


BOUNDS: list[tuple[str, str, Callable[[Api], Any]]] = [
    (f"{SQL}.quota", "OBJECTS_ALWAYS", new_folder),
    (f"{SQL}.quota", "OBJECTS_ALWAYS", lambda api: upload(api, name(), b"")),
    (LIMITS, "UPLOADS_OPEN_MAX", lambda api: initiate(api, name(), b"bytes")),
    (LIMITS, "SHARES_MAX", new_share),
    (LIMITS, "SHARED_IN_ALL_MAX", new_share),
    (LIMITS, "TAGS_MAX", new_tag),
    (LIMITS, "TAGGED_MAX", new_tag),
    (LIMITS, "BOARDS_MAX", new_board),
    (LIMITS, "CONTACTS_MAX", new_contact),
    (LIMITS, "BOARD_COMMENTS_MAX", on_board("comments", lambda _: {"text": "Hello"})),
    (
        LIMITS,
        "BOARD_ITEMS_MAX",
        on_board("objects", lambda api: {"objectKeys": [api.file(name()).object_key]}),
    ),
    (
        f"{SQL}.boards.access",
        "BOARD_INVITATIONS_MAX",
        on_board("invitations", lambda _: {"emailId": f"{name().replace(' ', '')}@example.org"}),
    ),
    (f"{SQL}.boards.invitations", "BOARD_LINKS_MAX", on_board("links", lambda _: {})),
]


@pytest.mark.parametrize(("module", "limit", "add"), BOUNDS, ids=[f"{row[1]}-{at}" for at, row in enumerate(BOUNDS)])
def test_an_account_adds_up_to_the_bound_and_no_further(
    ctx: ServiceContext,
    client: Any,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    limit: str,
    add: Callable[[Api], Any],
) -> None:
    from tests.server.api import logged_in

    api = logged_in(client, ctx, new_account(ctx, "ada@example.org", quota=1000))
    monkeypatch.setattr(f"{module}.{limit}", 3)
    if limit == "OBJECTS_ALWAYS":
        monkeypatch.setattr(f"{module}.OBJECT_QUOTA_BYTES", 10**6)
    answers = [add(api) for _ in range(4)]
    assert [answer.status_code // 100 for answer in answers[:3]] == [2, 2, 2], [answer.text for answer in answers]
    assert error_of(answers[3]) == LIMIT
    sentence = answers[3].json()["message"]
    assert "at most 3" in sentence or "quota" in sentence


def test_the_report_of_storage_shows_every_kind_with_its_limit(api: Api) -> None:
    new_tag(api)
    new_board(api)
    kept = {one["kind"]: one for one in api.get("/x/v1/storage").json()["kept"]}
    assert kept.keys() >= {
        *bounds.BOUNDS,
        "objects",
        "changes",
        "historyBytes",
        "proofBytes",
        "thumbnailBytes",
        "uploadBytes",
    }
    assert kept["tags"] == {"kind": "tags", "used": 1, "limit": TAGS_MAX, "isBytes": False}
    assert (kept["boards"]["used"], kept["objects"]["used"], kept["linkChanges"]["used"]) == (1, 1, 1)
    assert kept["changes"]["used"] == 1
    assert kept["contactBytes"]["isBytes"]


def test_more_quota_allows_more_objects(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{SQL}.quota.OBJECTS_ALWAYS", 1)
    monkeypatch.setattr(f"{SQL}.quota.OBJECT_QUOTA_BYTES", 100 * 1024**3 // 2)
    assert [new_folder(api).status_code for _ in range(4)] == [201, 201, 201, 413]


def test_many_files_at_once_are_refused_one_by_one(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    monkeypatch.setattr(f"{SQL}.quota.OBJECTS_ALWAYS", 2)
    monkeypatch.setattr(f"{SQL}.quota.OBJECT_QUOTA_BYTES", 2**60)
    files = [{"name": name(), "size": 1, "hash": md5(b"x"), "folderKey": api.root_key} for _ in range(3)]
    content, headers = form(("metadataString", json.dumps({"files": files}).encode()), ("file", b"xxx"))
    answer = api.post("/x/v1/uploads/many", content=content, headers=headers).json()
    assert [one.get("errorCode") for one in answer["files"]] == [None, None, "SKY4008"]


def test_purging_makes_room_for_others(api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{SQL}.quota.OBJECTS_ALWAYS", 1)
    monkeypatch.setattr(f"{SQL}.quota.OBJECT_QUOTA_BYTES", 2**60)
    first = new_folder(api).json()["objectKey"]
    assert error_of(new_folder(api)) == LIMIT
    api.trash(first)
    assert api.post("/x/v1/trash/empty").status_code == 200
    assert error_of(new_folder(api)) == LIMIT
    for _ in maintenance.purge(ctx, api.account.account_id):
        pass
    assert new_folder(api).status_code == 201


def test_a_revoked_link_makes_room_for_another(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{LIMITS}.SHARES_MAX", 1)
    assert new_share(api).status_code == 201
    key = api.get("/x/v1/shares").json()["shares"][0]["shareKey"]
    assert api.delete(f"/x/v1/shares/{key}").status_code == 204
    assert new_share(api).status_code == 201


def test_a_tag_whose_files_are_purged_makes_room_for_another(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{LIMITS}.TAGS_MAX", 1)
    file = api.file("a.txt")
    assert api.post("/x/v1/tags", json={"objectKeys": [file.object_key], "tagName": "a"}).status_code < 300
    api.trash(file.object_key)
    api.post("/x/v1/trash/empty")
    for _ in maintenance.purge(ctx, api.account.account_id):
        pass
    assert new_tag(api).status_code < 300


def test_the_bytes_of_contacts_are_bounded_too(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{LIMITS}.CONTACTS_BYTES_MAX", 1000)
    statuses = [api.post("/x/v1/contacts", json={"displayName": "x" * 300}).status_code for _ in range(3)]
    assert statuses[-1] == 413
    many = {"displayName": "x" * 1000, "emails": [{"emailId": f"{at}@example.org"} for at in range(100)]}
    assert error_of(api.post("/x/v1/contacts", json=many)) == (400, "SKY1000")


def test_removed_contacts_are_forgotten_after_a_month(api: Api, ctx: ServiceContext, clock: HeldClock) -> None:
    key = new_contact(api).json()["contactId"]
    api.post("/x/v1/contacts/remove", json={"contactIds": [key]})
    clock.advance(days=31)
    for _ in maintenance.expire_sessions(ctx):
        pass
    with ctx.metadata.read() as unit:
        assert unit.contacts.page(api.account.account_id, only_active=False, limit=10) == []


def test_the_next_login_ends_the_device_that_was_unused_for_longest(
    api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{SQL}.accounts.accounts.DEVICES_MAX", 3)
    keys = []
    for _ in range(4):
        clock.advance(minutes=1)
        keys.append(log_in(api.client, api.account.email).json()["deviceKey"])
    with api.ctx.metadata.read() as unit:
        left = {device.device_key for device in unit.devices.of_account(api.account.account_id)}
    assert left == set(keys[1:])


def test_what_delegations_leave_behind_ends_no_device_in_use(
    api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{SQL}.accounts.accounts.DEVICES_MAX", 3)
    phone = log_in(api.client, api.account.email).json()["deviceKey"]
    for _ in range(3):
        clock.advance(minutes=1)
        latest = a_delegation(api, expires_at=clock.now() + 1000).device_key
    with api.ctx.metadata.read() as unit:
        left = {device.device_key for device in unit.devices.of_account(api.account.account_id)}
    assert left == {api.login["deviceKey"], phone, latest}


def test_delegations_that_have_expired_do_not_count(
    api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{LIMITS}.DELEGATIONS_MAX", 2)
    for _ in range(2):
        a_delegation(api, expires_at=clock.now() + 1000)
    with pytest.raises(LimitReached):
        a_delegation(api)
    clock.advance(1000)
    a_delegation(api)


def test_the_next_nonce_ends_the_oldest(api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{SQL}.accounts.sessions.NONCES_MAX", 2)
    file = api.file("a.txt")
    nonces = []
    for _ in range(3):
        clock.advance(seconds=1)
        nonces.append(api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]}).json()["nonce"])
    api.client.cookies.clear()
    path = f"/download/files/{file.object_key}"
    statuses = [api.client.get(path, params={"nonce": nonce}).status_code for nonce in nonces]
    assert statuses == [401, 200, 200]


def test_changes_that_history_needs_are_never_pushed_out(
    api: Api, ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{SQL}.account_lock.CHANGES_KEPT_MAX", 5)
    monkeypatch.setattr(f"{SQL}.account_lock._FORGET_EVERY", 2)
    begin = api.get("/x/v1/changes/everything").json()["changesCursor"]
    first = new_folder(api).json()["objectKey"]
    clock.advance(1)
    moment = clock.now()
    clock.advance(1)
    while (refused := new_folder(api)).status_code == 201:
        clock.advance(1)
    assert error_of(refused) == LIMIT
    assert "history is full" in refused.json()["message"]
    rename = {"operation": "RENAME", "object": {"objectKey": first, "objectName": "b", "sourceName": "DRIVE"}}
    assert error_of(api.put("/nms/metadata/1.0", json={"objects": [rename | {"correlationId": "1"}]})) == LIMIT
    (then,) = api.get(f"/x/v1/history/folders/{api.root_key}", params={"at": str(moment)}).json()["objects"]
    assert then["objectKey"] == first
    # Who may forget it makes room.
    forgotten = api.post("/x/v1/history/forget", json={"confirmation": {"password": PASSWORD}})
    assert forgotten.status_code == 200
    assert [new_folder(api).status_code for _ in range(5)] == [201] * 5
    assert error_of(api.get("/x/v1/changes", params={"cursor": begin})) == (410, "SKY1011")
    past = {"at": str(moment)}
    assert error_of(api.get(f"/x/v1/history/folders/{api.root_key}", params=past)) == (410, "SKY1016")
    assert error_of(api.post("/x/v1/rewind", json={"to": moment})) == (410, "SKY1016")


def test_the_counter_of_objects_is_what_the_doctor_counts(api: Api, ctx: ServiceContext) -> None:
    folder = new_folder(api).json()["objectKey"]
    api.file("a.txt")
    api.file("a.txt", b"its next version")
    transaction = initiate(api, "b.txt", b"bytes").json()["transactionId"]
    send(api, transaction, 0, b"bytes")
    api.trash(folder)
    with ctx.metadata.read() as unit:
        kept = unit.quotas.get(api.account.account_id, 0)
        assert (kept.objects, kept) == (3, unit.quotas.recount(api.account.account_id, 0))
    api.post("/x/v1/trash/empty")
    for _ in maintenance.purge(ctx, api.account.account_id):
        pass
    with ctx.metadata.read() as unit:
        kept = unit.quotas.get(api.account.account_id, 0)
        assert (kept.objects, kept) == (2, unit.quotas.recount(api.account.account_id, 0))
