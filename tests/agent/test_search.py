"""Repeating a search in an unchanged account costs one request, whatever its size."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from tests.agent.shelf import Shelf
from tests.client.serving import ClientServer, Person

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.caches import SEARCHES_MAX
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.client.api.changes import AsyncChanges
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import NotOfferedError
from skyshelf.testing.proxy import FaultProxy

FOLDERS = 12


class Searching:
    """A bridge whose requests are counted."""

    def __init__(self, person: Person, proxy: FaultProxy, client: type[AsyncClient] = AsyncClient) -> None:
        settings: dict[str, Any] = {**person.settings, "server": proxy.url}
        self.proxy = proxy
        self.bridge = Bridge(Dispatcher(partial(client, **settings)))
        assert self.bridge.call({"tool": "account_info"})["ok"] is True

    def __call__(self, query: str, **more: object) -> tuple[list[str], int]:
        """The names found, and the number of requests."""
        before = self.proxy.requests
        envelope: Any = self.bridge.call({"tool": "search_files", "arguments": {"query": query, **more}})
        assert envelope["ok"] is True, envelope
        return sorted(each["name"] for each in envelope["result"]), self.proxy.requests - before


@pytest.fixture
def searching(person: Person, shelf: Shelf) -> Iterator[Searching]:
    for number in range(FOLDERS):
        shelf.folder(f"/folder {number}")
        shelf.file(f"note {number}.txt", folder=f"/folder {number}")
    with FaultProxy(person.server.url) as proxy:
        found = Searching(person, proxy)
        yield found
        found.bridge.close()


def test_a_repeated_search_only_asks_whether_something_changed(searching: Searching) -> None:
    first, asked = searching("note")
    assert len(first) == FOLDERS
    # Not a walk, which would take two listings per folder.
    assert asked < FOLDERS
    assert searching("note") == (first, 1)
    assert len(searching("note", limit=3)[0]) == 3
    everything, _ = searching("")
    assert searching("") == (everything, 1)


def test_a_change_of_any_kind_is_seen_by_the_next_search(searching: Searching, shelf: Shelf) -> None:
    assert searching("note 7.txt")[0] == ["note 7.txt"]
    made = shelf.file("another note 7.txt")
    assert searching("note 7.txt")[0] == ["another note 7.txt", "note 7.txt"]
    shelf.client.rename(made, "gone.txt")
    assert searching("note 7.txt")[0] == ["note 7.txt"]
    shelf.client.move_to_trash(["/folder 7"])
    assert searching("note 7.txt")[0] == []
    assert searching("note 7.txt") == ([], 1)


def test_the_bridges_own_changes_are_seen_too(searching: Searching) -> None:
    assert searching("new folder")[0] == []
    assert searching.bridge.call({"tool": "create_folder", "arguments": {"name": "new folder"}})["ok"] is True
    assert searching("new folder")[0] == ["new folder"]


def test_the_cache_of_searches_is_bounded(searching: Searching) -> None:
    for number in range(SEARCHES_MAX + 1):
        searching(f"nothing {number}")
    assert searching(f"nothing {SEARCHES_MAX}") == ([], 1)
    assert searching("nothing 0")[1] > 1


def test_a_server_without_a_change_feed_is_searched_every_time(person: Person, shelf: Shelf) -> None:
    asked: list[str] = []

    class NoChanges(AsyncChanges):
        async def current_cursor(self) -> str:
            asked.append("current")
            raise NotOfferedError("this server cannot report changes", status=404)

    class Silent(AsyncClient):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.changes = NoChanges(self._engine)

    shelf.file("a.txt")
    with FaultProxy(person.server.url) as proxy:
        searching = Searching(person, proxy, Silent)
        assert searching("a")[0] == ["a.txt"]
        shelf.file("ab.txt", b"b")
        assert searching("a")[0] == ["a.txt", "ab.txt"]
        searching.bridge.close()
    assert asked == ["current"]


def test_another_account_gets_its_own_results(client_host: ClientServer, person: Person, shelf: Shelf) -> None:
    shelf.file("mine.txt")
    other = client_host.person()
    settings = [person.settings, other.settings]
    dispatcher = Dispatcher(lambda: AsyncClient(**settings[0]))
    with Bridge(dispatcher) as bridge:
        found: Any = bridge.call({"tool": "search_files", "arguments": {"query": "mine"}})
        assert found["count"] == 1
        # The session ends, and another user logs in.
        shelf.client.logout()
        settings.pop(0)
        ended: Any = bridge.call({"tool": "search_files", "arguments": {"query": "mine"}})
        assert ended["error"]["type"] == "AuthenticationError"
        theirs: Any = bridge.call({"tool": "search_files", "arguments": {"query": "mine"}})
        assert theirs["count"] == 0
