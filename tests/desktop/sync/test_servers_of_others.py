"""Sync with a server that has the interface and nothing more."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.foreign.faults import OneFolder
from tests.foreign.quirk import NO_QUIRK
from tests.foreign.server import ForeignServer, foreign_server

from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.rounds import TwoWaySync


@pytest.fixture
def foreign() -> Iterator[ForeignServer]:
    with foreign_server() as server:
        server.begin(NO_QUIRK)
        yield server
        assert server.offences == []


def local_files(here: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(here)): path.read_bytes()
        for path in here.rglob("*")
        if path.is_file() and STATE_FOLDER not in path.parts
    }


def sync(client: Client, here: Path) -> list[str]:
    done: list[str] = []
    syncing = TwoWaySync(client, here, "/", report=lambda event: done.append(f"{event.kind} {event.path}"))
    try:
        result = syncing.run()
    finally:
        syncing.close()
    assert [path for path, _ in result.failures] == []
    return [one for one in done if not one.startswith("progress")]


def test_changes_go_both_ways_by_plain_calls_of_the_interface(foreign: ForeignServer, here: Path) -> None:
    with Client(**foreign.settings, retry_wait=0.01, lag=0.0) as client:
        sync(client, here)
        for found in client.walk():
            local = here.joinpath(*found.parts)
            if found.object.is_folder:
                assert local.is_dir()
            elif found.object.md5 is not None:
                assert hashlib.md5(local.read_bytes()).hexdigest() == found.object.md5
        renamed, deleted = (here / name for name in sorted(local_files(here))[:2])
        renamed.rename(renamed.with_name("renamed here.bin"))
        deleted.unlink()
        done = sync(client, here)
        assert f"trash remote {deleted.relative_to(here)}" in done
        assert any(one.startswith("move remote") for one in done)
        names = {found.object.name for found in client.walk()}
        assert "renamed here.bin" in names
        assert deleted.name not in names


@pytest.mark.parametrize(
    "body", [{"code": "X1", "message": "bad"}, {"error": "x"}, {}, {"objects": None}, {"Objects": []}, []], ids=str
)
def test_a_folder_of_which_the_server_says_nothing_is_not_emptied(
    foreign: ForeignServer, here: Path, body: object
) -> None:
    with Client(**foreign.settings, retry_wait=0.001, lag=0.0) as client:
        sync(client, here)
        before = local_files(here)
        foreign.quirk = OneFolder(foreign.drive.named("Photos").key, body)
        syncing = TwoWaySync(client, here, "/")
        try:
            with pytest.raises(UnexpectedAnswerError):
                syncing.run()
        finally:
            syncing.close()
        assert local_files(here) == before
        foreign.quirk = NO_QUIRK
        assert sync(client, here) == []
