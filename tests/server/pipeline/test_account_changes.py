"""What is remembered outlives the writes of others, and never a change of the account itself; with both databases."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.real_parts import shared
from tests.server.api import Api, error_of, logged_in, new_account
from tests.server.good_calls import furnish, good_call, removing_last
from tests.server.in_process import TestClient
from tests.server.on_boards import add, create, join
from tests.server.pipeline.places import in_threads, shown
from tests.server.pipeline.test_remote_reads import download
from tests.service.pictures import encoded, picture

from skyshelf.server.api.endpoints import EndpointOperation
from skyshelf.server.app import ServerSettings, SkyshelfApp, app_for
from skyshelf.server.pipeline.answers import ACCOUNTS_REMEMBERED, RememberedAnswers
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import Move, Rename, StoredObject
from skyshelf.storage.metadata.store import StoreVersion, Unit
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.endpoint import Host
from skyshelf.wire.endpoints import BY_NAME

_ENDING = {"logout", "delete_account"}
_numbers = count()


class Instances(NamedTuple):
    """One session of the same account at two instances."""

    one: Api
    other: Api
    app: SkyshelfApp


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.whole)])
def instances(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Instances]:
    # A busy machine is no lost connection.
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.loop_connection.ANSWER_SECONDS", 60.0)
    with ExitStack() as running:
        url, blobs = embedded_urls(tmp_path)
        if request.param == "postgres":
            url = running.enter_context(shared.postgres().database())
        contexts = [ServiceContext(metadata=open_metadata(url), blobs=open_blobs(blobs)) for _ in range(2)]
        apps = [app_for(ctx, ServerSettings(metadata="", blobs="")) for ctx in contexts]
        clients = [running.enter_context(TestClient(app, raise_server_exceptions=False)) for app in apps]
        account = new_account(contexts[0], "ada@example.org")
        one = logged_in(clients[0], contexts[0], account)
        # The credential is recognised.
        assert one.get("/security/users").status_code == 200
        yield Instances(one, Api(clients[1], contexts[1], account, one.login), apps[0])


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths whose rows were read; one that was begun again is in it several times."""
    read: list[str] = []
    answer = EndpointOperation.answer_on_loop

    def counted(operation: EndpointOperation, request: ServerRequest) -> object:
        read.append(request.scope["path"])
        return answer(operation, request)

    monkeypatch.setattr(EndpointOperation, "answer_on_loop", counted)
    return read


def slowly(instances: Instances, api: Api, path: str) -> object:
    """What threads answer."""
    with in_threads(instances.app):
        return shown(api.get(path))


def commit_something(instances: Instances) -> None:
    new_account(instances.other.ctx, f"number.{next(_numbers)}@example.org")


def test_files_are_not_looked_up_again_because_others_write(instances: Instances, looked_up: list[str]) -> None:
    one, other = instances.one, instances.other
    files = [other.file(f"{number}.bin", b"content %d" % number) for number in range(5)]
    photo = other.file("a.jpg", encoded("JPEG", picture(64, 48)))
    paths = [*map(download, files), f"/download/avimages/{photo.object_key}"]
    assert one.get(paths[-1]).status_code == 200, "it is made"
    stranger = logged_in(one.client, one.ctx, new_account(one.ctx, "stranger@example.org"))
    expected = [shown(one.get(path)) for path in paths]
    looked_up.clear()
    for number in range(3):
        stranger.file("theirs.bin", b"%d" % number)
        commit_something(instances)
        assert [shown(one.get(path)) for path in paths] == expected
    assert looked_up == []
    other.file("one more.bin")
    assert [shown(one.get(path)) for path in paths] == expected
    assert set(looked_up) == set(paths)


