"""Verification of history against a server that lies: whatever it changes is noticed, and said in a sentence."""

import base64
import itertools
import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from skyshelf.client.proofs.heads import KeptHeads, joined_notes, split_notes
from skyshelf.client.proofs.verification import HistoryCheck, Verification
from skyshelf.storage.metadata.history.log import grown, needed_places, range_hashes
from skyshelf.wire.proofs.heads import Head, SignedHead, key_hash, key_id, succession
from skyshelf.wire.proofs.leaves import Body, encode_state, hash_of_body, hash_of_leaf
from skyshelf.wire.proofs.merkle import Range, consistency_ranges, inclusion_ranges
from skyshelf.wire.resources.history import (
    HistoryEntry,
    HistoryHead,
    HistoryLeaf,
    KeyOfHistory,
    KeysOfHistory,
    PastState,
    RestoreOfServer,
)

LOG = "0123456789ABCDEF" * 2
START = 4
NOW = 1_700_000_000_000


def text(value: bytes) -> str:
    return base64.b64encode(value).decode()


class Server:
    """A server with a log; tests make it lie."""

    def __init__(self, size: int = 300) -> None:
        self.bodies = [self.body(f"{number}.txt") for number in range(size)]
        self.private = [Ed25519PrivateKey.generate()]
        self.keys_shown = [KeyOfHistory(key_id=key_id(self.public()), public_key=text(self.public()), created_date=NOW)]
        self.restores: list[RestoreOfServer] = []
        self.kept_from = START
        self.days: int | None = None
        self.forgotten: int | None = None
        self.at = NOW
        self.log = LOG
        self.clock = itertools.count(NOW + 1)

    def body(self, name: str) -> Body:
        state = encode_state(bytes(16), (False, "A", name, 3), (b"s" * 32, b"m" * 16), 1, (0, 0))
        return Body("created", os.urandom(16), "", None, state)

    def public(self, number: int = -1) -> bytes:
        return self.private[number].public_key().public_bytes_raw()

    def rotate(self) -> None:
        former, now = self.keys_shown[-1].key_id or "", next(self.clock)
        self.keys_shown[-1] = replace(self.keys_shown[-1], retired_date=now)
        self.private.append(Ed25519PrivateKey.generate())
        signature = self.private[-2].sign(succession(former, self.public(), now))
        self.keys_shown.append(
            KeyOfHistory(
                key_id=key_id(self.public()),
                public_key=text(self.public()),
                created_date=now,
                signature=text(signature),
            )
        )

    def leaf_hashes(self) -> list[bytes]:
        return [hash_of_leaf(START + at, self.at, hash_of_body(one.encoded())) for at, one in enumerate(self.bodies)]

    def hashes(self, ranges: list[Range]) -> list[bytes]:
        tiles = grown(0, {}, self.leaf_hashes())
        assert set(needed_places(ranges)) <= set(tiles)
        return range_hashes(tiles, ranges)

    def note(self, key: int = -1) -> str:
        [root] = self.hashes([(0, len(self.bodies))])
        head = Head(self.log, len(self.bodies), root, START, next(self.clock))
        signature = self.private[key].sign(head.text())
        return SignedHead(head, key_hash(key_id(self.public(key))), signature).note()

    async def head(self) -> HistoryHead:
        return HistoryHead(
            note=self.note(),
            size=len(self.bodies),
            kept_from=self.kept_from,
            waiting=0,
            days=self.days,
            forgotten_date=self.forgotten,
        )

    async def keys(self) -> KeysOfHistory:
        return KeysOfHistory(keys=self.keys_shown, restores=self.restores)

    async def consistency(self, old_size: int, size: int) -> list[bytes]:
        return self.hashes(consistency_ranges(old_size, size))

    async def inclusion(self, number: int, size: int) -> list[bytes]:
        return self.hashes(inclusion_ranges(number - START, size))

    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = list(enumerate(zip(self.leaf_hashes(), self.bodies, strict=True), start=START))
        return [
            HistoryLeaf(
                number=at,
                hash=text(leaf),
                date=self.at if at >= self.kept_from else None,
                record=text(body.encoded()) if at >= self.kept_from else None,
            )
            for at, (leaf, body) in found[number - START :][:limit]
        ]

    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        found = []
        for at, body in list(enumerate(self.bodies, start=START))[: number - START][-limit:]:
            name = f"{at - START}.txt"
            state = PastState(
                object_name=name,
                parent_object_key="00" * 16,
                status="A",
                is_favorite=False,
                version=1,
                size_in_bytes=3,
                hash=(b"m" * 16).hex(),
            )
            key = body.object_key.hex().upper()
            found.append(
                HistoryEntry(number=at, date=self.at, kind="created", object_key=key, is_folder=False, after=state)
            )
        return found[::-1]


