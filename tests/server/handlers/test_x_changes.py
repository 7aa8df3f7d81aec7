"""What happened since: pages by cursor, everything to begin from, and the live stream."""

import asyncio
import re
import threading
from typing import Any

import pytest
from tests.server.api import Api, HeldClock, error_of, logged_in
from tests.server.listening import CHANGES, Listener

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.events import streams
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import maintenance
from skyshelf.storage.metadata.contracts.tree import Move, Rename
from skyshelf.wire.limits import CHANGE_STREAMS_PER_ACCOUNT, CHANGES_KEPT_DAYS


def now(api: Api) -> str:
    """The cursor of now."""
    page = api.get(CHANGES).json()
    assert (page["changes"], page["objects"], page["hasMore"]) == ([], [], False)
    cursor: str = page["cursor"]
    return cursor


def since(api: Api, cursor: str, **more: str) -> dict[str, Any]:
    answer = api.get(CHANGES, params={"cursor": cursor, **more})
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def happened(page: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(one["kind"], one.get("objectKey")) for one in page["changes"]]


def apply(api: Api, *changes: Any) -> None:
    api.ctx.metadata.write(lambda unit: unit.tree.apply(api.account.account_id, changes, api.ctx.clock.now()))


def test_everything_that_happens_is_reported_with_the_objects_as_they_are_now(api: Api) -> None:
    cursor = now(api)
    folder = api.folder("folder").object_key
    file = api.file("a.txt").object_key
    apply(api, Rename(file, "b.txt"), Move(file, folder))
    page = since(api, cursor)
    assert happened(page) == [("created", folder), ("created", file), ("renamed", file), ("moved", file)]
    shown = {one["objectKey"]: one for one in page["objects"]}
    assert shown.keys() == {folder, file}
    assert (shown[file]["objectName"], shown[file]["parentObjectKey"]) == ("b.txt", folder)
    assert since(api, page["cursor"]) == {"changes": [], "objects": [], "cursor": page["cursor"], "hasMore": False}
    assert page["cursor"] == now(api)


def test_one_object_tells_a_move_from_a_new_name(api: Api, other_api: Api) -> None:
    folder = api.folder("folder").object_key
    file = api.file("a.txt").object_key
    apply(api, Rename(file, "b.txt"))
    apply(api, Move(file, folder))
    path = f"/x/v1/objects/{file}/changes"
    assert [one["kind"] for one in api.get(path).json()["changes"]] == ["moved", "renamed", "created"]
    assert error_of(other_api.get(path)) == error_of(api.get(f"/x/v1/objects/{'F' * 32}/changes"))
    api.trash(file)
    assert api.get(path).status_code == 404


def test_what_is_trashed_is_reported_with_its_status_and_what_is_purged_is_not_among_the_objects(api: Api) -> None:
    file, other = api.file("a.txt").object_key, api.file("b.txt").object_key
    cursor = now(api)
    api.trash(file, other)
    page = since(api, cursor)
    assert happened(page) == [("trashed", file), ("trashed", other)]
    assert [one["status"] for one in page["objects"]] == ["T", "T"]
    api.post("/x/v1/trash/purge", json={"objectKeys": [file]})
    api.post("/x/v1/trash/empty")
    later = since(api, page["cursor"])
    assert happened(later) == [("purged", file), ("emptied", None)]
    assert later["objects"] == []
    assert since(api, cursor)["objects"] == []


def test_pages_follow_each_other_without_holes(api: Api) -> None:
    cursor = now(api)
    keys = [api.folder(f"{number}").object_key for number in range(7)]
    reported: list[str] = []
    more = True
    while more:
        page = since(api, cursor, limit="3")
        reported += [one["objectKey"] for one in page["changes"]]
        cursor, more = page["cursor"], page["hasMore"]
    assert reported == keys


def test_a_cursor_that_is_too_old_is_refused_and_the_newer_ones_go_on(api: Api, clock: HeldClock) -> None:
    first = now(api)
    api.folder("old")
    middle = now(api)
    clock.advance(days=CHANGES_KEPT_DAYS + 1)
    api.folder("new")
    for _ in maintenance.expire_changes(api.ctx):
        pass
    assert error_of(api.get(CHANGES, params={"cursor": first})) == (410, "SKY1011")
    assert error_of(api.get(f"{CHANGES}/stream", params={"cursor": first, "seconds": "0"})) == (410, "SKY1011")
    assert len(since(api, middle)["changes"]) == 1
    assert since(api, now(api))["changes"] == []


def test_a_cursor_of_a_history_that_never_was_is_refused(api: Api) -> None:
    """A store that was restored from a backup gives its numbers again, to other changes."""
    api.folder("a")
    cursor = now(api)
    number, _, at = cursor.removeprefix("c").partition("-")
    assert error_of(api.get(CHANGES, params={"cursor": f"c{number}-{int(at) + 1}"})) == (410, "SKY1011")
    assert error_of(api.get(CHANGES, params={"cursor": f"c{int(number) + 5}-{at}"})) == (410, "SKY1011")


@pytest.mark.parametrize("cursor", ["x", "c", "c1", "c1-", "c-1", "c1-1x", "c١-1", "c1-1\n", "c" + "9" * 40 + "-1"])
def test_what_is_no_cursor_is_refused(api: Api, cursor: str) -> None:
    for path in (CHANGES, f"{CHANGES}/everything", f"{CHANGES}/stream"):
        assert error_of(api.get(path, params={"cursor": cursor})) == (400, "SKY1010")


