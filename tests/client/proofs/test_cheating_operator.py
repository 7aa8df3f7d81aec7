"""An operator with the database and the key that signs: whatever they do to a log is found by a machine that has seen
it before, and what does not fit together by one that has not."""

import copy
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from argon2 import PasswordHasher
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from tests.client.proofs.independent import Seen, verify
from tests.client.serving import ClientServer, Person
from tests.conformance.metadata.backends import BACKENDS
from tests.conformance.metadata.random_changes import RandomChanges
from tests.end_to_end.plain_client import PlainClient
from tests.real_parts import shared
from tests.server.running import RunningServer

from skyshelf.client.async_client import AsyncClient
from skyshelf.service.accounts import passwords
from skyshelf.service.context import ServiceContext
from skyshelf.service.history import logs
from skyshelf.storage.metadata.history.log import HistoryKey, Log
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.proofs.heads import key_id, read_note

STEPS = 12
A_DAY = 86_400_000
FIRST, OTHER, KEPT = (
    "a machine that verifies for the first time",
    "one with the head of another",
    "one that has seen it",
)
ALL = {FIRST, OTHER, KEPT}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.whole)])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientServer]:
    """A server process on each database, which adds nothing to a log of its own accord."""
    data = tmp_path_factory.mktemp("cheating") / "data"
    data.mkdir()
    with BACKENDS[request.param](data, shared.postgres) as backend:
        metadata, blobs = embedded_urls(data)
        metadata = backend.address if backend.name == "postgres" else metadata
        ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
        ctx.metadata.write(lambda unit: unit.outbox.put(logs.TASK, "", b"", ctx.clock.now() + A_DAY))
        process = RunningServer(data, "--metadata", metadata, "--blobs", blobs)
        process.start()
        yield ClientServer(process, ctx)
        process.close()
        ctx.metadata.close()
        ctx.blobs.close()


