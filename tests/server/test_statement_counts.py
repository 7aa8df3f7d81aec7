"""How many statements a call takes: as many for much as for little."""

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import pytest
from tests.server.api import Api, HeldClock
from tests.server.echoes import batch, entry, listed, make_folders
from tests.server.identities import OFFERED
from tests.server.nextcloud.app import CloudApp
from tests.server.recording_store import RecordingStore

from skyshelf.server.app import ServerSettings
from skyshelf.service.context import ReadOnlyMode, ServiceContext
from skyshelf.service.uploads import duplicates
from skyshelf.storage.metadata.contracts.tree import SetFavorite
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.open import open_blobs, open_metadata
from skyshelf.wire.resources.contacts import Contact

SESSION = 1
"""Whose session it is, on every call."""


@pytest.fixture
def ctx(settings: ServerSettings, clock: HeldClock) -> Iterator[ServiceContext]:
    """The usual context, but its store records its statements."""
    store = open_metadata(settings.metadata)
    assert isinstance(store, SqliteStore)
    ctx = ServiceContext(
        metadata=RecordingStore(store),
        blobs=open_blobs(settings.blobs),
        clock=clock,
        rules=settings.rules,
        mail=settings.mail,
        providers=OFFERED,
        mode=ReadOnlyMode(inf),
    )
    # A server looks once a second, and this one only now: no call is counted with it.
    ctx.mode.now(ctx.metadata)
    yield ctx
    ctx.metadata.close()
    ctx.blobs.close()


def statements(api: Api, call: Callable[[], Any]) -> int:
    """How many statements a call takes, with what it leaves for later."""
    store = api.ctx.metadata
    assert isinstance(store, RecordingStore)
    assert duplicates.drain(60)
    store.statements.clear()
    call()
    assert duplicates.drain(60)
    return len(store.statements)


def _get(api: Api, path: str) -> Callable[[], Any]:
    def call() -> None:
        answer = api.get(path, headers={"X-Offset": "0"})
        assert answer.status_code == 200, answer.text

    return call


