"""Membership as a state machine: whatever people do, a board has one owner or is gone."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.conformance.metadata.board_making import file_of
from tests.conformance.metadata.making import NOW, make_account, new_key
from tests.conformance.metadata.reading import names_of
from tests.examples import examples

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import GivenRole, Invitation, NewBoard
from skyshelf.storage.metadata.store import MetadataStore, Unit

PEOPLE = 4
person = st.integers(0, PEOPLE - 1)
given_role = st.sampled_from(["M", "V"])


class Model:
    """A board as a dictionary: person → [role, status, when they joined]; no people, no board."""

    def __init__(self, owner: int, now: int) -> None:
        self.members: dict[int, list[str | int]] = {owner: ["O", "A", now]}
        self.invited: dict[int, str] = {}
        self.showing: set[int] = set()

    def is_active(self, one: int) -> bool:
        return one in self.members

    def active(self) -> list[int]:
        """Order members by when they joined, and then by the age of their account."""
        found = [one for one in self.members if self.is_active(one)]
        return sorted(found, key=lambda one: (self.members[one][2], one))

    def part(self, one: int) -> None:
        role = self.members.pop(one)[0]
        self.showing.discard(one)
        if role == "O":
            heirs = self.active()
            if heirs:
                self.members[heirs[0]][0] = "O"
            else:
                self.members.clear()
                self.showing.clear()
                self.invited.clear()


class Membership(RuleBasedStateMachine):
    """One board, four people, each with one file; every call is tried by everybody, allowed or not."""

    store: MetadataStore

    @initialize(owner=person)
    def create(self, owner: int) -> None:
        self.now = NOW
        self.people = [make_account(self.store) for _ in range(PEOPLE)]
        self.files = [file_of(self.store, one, f"{number}.jpg") for number, one in enumerate(self.people)]
        self.board = new_key()
        new = NewBoard(board_key=self.board, name="Summer")
        self.store.write(lambda unit: unit.boards.create(self.id_of(owner), new, self.now))
        self.model = Model(owner, self.now)

    def id_of(self, one: int) -> int:
        return self.people[one].account_id

    def attempt(self, work: Callable[[Unit], object], *, allowed: bool) -> None:
        """Time stands still now and then, so that people join at the same moment."""
        if allowed:
            self.store.write(work)
        else:
            with pytest.raises(Missing):
                self.store.write(work)

    @rule(steps=st.integers(1, 3))
    def time_passes(self, steps: int) -> None:
        self.now += steps

    @rule(caller=person, invited=person, role=given_role)
    def invite(self, caller: int, invited: int, role: GivenRole) -> None:
        allowed = self.model.is_active(caller)
        new = Invitation(
            email=self.people[invited].email.upper(), role=role, created_at=self.now, expires_at=NOW + 10_000
        )
        self.attempt(
            lambda unit: unit.board_invitations.invite(self.id_of(caller), self.board, new),
            allowed=allowed,
        )
        if allowed:
            self.model.invited[invited] = role

    @rule(one=person)
    def accept(self, one: int) -> None:
        invited = one in self.model.invited
        self.attempt(
            lambda unit: unit.board_invitations.accept(self.id_of(one), self.board, self.now),
            allowed=invited or self.model.is_active(one),
        )
        if invited:
            self.model.members.setdefault(one, [self.model.invited.pop(one), "A", self.now])
            self.model.invited.pop(one, None)

    @rule(one=person)
    def decline(self, one: int) -> None:
        allowed = one in self.model.invited
        self.attempt(
            lambda unit: unit.board_invitations.decline(self.id_of(one), self.board, self.now), allowed=allowed
        )
        if allowed:
            del self.model.invited[one]

    @rule(one=person)
    def leave(self, one: int) -> None:
        allowed = self.model.is_active(one)
        self.attempt(lambda unit: unit.board_members.leave(self.id_of(one), self.board, self.now), allowed=allowed)
        if allowed:
            self.model.part(one)

    @rule(caller=person, member=person)
    def remove(self, caller: int, member: int) -> None:
        allowed = self.model.is_active(caller) and member in self.model.members
        self.attempt(
            lambda unit: unit.board_members.remove(self.id_of(caller), self.board, self.id_of(member), self.now),
            allowed=allowed,
        )
        if allowed:
            self.model.part(member)
            if caller != member:
                self.model.invited.pop(member, None)

    @rule(caller=person, heir=person)
    def pass_on(self, caller: int, heir: int) -> None:
        allowed = self.model.is_active(caller) and self.model.is_active(heir)
        self.attempt(
            lambda unit: unit.board_members.pass_on(self.id_of(caller), self.board, self.id_of(heir)),
            allowed=allowed,
        )
        if allowed:
            for member in self.model.members.values():
                member[0] = "M" if member[0] == "O" else member[0]
            self.model.members[heir][0] = "O"

    @rule(caller=person, member=person, role=given_role)
    def set_role(self, caller: int, member: int, role: GivenRole) -> None:
        others = self.model.members
        allowed = self.model.is_active(caller) and member in others and others[member][0] != "O"
        self.attempt(
            lambda unit: unit.board_members.set_role(self.id_of(caller), self.board, self.id_of(member), role),
            allowed=allowed,
        )
        if allowed:
            others[member][0] = role
            if role == "V":
                self.model.invited.pop(member, None)

    @rule(one=person)
    def show(self, one: int) -> None:
        allowed = self.model.is_active(one)
        self.attempt(
            lambda unit: unit.board_items.add(self.id_of(one), self.board, [self.files[one]], self.now),
            allowed=allowed,
        )
        if allowed:
            self.model.showing.add(one)

    @rule(one=person)
    def hide(self, one: int) -> None:
        allowed = self.model.is_active(one)
        self.attempt(
            lambda unit: unit.board_items.remove(
                self.id_of(one), self.board, [self.files[one]], self.now, only_own=True
            ),
            allowed=allowed,
        )
        if allowed:
            self.model.showing.discard(one)

    @invariant()
    def everybody_sees_what_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        with self.store.snapshot() as unit:
            for one in range(PEOPLE):
                if self.model.is_active(one):
                    self.check_as_member(unit, one)
                else:
                    self.check_as_stranger(unit, one)
                received = unit.board_invitations.received(self.id_of(one), self.now, limit=1000)
                assert (self.board in {invited.board_key for invited in received}) == (one in self.model.invited)

    def check_as_member(self, unit: Unit, one: int) -> None:
        members = unit.board_members.of_board(self.id_of(one), self.board)
        found = {member.account_id: [member.role, member.status, member.joined_at] for member in members}
        assert found == {self.id_of(other): state for other, state in self.model.members.items()}
        assert [member.role for member in members].count("O") == 1
        board = unit.boards.get(self.id_of(one), self.board)
        assert found[board.owner_id][:2] == ["O", "A"]
        assert board.users == len(self.model.active())
        assert board.files == len(self.model.showing)
        shown = unit.board_items.page(self.id_of(one), self.board, limit=10)
        assert sorted(names_of(shown)) == sorted(f"{other}.jpg" for other in self.model.showing)
        for other, file in enumerate(self.files):
            expected = self.id_of(other) if other in self.model.showing else None
            assert unit.board_items.owner_of(self.id_of(one), file) == expected

    def check_as_stranger(self, unit: Unit, one: int) -> None:
        assert unit.boards.role(self.id_of(one), self.board) is None
        assert all(unit.board_items.owner_of(self.id_of(one), file) is None for file in self.files)


def test_whatever_people_do_a_board_has_one_owner_or_is_gone(store: MetadataStore) -> None:
    machine = type("MembershipOnThisStore", (Membership,), {"store": store})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(6),
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