class Machine:
    """A machine that verifies, and keeps what it saw."""

    def __init__(self) -> None:
        self.kept = KeptHeads(server="https://drive.example.org", account="A")

    async def verify(
        self, server: Any, *given: str, everything: bool = False, accept_forgotten: bool = False
    ) -> HistoryCheck:
        verification = Verification(server, self.kept, given, accept_forgotten=accept_forgotten)
        found = await verification.run(100, everything=everything)
        if found.is_intact and found.note is not None:
            self.kept = self.kept.with_head(found.note, found.key_id or "", found.size, verification.records)
        return found


async def problem_of(machine: Machine, server: Any, *given: str, everything: bool = False) -> str:
    [problem] = (await machine.verify(server, *given, everything=everything)).problems
    return problem


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
async def machine(server: Server) -> Machine:
    """One that has seen the server's head."""
    machine = Machine()
    found = await machine.verify(server)
    assert (found.problems, found.is_first, found.changes, found.records) == ([], True, 300, 300)
    return machine


async def test_a_log_that_grows_continues_every_head_and_only_new_changes_are_read(
    server: Server, machine: Machine
) -> None:
    for size in (301, 400, 512, 513):
        server.bodies += [server.body(f"{at}.txt") for at in range(len(server.bodies), size)]
        before = machine.kept.checked
        found = await machine.verify(server)
        assert found.problems == []
        assert found.changes == found.records == size - before
    assert found.heads == 4
    assert (await machine.verify(server, everything=True)).changes == 513
    assert not found.is_first


async def test_records_that_are_no_longer_kept_leave_the_log_provable(server: Server, machine: Machine) -> None:
    server.kept_from = START + 250
    server.bodies += [server.body("300.txt")]
    assert (await machine.verify(server)).problems == []
    found = await machine.verify(server, everything=True)
    assert (found.problems, found.changes, found.records) == ([], 301, 51)


async def test_a_machine_that_begins_later_reads_what_is_kept(server: Server) -> None:
    server.kept_from = START + 250
    found = await Machine().verify(server)
    assert (found.problems, found.changes, found.records) == ([], 50, 50)


def change_a_leaf(server: Server) -> None:
    server.bodies[17] = server.body("other.txt")


def drop_a_leaf(server: Server) -> None:
    del server.bodies[17]
    server.bodies += [server.body("300.txt"), server.body("301.txt")]


def add_in_between(server: Server) -> None:
    server.bodies.insert(0, server.body("other.txt"))


@pytest.mark.parametrize("lie", [change_a_leaf, drop_a_leaf, add_in_between])
async def test_a_rewritten_past_is_noticed(server: Server, machine: Machine, lie: Callable[[Server], None]) -> None:
    lie(server)
    assert (await problem_of(machine, server)).startswith("History was rewritten: what the head of 2023-11-14")
    server.bodies += [server.body("x.txt") for _ in range(300)]
    assert (await problem_of(machine, server)).startswith("History was rewritten")


async def test_a_fork_is_noticed_by_the_machine_that_saw_the_other_side(server: Server, machine: Machine) -> None:
    other = Machine()
    other.kept = machine.kept
    server.bodies += [server.body("300.txt")]
    assert (await machine.verify(server)).is_intact
    server.bodies[-1] = server.body("300.txt")
    assert (await other.verify(server)).is_intact, "nothing of it was seen here"
    assert (await problem_of(machine, server)).startswith("History was rewritten")
    exported = split_notes(joined_notes(other.kept.notes))
    assert exported == other.kept.notes
    server.bodies += [server.body("301.txt")]
    assert len((await other.verify(server, *machine.kept.notes)).problems) == 1


