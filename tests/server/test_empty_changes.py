"""A change that changes nothing writes nothing: no change of the feed, and no row but what is noted about callers.

Otherwise anybody who has a session could fill the history with changes that mean nothing.
"""

import pytest
from tests.server.api import Api, new_account
from tests.server.echoes import batch, echo_of, entry
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp
from tests.server.test_paused_devices import rows_of

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.boards import NewBoard

# What is counted of devices, and when something was used last.
OF_USE = {"account_counters", "throttles", "tags"}
PROPPATCH = (
    '<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:{what}><d:prop>{prop}</d:prop></d:{what}>'
    "</d:propertyupdate>"
)


def newest(ctx: ServiceContext) -> list[tuple[object, ...]]:
    with ctx.metadata.read() as unit:
        return unit.sql.all("SELECT account_id, change_seq FROM account_counters ORDER BY account_id")


def state(ctx: ServiceContext) -> object:
    return {name: rows for name, rows in rows_of(ctx).items() if name not in OF_USE}, newest(ctx)


def test_separate_calls_that_change_nothing_write_nothing(api: Api) -> None:
    folder = api.folder("Photos").object_key
    file = api.file("a.txt", parent_key=folder).object_key
    batch(api, entry("SETFAV", echo_of(api, file, folder)))
    tagging = {"tagName": "Sea", "objectKeys": [file]}
    tag = api.post("/x/v1/tags", json=tagging).json()["tag"]["tagId"]
    board = api.ctx.new_key()
    new = NewBoard(board_key=board, name="Summer")
    api.ctx.metadata.write(lambda unit: unit.boards.create(api.account.account_id, new, 1))
    on_board = f"/x/v1/boards/{board}/objects"
    assert api.post(on_board, json={"objectKeys": [file]}).status_code == 200
    echo, before = echo_of(api, file, folder), state(api.ctx)
    for one in (
        *(entry(operation, echo) for operation in ("SETFAV", "RENAME", "MOVE")),
        entry("UNSETFAV", echo_of(api, folder)),
    ):
        batch(api, one)
        assert state(api.ctx) == before, one["operation"]
    for answer in (
        api.post("/x/v1/tags", json=tagging),
        api.put(f"/x/v1/tags/{tag}", json={"tagName": "Sea"}),
        api.post(on_board, json={"objectKeys": [file]}),
    ):
        assert answer.status_code == 200, answer.text
        assert state(api.ctx) == before, answer.url


def test_calls_that_end_or_set_nothing_leave_no_events(api: Api) -> None:
    """Otherwise whoever has a session could push its own traces out of the audit trail."""

    def events() -> int:
        with api.ctx.metadata.read() as unit:
            return unit.sql.number("SELECT count(*) FROM audit_events")

    limit = {"limit": 500}
    assert api.put("/x/v1/alarms/settings", json=limit).status_code == 200
    before = events()
    for answer in (
        api.post("/x/v1/trash/empty"),
        api.post("/x/v1/account/sessions/end-others"),
        api.put("/x/v1/alarms/settings", json=limit),
        api.put("/x/v1/history/settings", json={"days": None}),
        api.post("/x/v1/account/deletion/cancel"),
    ):
        assert answer.status_code in {200, 204}, (answer.url, answer.text)
        assert events() == before, answer.url
    api.trash(api.file("gone.txt").object_key)
    assert api.post("/x/v1/trash/empty").status_code == 200
    assert events() == before + 1


@pytest.mark.parametrize("value", ["", "<oc:favorite>1</oc:favorite>", '<x xmlns="urn:x">same</x>'])
def test_properties_that_are_so_already_write_nothing(client: TestClient, ctx: ServiceContext, value: str) -> None:
    cloud = CloudApp(client, ctx, new_account(ctx, "ada@example.org"))
    assert cloud.put("a.txt", b"content").status_code == 201

    def patch() -> int:
        url = cloud.url("a.txt")
        return cloud.call("PROPPATCH", url, content=PROPPATCH.format(what="set", prop=value)).status_code

    first = patch()
    before = state(ctx)
    assert patch() == first
    assert state(ctx) == before