@pytest.fixture
def person(server: ClientServer, monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    return server.person()


class Operator:
    """Somebody who may write anything into the database, and sign heads."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.ctx = person.server.ctx
        self.account_id = person.account.account_id
        self.changes = RandomChanges(self.ctx.metadata, person.account, 3)
        self.changes.now = int(time.time() * 1000) - A_DAY // 24
        self.sizes: list[int] = []

    def work(self) -> None:
        """Change something, and log it."""
        for _ in range(STEPS):
            self.changes.step()
        logs.log_now(self.ctx, self.account_id)
        self.sizes.append(self.log().size)

    def log(self) -> Log:
        with self.ctx.metadata.read() as unit:
            found = unit.history_log.get(self.account_id)
        assert found is not None
        return found

    def run(self, statement: str, **values: Any) -> int:
        """Run a statement; how many rows it has changed."""
        values |= {"account": self.account_id}
        return self.ctx.metadata.write(lambda unit: unit.sql.run(statement, values))

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self.ctx.metadata.read() as unit:
            return [tuple(row) for row in unit.sql.all(statement, {"account": self.account_id})]

    def keys(self) -> list[HistoryKey]:
        with self.ctx.metadata.read() as unit:
            return unit.history_keys.all()

    def sign(self, key: HistoryKey | None = None, **changed: Any) -> None:
        """Sign another head."""
        head = replace(read_note(self.log().head).head, **changed)
        note = logs.sign(key or logs.current_key(self.ctx), head).note()
        self.run("UPDATE history_logs SET head = :head WHERE account_id = :account", head=note)

    def begin_again(self) -> None:
        for table in ("history_logs", "history_tiles", "history_leaves"):
            self.run(f"DELETE FROM {table} WHERE account_id = :account")
        logs.log_now(self.ctx, self.account_id)

    def log_again(self) -> None:
        """Make the log of the changes that there are now, under its former name."""
        key = self.log().log_key
        self.begin_again()
        self.run("UPDATE history_logs SET log_key = :key WHERE account_id = :account", key=bytes.fromhex(key))
        self.sign(log=key)

    def forget_after(self, size: int) -> None:
        """Remove the newest changes, and all that counts them."""
        last = self.log().start + size - 1
        self.run("DELETE FROM changes WHERE account_id = :account AND seq > :last", last=last)
        self.run("UPDATE account_counters SET change_seq = :last WHERE account_id = :account", last=last)


class Cheat(NamedTuple):
    do: Callable[[Operator], object]
    found_by: set[str]
    sentence: str


def statement(text: str) -> Callable[[Operator], object]:
    def run(operator: Operator) -> None:
        assert operator.run(f"{text} AND account_id = :account") >= 1

    return run


def swap(operator: Operator) -> None:
    for number, other in ((2, -2), (3, 2), (-2, 3)):
        operator.run(f"UPDATE changes SET seq = {other} WHERE seq = {number} AND account_id = :account")


def close_the_gap(operator: Operator) -> None:
    operator.run("DELETE FROM changes WHERE seq = 5 AND account_id = :account")
    operator.run("UPDATE changes SET seq = -seq WHERE seq > 5 AND account_id = :account")
    operator.run("UPDATE changes SET seq = -seq - 1 WHERE seq < 0 AND account_id = :account")
    operator.run("UPDATE account_counters SET change_seq = change_seq - 1 WHERE account_id = :account")


def exchange_states(operator: Operator) -> None:
    (first, states), (second, others) = operator.rows(
        "SELECT first_seq, states FROM history_leaves WHERE account_id = :account ORDER BY first_seq LIMIT 2"
    )
    for number, value in ((first, others), (second, states)):
        operator.run(
            "UPDATE history_leaves SET states = :states WHERE account_id = :account AND first_seq = :first",
            states=value,
            first=number,
        )


def show_the_head_of_somebody_else(operator: Operator) -> None:
    another = Operator(operator.person.server.person())
    another.work()
    operator.run("UPDATE history_logs SET head = :head WHERE account_id = :account", head=another.log().head)


def roll_back(operator: Operator) -> None:
    operator.forget_after(operator.sizes[1])
    operator.log_again()


def fork(operator: Operator) -> None:
    operator.forget_after(operator.sizes[1])
    operator.log_again()
    operator.changes.random.seed(99)
    operator.work()
    operator.work()


def edit_and_sign(operator: Operator) -> None:
    operator.run("UPDATE changes SET actor = 'somebody/else' WHERE seq = 3 AND account_id = :account")
    operator.log_again()


def remove_and_sign(operator: Operator) -> None:
    close_the_gap(operator)
    operator.log_again()


def swap_and_sign(operator: Operator) -> None:
    swap(operator)
    operator.log_again()


def drop_the_oldest_and_sign(operator: Operator) -> None:
    operator.run("DELETE FROM changes WHERE seq <= 5 AND account_id = :account")
    operator.begin_again()


def rotate_and_sign_with_the_former(operator: Operator) -> None:
    former = logs.current_key(operator.ctx)
    logs.rotate(operator.ctx)
    operator.sign(former, time=int(time.time() * 1000) + 10)


def use_another_key(operator: Operator) -> None:
    """Exchange the newest key for one that its predecessor has not signed; the first key has none."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key = logs.current_key(operator.ctx)
    other = replace(key, key_id=key_id(public), public_key=public, private_key=private.private_bytes_raw())
    operator.run(
        "UPDATE history_keys SET key_id = :id, public_key = :public, private_key = :private WHERE retired_at = 0",
        id=other.key_id,
        public=public,
        private=other.private_key,
    )
    operator.sign(other)


def use_another_key_after_a_rotation(operator: Operator) -> None:
    logs.rotate(operator.ctx)
    use_another_key(operator)


def drop_the_former_keys(operator: Operator) -> None:
    logs.rotate(operator.ctx)
    operator.sign()
    assert operator.run("DELETE FROM history_keys WHERE retired_at <> 0")


def backdate_a_key(operator: Operator) -> None:
    logs.rotate(operator.ctx)
    operator.sign()
    operator.run("UPDATE history_keys SET created_at = created_at - 1000 WHERE retired_at = 0")


ALTERED, MISSING = "was altered: it is not the one that was logged", "missing, though the server says"
REWRITTEN, NO_HEAD = "History was rewritten", "not a head of a history"
CHEATS = {
    # Rows of changes.
    "edit-who": Cheat(statement("UPDATE changes SET actor = 'x/y' WHERE seq = 4"), ALL, ALTERED),
    "edit-what": Cheat(statement("UPDATE changes SET kind = 'other' WHERE seq = 4"), ALL, ALTERED),
    "edit-when": Cheat(statement("UPDATE changes SET at = at + 1 WHERE seq = 4"), ALL, ALTERED),
    "edit-before": Cheat(
        statement("UPDATE changes SET before = NULL, before_folder = NULL WHERE before IS NOT NULL"), ALL, ALTERED
    ),
    "delete-one": Cheat(statement("DELETE FROM changes WHERE seq = 4"), ALL, MISSING),
    "delete-some": Cheat(statement("DELETE FROM changes WHERE seq BETWEEN 4 AND 8"), ALL, MISSING),
    "delete-newest": Cheat(lambda one: one.forget_after(one.sizes[1]), ALL, MISSING),
    "delete-oldest": Cheat(statement("DELETE FROM changes WHERE seq <= 3"), {KEPT}, "are gone, though history is kept"),
    "delete-all": Cheat(statement("DELETE FROM changes WHERE seq > 0"), {OTHER, KEPT}, "are gone, though history"),
    "reorder": Cheat(swap, ALL, ALTERED),
    "close-the-gap": Cheat(close_the_gap, ALL, ALTERED),
    # Rows of the log.
    "delete-leaves": Cheat(statement("DELETE FROM history_leaves WHERE first_seq > 0"), ALL, MISSING),
    "delete-some-leaves": Cheat(statement("DELETE FROM history_leaves WHERE first_seq = 1"), ALL, MISSING),
    "move-leaves": Cheat(statement("UPDATE history_leaves SET first_seq = 2 WHERE first_seq = 1"), ALL, ALTERED),
    "spoil-leaves": Cheat(
        lambda one: one.run("UPDATE history_leaves SET states = :states WHERE account_id = :account", states=b"\xc1"),
        ALL,
        MISSING,
    ),
    "exchange-leaves": Cheat(exchange_states, ALL, ALTERED),
    "edit-tiles": Cheat(
        lambda one: one.run(
            "UPDATE history_tiles SET hashes = :hashes WHERE account_id = :account", hashes=b"x" * 32 * one.sizes[2]
        ),
        ALL,
        "cannot prove that change 1 is in its log",
    ),
    "delete-tiles": Cheat(statement("DELETE FROM history_tiles WHERE place >= 0"), ALL, "left out changes"),
    # Rows of heads.
    "edit-head": Cheat(statement("UPDATE history_logs SET head = 'x' || head WHERE size > 0"), ALL, NO_HEAD),
    "resize-head": Cheat(
        lambda one: one.run(
            "UPDATE history_logs SET head = replace(head, :old, :new) WHERE account_id = :account",
            old=f"\n{one.sizes[2]}\n",
            new=f"\n{one.sizes[2] - 1}\n",
        ),
        ALL,
        "is not signed by any key",
    ),
    "show-another-head": Cheat(show_the_head_of_somebody_else, ALL, "shows another log"),
    "sign-other-size": Cheat(lambda one: one.sign(size=one.sizes[2] - 1), ALL, "was cut back"),
    "sign-other-root": Cheat(lambda one: one.sign(root=b"x" * 32), ALL, REWRITTEN),
    "sign-other-start": Cheat(lambda one: one.sign(start=2), ALL, "shows another log"),
    "delete-head": Cheat(statement("DELETE FROM history_logs WHERE size > 0"), {OTHER, KEPT}, "that there is no log"),
    "begin-again": Cheat(lambda one: one.begin_again(), {OTHER, KEPT}, "shows another log"),
    # Another past, signed with the true key.
    "roll-back": Cheat(roll_back, {KEPT}, "History was cut back"),
    "fork": Cheat(fork, {KEPT}, REWRITTEN),
    "edit-and-sign": Cheat(edit_and_sign, {OTHER, KEPT}, REWRITTEN),
    "remove-and-sign": Cheat(remove_and_sign, {OTHER, KEPT}, "was cut back"),
    "reorder-and-sign": Cheat(swap_and_sign, {OTHER, KEPT}, REWRITTEN),
    "drop-oldest-and-sign": Cheat(drop_the_oldest_and_sign, {OTHER, KEPT}, "shows another log"),
    # What must be kept.
    "raise-floor": Cheat(
        statement("UPDATE account_counters SET history_floor = change_seq WHERE change_seq > 0"),
        {OTHER, KEPT},
        "are gone, though history is kept for 30 days",
    ),
    "fewer-days": Cheat(
        statement("UPDATE account_counters SET history_days = 3 WHERE change_seq > 0"), {KEPT}, "is now kept for 3 days"
    ),
    # Rows of keys.
    "former-key": Cheat(rotate_and_sign_with_the_former, ALL, "which had been retired before"),
    "other-first-key": Cheat(use_another_key, {OTHER, KEPT}, "its keys were replaced"),
    "unsigned-key": Cheat(use_another_key_after_a_rotation, ALL, "is not signed by the key before it"),
    "drop-former-keys": Cheat(drop_the_former_keys, {OTHER, KEPT}, "its keys were replaced"),
    "backdate-key": Cheat(backdate_a_key, ALL, "is not signed by the key before it"),
}


@pytest.fixture
def keys(server: ClientServer) -> Iterator[None]:
    """All accounts of a server share its keys: those that a test has changed are put back."""
    logs.current_key(server.ctx)

    def rows() -> list[Any]:
        with server.ctx.metadata.read() as unit:
            return list(unit.sql.all("SELECT * FROM history_keys", {}))

    before = rows()
    yield
    if rows() != before:
        server.ctx.metadata.write(lambda unit: unit.sql.run("DELETE FROM history_keys", {}))


@pytest.mark.parametrize("name", CHEATS)
async def test_a_cheating_operator_is_found(person: Person, keys: None, tmp_path: Path, name: str) -> None:
    operator, cheat = Operator(person), CHEATS[name]
    seen = Seen()
    with PlainClient([person.server.url]) as plain:
        plain.log_in(person.account.email)
        async with AsyncClient(**person.settings, retry_wait=0.001) as client:

            def get(call: str, **params: int) -> Any:
                return plain.json("GET", f"/x/v1/history/proof/{call}", params=params)

            operator.work()
            given = operator.log().head
            operator.work()
            operator.work()
            sound = await client.history_proofs.verify(folder=tmp_path / KEPT)
            assert (sound.problems, verify(get, seen)) == ([], (sound.size, sound.records))
            assert sound.size == operator.sizes[2] == sound.records > 12

            cheat.do(operator)

            problems = {
                FIRST: (await client.history_proofs.verify(folder=tmp_path / FIRST)).problems,
                OTHER: (await client.history_proofs.verify(folder=tmp_path / OTHER, heads=[given])).problems,
                KEPT: (await client.history_proofs.verify(folder=tmp_path / KEPT, everything=True)).problems,
            }
            assert {who for who, found in problems.items() if found} == cheat.found_by, problems
            assert cheat.sentence in problems[KEPT][0]
            for who, memory in ((FIRST, Seen()), (KEPT, copy.deepcopy(seen))):
                if who in cheat.found_by:
                    with pytest.raises(Exception):  # noqa: B017, PT011 - it has no errors of its own
                        verify(get, memory)
                else:
                    verify(get, memory)