async def test_an_older_state_is_noticed_and_a_restore_explains_it(server: Server, machine: Machine) -> None:
    del server.bodies[-10:]
    problem = await problem_of(machine, server)
    assert problem.startswith("History was cut back: the head of 2023-11-14")
    assert "has changes up to number 303, and the log now ends with 293." in problem
    assert problem.endswith("The server has recorded no restore that would explain it.")
    server.restores = [RestoreOfServer(date=NOW + 10_000, state_date=NOW - 86_400_000)]
    problem = await problem_of(machine, server)
    assert "restored on 2023-11-14 22:13 UTC from a backup of 2023-11-13 22:13 UTC" in problem
    machine.kept = machine.kept.begun_again()
    assert (await machine.verify(server)).is_intact
    assert machine.kept.former


async def test_another_log_is_noticed(server: Server, machine: Machine) -> None:
    server.log = LOG[::-1]
    assert (await problem_of(machine, server)).startswith("The server shows another log than that of the head of")


async def test_a_log_that_is_gone_is_noticed(machine: Machine) -> None:
    class Empty(Server):
        async def head(self) -> HistoryHead:
            return HistoryHead(size=0, newest_number=5)

    assert (await problem_of(machine, Empty())).startswith(
        "The server says that there is no log, though you keep heads"
    )
    found = await Machine().verify(Empty())
    assert (found.problems, found.note, found.waiting) == ([], None, 5)


async def test_a_new_key_is_accepted_if_the_former_one_signed_it(server: Server, machine: Machine) -> None:
    server.rotate()
    server.bodies += [server.body("300.txt")]
    assert (await machine.verify(server)).is_intact
    assert len(machine.kept.keys) == 2
    note = server.note(key=0)

    class Retired(Server):
        async def head(self) -> HistoryHead:
            return HistoryHead(note=note, kept_from=START)

    server.__class__ = Retired
    assert (await problem_of(machine, server)).endswith("which had been retired before.")


async def test_a_replaced_key_is_noticed(server: Server, machine: Machine) -> None:
    bodies = server.bodies
    other = Server(0)
    other.bodies = bodies
    problem = await problem_of(machine, other)
    assert problem.endswith("and the server no longer publishes it: its keys were replaced.")
    other.keys_shown = [*server.keys_shown, replace(other.keys_shown[0], signature=text(b"x" * 64))]
    assert "is not signed by the key before it" in await problem_of(machine, other)
    other.keys_shown = [replace(other.keys_shown[1], key_id=server.keys_shown[0].key_id)]
    assert (await problem_of(machine, other)).startswith("The server publishes a key whose id is not its own")
    other.keys_shown = server.keys_shown
    assert await problem_of(machine, other) == "The server's head is not signed by any key of this server."


@pytest.fixture
def young() -> Server:
    """A server whose changes were made a moment ago, and whose history is kept for 30 days."""
    server = Server()
    server.at = int(time.time() * 1000)
    server.days = 30
    return server


async def test_records_that_vanish_before_their_time_are_noticed(young: Server) -> None:
    machine = Machine()
    assert (await machine.verify(young)).is_intact
    young.kept_from = START + 250
    sentence = (
        f"The records of changes {START} to {START + 249} are gone, though history is kept for 30 days, and they"
        " are younger. The server has recorded nothing that would explain it. If that was you, or your operator keeps"
        " history for fewer days, go on with --accept-forgotten."
    )
    assert await problem_of(machine, young) == sentence
    assert await problem_of(machine, young, everything=True) == sentence
    young.forgotten = NOW
    assert "you had your history forgotten on 2023-11-14 22:13 UTC." in await problem_of(machine, young)
    assert (await machine.verify(young, accept_forgotten=True)).is_intact
    assert (await machine.verify(young, everything=True)).is_intact
    young.bodies += [young.body(f"{at}.txt") for at in range(300, 310)]
    assert (await machine.verify(young)).is_intact
    young.kept_from = START + 310
    assert (await problem_of(machine, young)).startswith(f"The records of changes {START + 250} to")


