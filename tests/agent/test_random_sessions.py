"""Random sessions of an agent beside other people's work, undone and compared with a model."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.agent.session_model import OTHER, Account, ForeignAccount, OwnAccount, Session
from tests.agent.shelf import Shelf
from tests.client.serving import ClientServer, Person
from tests.foreign.server import ForeignServer, foreign_server

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.changeset import Changeset
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.journal import Journal
from skyshelf.agent.undo import undo
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client

SEEDS_EACH = 25


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make so many rounds of 25 seeds on each kind of server as the run asks for: ten rounds are 500 seeds."""
    if "session_round" in metafunc.fixturenames:
        metafunc.parametrize("session_round", range(metafunc.config.getoption("--agent-rounds")))


def seeds_from(first: int, number: int) -> range:
    return range(first + number * SEEDS_EACH, first + (number + 1) * SEEDS_EACH)


@pytest.fixture(scope="module")
def foreign() -> Iterator[ForeignServer]:
    with foreign_server() as server:
        yield server


def check(settings: Any, account: Account, path: Path, seed: int) -> None:
    changeset, journal = Changeset(), Journal(path)
    client = partial(AsyncClient, **settings, retry_wait=0.01, agent_session=changeset.id)
    with Bridge(Dispatcher(client, journal=journal, changeset=changeset, environment={})) as bridge:
        session = Session(seed, account, bridge)
        session.run()
        if not any(entry.session for entry in journal.entries()):
            return
        envelope: Any = undo(bridge, journal, changeset.id)
    assert envelope["ok"] is True, (seed, envelope)
    reasons = [(each["tool"], key) for each in envelope["result"]["left"] for key in each["objects"]]
    # Links stay where a server cannot revoke them.
    left = {key for tool, key in reasons if account.has_history or tool != "share_link"}
    others = {key for key, deeds in session.deeds.items() if OTHER in {who for who, _ in deeds}}
    session.check(left, others_acted_on=others)


def check_own(person: Person, folder: Path, seed: int) -> None:
    with Client(**person.settings, retry_wait=0.01) as client:
        shelf = Shelf(client, folder)
        photos = shelf.folder("/Photos/2024").key
        shelf.file("a.txt", b"a")
        shelf.file("deep.txt", b"deep", photos)
        client.move_to_trash([shelf.file("old.txt", b"old")])
        check(person.settings, OwnAccount(client, shelf.file), folder / f"{seed}.jsonl", seed)


@pytest.mark.parametrize("seed", range(3))
def test_a_random_session_is_undone_by_history(seed: int, person: Person, tmp_path: Path) -> None:
    check_own(person, tmp_path, seed)


@pytest.mark.parametrize("seed", range(6))
def test_a_random_session_is_undone_without_history(seed: int, foreign: ForeignServer, tmp_path: Path) -> None:
    foreign.begin(foreign.quirk)
    check(foreign.settings, ForeignAccount(foreign.drive), tmp_path / "journal.jsonl", seed)


@pytest.mark.whole
def test_many_random_sessions_are_undone_by_history(
    session_round: int, person: Person, client_host: ClientServer, tmp_path: Path
) -> None:
    for seed in seeds_from(1000, session_round):
        check_own(client_host.person(), tmp_path, seed)


@pytest.mark.whole
def test_many_random_sessions_are_undone_without_history(
    session_round: int, foreign: ForeignServer, tmp_path: Path
) -> None:
    for seed in seeds_from(2000, session_round):
        foreign.begin(foreign.quirk)
        check(foreign.settings, ForeignAccount(foreign.drive), tmp_path / f"{seed}.jsonl", seed)