def test_an_answer_does_not_live_longer_than_before(
    instances: Instances, looked_up: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = instances.one
    path, now = download(one.file("a.bin", b"for a minute")), one.ctx.clock.now()
    assert one.get(path).status_code == 200
    looked_up.clear()
    commit_something(instances)
    monkeypatch.setattr(one.ctx.clock, "now", lambda: now + 55_000)
    assert one.get(path).status_code == 200
    commit_something(instances)
    monkeypatch.setattr(one.ctx.clock, "now", lambda: now + 65_000)
    assert one.get(path).status_code == 200
    assert set(looked_up) == {path}


def moved(api: Api, file: StoredObject) -> None:
    folder = api.folder("below")
    _change(api, lambda unit: unit.tree.apply(api.account.account_id, [Move(file.object_key, folder.object_key)], 5))
    api.trash(folder.object_key)


def renamed(api: Api, file: StoredObject) -> None:
    _change(api, lambda unit: unit.tree.apply(api.account.account_id, [Rename(file.object_key, "b.txt")], 5))


def dated(api: Api, file: StoredObject) -> None:
    account = api.account.account_id
    _change(api, lambda unit: unit.files.set_dates(account, file.object_key, 5, created_at=7000, modified_at=9000))


def replaced(api: Api, file: StoredObject) -> None:
    api.file(file.name, b"other bytes")


def _change(api: Api, work: Callable[[Unit], object]) -> None:
    api.ctx.metadata.write(work)


@pytest.mark.parametrize("change", [moved, renamed, dated, replaced])
def test_a_change_of_the_file_is_seen_at_once(
    instances: Instances, change: Callable[[Api, StoredObject], None]
) -> None:
    one, other = instances.one, instances.other
    file = other.file("a.txt", b"some bytes")
    before = [shown(one.get(download(file))) for _ in range(2)]
    change(other, file)
    after = shown(one.get(download(file)))
    assert after not in before
    assert after == slowly(instances, one, download(file))


def test_no_call_changes_a_file_that_is_answered_as_before(instances: Instances, looked_up: list[str]) -> None:
    """Every call of the interface, one after the other, at the other instance."""
    one, other = instances.one, instances.other
    keys = furnish(other)
    files = [keys.file, keys.trashed, keys.versioned]
    paths = [f"/download/{kind}/{key}" for key in files for kind in ("files", "avimages")]
    for path in paths:
        one.get(path)
    changed = 0
    before = [shown(one.get(path)) for path in paths]
    for name in removing_last(BY_NAME):
        if BY_NAME[name].method == "GET" or BY_NAME[name].host is Host.SHARE or name in _ENDING:
            continue
        good_call(name, other, keys).send(other)
        after = [shown(one.get(path)) for path in paths]
        assert after == [slowly(instances, one, path) for path in paths], name
        changed += after != before
        before = after
    assert changed >= 3
    assert looked_up


def test_a_file_on_a_board_follows_its_owner(instances: Instances) -> None:
    one, other = instances.one, instances.other
    owner = logged_in(other.client, other.ctx, new_account(other.ctx, "owner.of.a.board@example.org"))
    file, board = owner.file("a.bin", b"on a board"), create(owner)
    add(owner, board, file.object_key)
    join(owner, board, other)
    for _ in range(3):
        assert one.get(download(file)).content == b"on a board"
        commit_something(instances)
    owner.trash(file.object_key)
    assert error_of(one.get(download(file)))[0] == 404


def test_a_server_that_was_put_back_has_another_change_with_the_same_number(instances: Instances) -> None:
    account_id, changes = instances.one.account.account_id, RememberedAnswers(instances.one.ctx)
    first = changes.newest_change(account_id, StoreVersion("one", 1))
    assert changes.newest_change(account_id, StoreVersion("one", 2)) == first
    again = changes.newest_change(account_id, StoreVersion("another", 1))
    assert (again.number, again == first) == (first.number, False)


def test_only_so_many_accounts_are_remembered(instances: Instances) -> None:
    changes = RememberedAnswers(instances.one.ctx)
    for number in range(ACCOUNTS_REMEMBERED + 10):
        changes.newest_change(-number, StoreVersion("one", 1))
    assert changes.accounts == ACCOUNTS_REMEMBERED