async def test_records_whose_time_is_over_may_go(young: Server) -> None:
    young.at -= 20 * 86_400_000
    machine = Machine()
    assert (await machine.verify(young)).is_intact
    assert machine.kept.records.first_of_day == {young.at // 86_400_000: START}
    young.kept_from = START + 250
    young.days = 20
    accepted = await machine.verify(young, accept_forgotten=True)
    assert accepted.is_intact
    assert machine.kept.records.first_of_day == {}


async def test_a_history_that_is_kept_for_fewer_days_is_noticed_before_anything_goes(young: Server) -> None:
    machine = Machine()
    assert (await machine.verify(young)).is_intact
    for days, shown in ((7, "7 days"), (None, "an unknown time")):
        young.days = days
        problem = await problem_of(machine, young)
        assert problem.startswith(f"History was kept for 30 days when you last looked, and is now kept for {shown}.")
    young.days = 60
    assert (await machine.verify(young)).is_intact
    young.days = 30
    assert "was kept for 60 days" in await problem_of(machine, young)
    assert (await machine.verify(young, accept_forgotten=True)).is_intact
    assert (await machine.verify(young)).is_intact


class DropsRecords(Server):
    """Somebody has deleted rows, and the server does not say so."""

    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = await super().leaves(number, limit)
        return [replace(one, record=None, date=None) if one.number in {20, 21, 150} else one for one in found]


class ExpiresMeanwhile(Server):
    """Records go between two calls, because their time is over."""

    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        self.kept_from = START + 50
        return await super().leaves(number, limit)


async def test_records_that_go_while_they_are_read_are_not_missing() -> None:
    found = await Machine().verify(ExpiresMeanwhile())
    assert (found.problems, found.records) == ([], 250)


class AltersRecords(Server):
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = await super().leaves(number, limit)
        return [replace(found[0], record=text(self.body("other.txt").encoded())), *found[1:]]


class LeavesOut(Server):
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = await super().leaves(number, limit)
        return [*found[:5], *found[6:]]


class SendsNothing(Server):
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        return []


class HidesFromHistory(Server):
    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        return [one for one in await super().listed(number, limit) if one.number != START + 120]


class ShowsOther(Server):
    async def listed(self, number: int, limit: int) -> list[HistoryEntry]:
        found = await super().listed(number, limit)
        assert found[0].after is not None
        return [replace(found[0], device_key="X", after=replace(found[0].after, hash="00" * 16)), *found[1:]]


class OtherLeaves(Server):
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = await super().leaves(number, limit)
        return [*found[:-1], replace(found[-1], hash=text(b"x" * 32), record=None)]


class FirstLeafOther(Server):
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = await super().leaves(number, limit)
        return [replace(found[0], hash=text(b"x" * 32), record=None), *found[1:]]


class NoHashes(Server):
    async def leaves(self, number: int, limit: int) -> list[HistoryLeaf]:
        found = await super().leaves(number, limit)
        return [found[0], *(replace(one, hash="no", record=None) for one in found[1:])]


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (AltersRecords, "The record of change 4 was altered: it is not the one that was logged."),
        (
            DropsRecords,
            "The records of 3 changes from 20 on are missing, though the server says that it keeps all from 4 on.",
        ),
        (LeavesOut, "The server left out changes: number 4 or one soon after it is missing."),
        (SendsNothing, "The server left out changes: number 4 or one soon after it is missing."),
        (HidesFromHistory, "Change 124 is in the log, but the history does not list it."),
        (ShowsOther, "The history shows change 103 otherwise than it was logged: device, hash after."),
        (OtherLeaves, "The changes that the server shows are not those of its own signed head."),
        (FirstLeafOther, "The server cannot prove that change 4 is in its log."),
        (NoHashes, "The server sent a leaf that is no hash, after change 4."),
    ],
)
async def test_what_the_history_shows_must_be_what_was_logged(kind: type[Server], sentence: str) -> None:
    machine = Machine()
    assert await problem_of(machine, kind()) == sentence
    assert machine.kept.notes == [], "a head that does not fit is not kept as a good one"


@pytest.mark.parametrize(
    "note", ["", "x", "skyshelf-history/0\n1\n\n", "x" * 5000, "skyshelf-history/" + LOG + "\n1\n"]
)
async def test_a_head_that_is_none_is_refused(note: str) -> None:
    class Wrong(Server):
        async def head(self) -> HistoryHead:
            return HistoryHead(note=note)

    assert await problem_of(Machine(), Wrong(1)) == "The server's head is not a head of a history."


async def test_heads_that_are_kept_are_bounded_and_the_oldest_stays(server: Server) -> None:
    kept = KeptHeads(server="", account="")
    notes = [server.note() for _ in range(70)]
    for note in notes:
        kept = kept.with_head(note, "key", 1, kept.records)
    assert kept.notes == [notes[0], *notes[-63:]]
    assert len(kept.with_refused("x").with_refused("x").refused) == 1


@pytest.mark.parametrize("content", ["", "nothing", "x" * 2_000_000, f"skyshelf-history/{LOG}\nx\n"])
def test_a_file_without_heads_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        split_notes(content)