def _fill(api: Api, clock: HeldClock, count: int) -> None:
    keys = make_folders(api, count, api.folder(f"folder of {count}").object_key)
    api.trash(*keys[: count // 2])
    for number in range(count // 10):
        clock.advance(1)
        api.file(f"{count} {number}.jpg", app_code="dgl", taken_at=number, taken_day=503)
        api.file(f"{count} {number}.txt", app_code="dgl")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/nms/metadata?folderKey={root}", 3),  # the folder, the page, the space
        ("/nms/metadata?folderKey={root}&page=1&limit=5&sort=-sizeInBytes", 3),
        ("/nms/metadata/defaultview/myfiles/v1?folderKey={root}&type=f", 3),
        ("/nms/trash", 2),
        ("/nms/trash?sort=%2BobjectName", 2),
        ("/nms/metadata/recent/objects", 2),
        ("/nms/spotlights/metadata", 3),  # the day, and the month before and after it
        ("/nms/collshare/byme", 1),
        ("/nms/headless/linkedapp/metadata", 1),
        ("/nms/manual/tag/recents", 1),
        ("/nms/manual/tags/{root}", 2),
        ("/cspp/intg/doc/supported", 0),
        ("/boards/sync/initial", 1),
        ("/amiko/cab/contacts", 2),
        ("/amiko/cab/emails", 1),
        ("/promo/banner/list", 1),
    ],
)
def test_looking_takes_as_many_statements_for_much_as_for_little(
    api: Api, clock: HeldClock, path: str, expected: int
) -> None:
    call = _get(api, path.format(root=api.root_key))
    _fill(api, clock, 20)
    few = statements(api, call)
    _fill(api, clock, 200)
    assert (few, statements(api, call)) == (SESSION + expected, SESSION + expected)


def _without_alarms(api: Api) -> None:
    """Where much is done at once, the operator's limit is read: one more statement, unless the account has its own."""
    api.ctx.metadata.write(lambda unit: unit.alarms.set_limit(api.account.account_id, 0))


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("SETFAV", lambda echo: {}),
        ("RENAME", lambda echo: {"objectName": "new " + echo["objectName"]}),
        ("TRASH", lambda echo: {"status": "T"}),
    ],
)
def test_a_batch_takes_as_many_statements_for_many_entries_as_for_few(
    api: Api, operation: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    _without_alarms(api)
    make_folders(api, 510)
    echoes = listed(api, limit=1000)
    entries = [entry(operation, echo, **change(echo)) for echo in echoes]
    few = statements(api, lambda: batch(api, *entries[:10]))
    many = statements(api, lambda: batch(api, *entries[10:]))
    assert few == many


def test_moves_take_as_many_statements_for_many_entries_as_for_few(api: Api) -> None:
    _without_alarms(api)
    target = api.folder("target").object_key
    make_folders(api, 510)
    entries = [entry("MOVE", echo, parentObjectKey=target) for echo in listed(api, limit=510)]
    # The first one notes in the target how deep it reaches now.
    batch(api, entries[0])
    few = statements(api, lambda: batch(api, *entries[1:11]))
    many = statements(api, lambda: batch(api, *entries[11:]))
    assert few == many


def test_restoring_takes_as_many_statements_for_many_keys_as_for_few(api: Api) -> None:
    keys = make_folders(api, 510)
    api.trash(*keys)

    def restore(some: list[str]) -> None:
        answer = api.put("/nms/metadata/restore", json={"objectKeys": some}).json()
        assert len(answer["objects"]) == len(some)

    few = statements(api, lambda: restore(keys[:10]))
    many = statements(api, lambda: restore(keys[10:]))
    assert few == many


def test_boards_take_as_many_statements_for_much_as_for_little(api: Api, clock: HeldClock) -> None:
    key = api.post("/boards", json={"boardName": "a"}).json()["boardKey"]
    paths = ["/boards/sync/initial", f"/boards/{key}", f"/invites/boards/{key}/members"]
    few = [statements(api, _get(api, path)) for path in paths]
    for number in range(20):
        api.post("/boards", json={"boardName": f"{number}"})
    files = [api.file(f"{number}.jpg").object_key for number in range(20)]
    api.ctx.metadata.write(lambda unit: unit.board_items.add(api.account.account_id, key, files, clock.now()))
    assert [statements(api, _get(api, path)) for path in paths] == few


def test_lists_by_webdav_take_as_many_statements_for_much_as_for_little(api: Api, clock: HeldClock) -> None:
    cloud = CloudApp(api.client, api.ctx, api.account)
    spaces = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"'
    asked = f"<d:propfind {spaces}><d:prop><d:getetag/><d:lockdiscovery/></d:prop></d:propfind>"
    rules = "<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules>"
    report = f"<oc:filter-files {spaces}><d:prop><d:lockdiscovery/></d:prop>{rules}</oc:filter-files>"
    calls = {
        ("PROPFIND", cloud.url("many")): asked,
        ("PROPFIND", f"/remote.php/dav/trashbin/{api.account.email}/trash"): asked,
        ("REPORT", cloud.url("")): report,
    }
    folder = api.folder("many").object_key

    def counts() -> list[int]:
        with api.ctx.metadata.read() as unit:
            found = [one.object_key for one in unit.tree.children(api.account.account_id, folder)]
        marks = [SetFavorite(key, True) for key in found]
        api.ctx.metadata.write(lambda unit: unit.tree.apply(api.account.account_id, marks, clock.now()))
        for number in range(2):
            cloud.token(f"many/{len(found) - 1 - number}", scope="shared", Depth="0")
        return [
            statements(api, lambda: cloud.call(method, url, content=body.encode(), headers={"Depth": "1"}))  # noqa: B023
            for (method, url), body in calls.items()
        ]

    for number in range(10):
        api.folder(f"{number}", folder)
        api.trash(api.folder(f"gone {number}").object_key)
    cloud.token("many", scope="shared")
    counts()
    few = counts()
    for number in range(10, 100):
        api.folder(f"{number}", folder)
        api.trash(api.folder(f"gone {number}").object_key)
    assert counts() == few
    assert min(few) > 6


def test_contacts_take_as_many_statements_for_many_as_for_few(api: Api, clock: HeldClock) -> None:
    def add(count: int) -> None:
        new = {api.ctx.new_key(): Contact(display_name=f"{number}") for number in range(count)}
        api.ctx.metadata.write(lambda unit: unit.contacts.add(api.account.account_id, new, clock.now()))

    call = _get(api, "/amiko/cab/contacts")
    add(1)
    few = statements(api, call)
    add(100)
    assert (few, statements(api, call)) == (SESSION + 1, SESSION + 1)
