"""What a program remembers of a server's data, and the sentences that say why they are others."""

from pathlib import Path

import pytest
from tests.client.serving import ClientServer, Person, begin_epoch

from skyshelf.client.epochs import EpochFile, KnownEpoch, are_many, explain_difference, known_epoch, read_epoch
from skyshelf.client.errors import ServerStateError
from skyshelf.client.sync_client import Client
from skyshelf.testing.faults import FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.wire.resources.changes import ServerEpoch

KNOWN = KnownEpoch("first", "c5-5")
RESTORED = ServerEpoch(epoch="second", reason="restored", date=1_777_000_000_000, state_date=1_776_000_000_000)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (ServerEpoch(epoch="first", is_cursor_known=True), None),
        (ServerEpoch(epoch="first", is_cursor_known=False), "the server has gone back to an older state"),
        (RESTORED, "the server was restored on 2026-04-24 from a backup of 2026-04-12"),
        (ServerEpoch(epoch="second", reason="restored"), "the server was restored from a backup"),
        (ServerEpoch(epoch="second", reason="moved", date=0), "the server was moved to another place on 1970-01-01"),
        (ServerEpoch(epoch="second", reason="adopted"), "the server was started with an older database"),
        (ServerEpoch(epoch="second", reason="of a later version"), "the server has other data than before"),
        (ServerEpoch(), "the server has other data than before"),
    ],
)
def test_each_reason_is_a_sentence(now: ServerEpoch, words: str | None) -> None:
    assert explain_difference(KNOWN, now) == words


@pytest.mark.parametrize(
    ("reverted", "files", "expected"),
    [(0, 0, False), (1, 1, False), (2, 2, False), (3, 3, True), (3, 6, False), (9, 100, False), (10, 10_000, True)],
)
def test_a_few_files_that_went_back_are_somebody_and_many_are_the_server(
    reverted: int, files: int, *, expected: bool
) -> None:
    assert are_many(reverted, files) is expected


def test_an_epoch_is_remembered_per_account_and_another_one_is_an_error(
    client_host: ClientServer, person: Person, tmp_path: Path
) -> None:
    file = tmp_path / "state" / "server.json"
    with Client(**person.settings) as client, Client(**client_host.person().settings) as other:

        def run(one: Client, *, accept: bool = False) -> None:
            epochs = EpochFile(one, file)
            epochs.check(accept=accept, advice="Do something.")
            assert epochs.has_epochs
            epochs.save()

        run(client)
        run(other)
        client_host.ctx.metadata.write(begin_epoch)
        for one in (client, other):
            with pytest.raises(ServerStateError, match=r"^The server has other data than before\. Do something\.$"):
                run(one)
        run(client, accept=True)
        run(client)
        with pytest.raises(ServerStateError):
            run(other)
        file.write_bytes(b"nonsense")
        run(other)


def test_an_epoch_that_begins_during_a_run_is_noticed_at_its_end(
    client_host: ClientServer, person: Person, tmp_path: Path
) -> None:
    with Client(**person.settings) as client:
        epochs = EpochFile(client, tmp_path / "server.json")
        epochs.check(accept=False, advice="")
        client_host.ctx.metadata.write(begin_epoch)
        with pytest.raises(ServerStateError, match="During this run, the server has other data than before"):
            epochs.save()
        assert not (tmp_path / "server.json").exists()


def test_a_server_that_no_longer_has_epochs_is_another_one(person: Person) -> None:
    with FaultProxy(person.server.url, FaultPlan()) as proxy:
        with Client(**person.settings | {"server": proxy.url}) as client:
            known = known_epoch(read_epoch(client, None))
            assert known is not None
        proxy.has_extensions = False
        with Client(**person.settings | {"server": proxy.url}) as client:
            assert read_epoch(client, None) is None
            now = read_epoch(client, known)
            assert now is not None
            assert explain_difference(known, now) == "the server has other data than before"