def test_everything_and_the_changes_since_make_a_whole_picture(api: Api) -> None:
    folder = api.folder("folder").object_key
    below = api.file("below.txt", parent_key=folder).object_key
    trashed = api.file("trashed.txt").object_key
    api.trash(folder, trashed)
    first = api.get(f"{CHANGES}/everything", params={"limit": "2"}).json()
    meanwhile = api.file("meanwhile.txt").object_key
    second = api.get(f"{CHANGES}/everything", params={"limit": "2", "cursor": first["nextCursor"]}).json()
    assert second["changesCursor"] == first["changesCursor"]
    listed = {one["objectKey"]: one for page in (first, second) for one in page["objects"]}
    assert {folder, below, trashed} <= listed.keys()
    assert api.root_key not in listed
    assert listed[folder]["status"] == "T"
    reported = since(api, first["changesCursor"])
    assert happened(reported) == [("created", meanwhile)]


def test_accounts_do_not_hear_of_each_other(api: Api, other_api: Api) -> None:
    cursor = now(other_api)
    mine = now(api)
    api.folder("mine")
    assert since(other_api, cursor)["changes"] == []
    assert other_api.get(f"{CHANGES}/everything").json()["objects"] == []
    # A cursor is nothing but a place: of somebody else's it tells the own changes, or is too old.
    assert other_api.get(CHANGES, params={"cursor": mine}).status_code in (200, 410)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.02)


@pytest.mark.usefixtures("quick")
def test_a_stream_shows_what_happens_also_when_another_instance_writes(app: SkyshelfApp, api: Api) -> None:
    async def listen() -> None:
        async with Listener(app, api) as listener:
            events = listener.events()
            start, _ = await anext(events)
            assert listener.status == 200
            # Straight into the store, as another process would: nothing tells this one but its own look.
            key = (await asyncio.to_thread(api.folder, "new")).object_key
            cursor, page = await anext(events)
            assert happened(page) == [("created", key)]
            assert page["objects"][0]["objectName"] == "new"
            assert cursor != start
        # Whoever comes back says what was heard last, in the header or in the query.
        missed = (await asyncio.to_thread(api.folder, "missed")).object_key
        for query, headers in ((f"cursor={cursor}", {}), (f"cursor={start}", {"last-event-id": cursor})):
            async with Listener(app, api, query, headers) as listener:
                events = listener.events()
                await anext(events)
                _, page = await anext(events)
                assert happened(page) == [("created", missed)]

    asyncio.run(listen())


@pytest.mark.usefixtures("quick")
def test_a_stream_ends_with_its_session_and_shows_nothing_after_it(
    app: SkyshelfApp, api: Api, ctx: ServiceContext
) -> None:
    other_session = logged_in(api.client, ctx, api.account)

    async def listen() -> None:
        async with Listener(app, api) as listener:
            events = listener.events()
            await anext(events)
            answer = await asyncio.to_thread(api.put, "/security/users/logout")
            assert answer.status_code == 204
            await asyncio.to_thread(other_session.folder, "after the logout")
            assert [page async for _, page in events] == []

    asyncio.run(listen())


@pytest.mark.usefixtures("quick")
def test_all_streams_end_when_the_server_stops(app: SkyshelfApp, api: Api) -> None:
    async def listen() -> None:
        async with Listener(app, api) as listener:
            pieces = listener.pieces()
            await anext(pieces)
            app.change_streams.end()
            (last,) = [piece async for piece in pieces]
            assert re.fullmatch(r"retry: \d+\n: the server stops, reconnect\n\n", last)
        async with Listener(app, api) as late:
            first, *rest = [piece async for piece in late.pieces()]
            assert "event: start" in first
            assert all("reconnect" in piece for piece in rest)

    asyncio.run(listen())


@pytest.mark.usefixtures("quick")
def test_a_stream_shows_that_it_lives_and_ends_after_its_seconds(
    app: SkyshelfApp, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyshelf.server.api import changes as handlers

    monkeypatch.setattr(handlers, "HEARTBEAT_SECONDS", 0.01)

    async def listen() -> None:
        async with Listener(app, api, "seconds=1") as listener:
            pieces = [piece async for piece in listener.pieces()]
            assert pieces[0].startswith("retry: ")
            assert pieces[1:]
            assert set(pieces[1:]) == {": still here\n\n"}

    asyncio.run(listen())


@pytest.mark.usefixtures("quick")
def test_an_account_has_so_many_streams_and_no_more_and_they_hold_no_threads(app: SkyshelfApp, api: Api) -> None:
    async def listen() -> None:
        from contextlib import AsyncExitStack

        async with AsyncExitStack() as open_streams:
            before = threading.active_count()
            for _ in range(CHANGE_STREAMS_PER_ACCOUNT):
                listener = await open_streams.enter_async_context(Listener(app, api))
                await anext(listener.pieces())
                assert listener.status == 200
            # The pool of the calls, whatever the number of streams.
            assert threading.active_count() <= before + 16
            refused = await open_streams.enter_async_context(Listener(app, api))
            assert refused.status == 429
        async with Listener(app, api) as again:
            assert again.status == 200

    asyncio.run(listen())
