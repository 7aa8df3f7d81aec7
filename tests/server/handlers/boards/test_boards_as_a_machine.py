"""A board as a state machine: whatever three people do to it, each sees exactly what the model says.

The model is who is on the board, as what, and which files it shows. The questions are asked over HTTP, as a browser
would: the listing, the download and the thumbnail of every file, by everybody, after every step.
"""

from itertools import count

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.examples import examples
from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.good_calls import PIXEL
from tests.server.in_process import TestClient
from tests.server.on_boards import accept, call, create, invite, leave

from skyshelf.service.context import ServiceContext

PEOPLE = 3
FILES = 1
person = st.integers(0, PEOPLE - 1)
file_number = st.integers(0, FILES - 1)
role = st.sampled_from(["M", "V"])
_numbers = count()


class SharedBoard(RuleBasedStateMachine):
    """Everything is tried by everybody, allowed or not."""

    client: TestClient
    ctx: ServiceContext

    @initialize()
    def begin(self) -> None:
        number = next(_numbers)
        self.people = [
            logged_in(self.client, self.ctx, new_account(self.ctx, f"p{number}-{one}@example.org"))
            for one in range(PEOPLE)
        ]
        self.files = {
            (one, which): api.file(f"{one}{which}.png", PIXEL + b"%d%d" % (one, which)).object_key
            for one, api in enumerate(self.people)
            for which in range(FILES)
        }
        self.board = create(self.people[0])
        self.link: str = call(self.people[0], "POST", self.board, "/links", {"memberType": "V"}).json()["token"]
        self.members: dict[int, str] = {0: "O"}  # in the order of joining
        self.invited: dict[int, str] = {}
        self.on_board: set[tuple[int, int]] = set()
        self.trashed: set[tuple[int, int]] = set()
        self.purged: set[tuple[int, int]] = set()

    def a_moment_passes(self) -> None:
        """Only the time says who joined first."""
        assert isinstance(self.ctx.clock, HeldClock)
        self.ctx.clock.advance(1)

    def seen(self) -> set[tuple[int, int]]:
        return self.on_board - self.trashed - self.purged

    def part(self, one: int) -> None:
        was = self.members.pop(one)
        self.on_board = {item for item in self.on_board if item[0] != one}
        if was == "O" and self.members:
            self.members[next(iter(self.members))] = "O"
        if not self.members:
            self.gone()

    def gone(self) -> None:
        self.members.clear()
        self.invited.clear()
        self.on_board.clear()

    @rule(host=person, guest=person, role=role)
    def invite(self, host: int, guest: int, role: str) -> None:
        status = invite(self.people[host], self.board, self.people[guest], role).status_code
        assert status == {"O": 201, None: 404}.get(self.members.get(host), 403)
        if status == 201:
            self.invited[guest] = role

    @rule(guest=person)
    def accept(self, guest: int) -> None:
        self.a_moment_passes()
        status = accept(self.people[guest], self.board).status_code
        assert status == (200 if guest in self.invited or guest in self.members else 404)
        if guest in self.invited:
            given = self.invited.pop(guest)
            self.members.setdefault(guest, given)

    @rule(guest=person)
    def follow_the_link(self, guest: int) -> None:
        self.a_moment_passes()
        status = self.people[guest].post("/x/v1/invitations/accept", json={"token": self.link}).status_code
        assert status == (200 if self.members else 404), "a link leads as long as there is a board"
        if status == 200:
            self.members.setdefault(guest, "V")

    @rule(one=person)
    def leave(self, one: int) -> None:
        status = leave(self.people[one], self.board).status_code
        assert status == (200 if one in self.members else 404)
        if status == 200:
            self.part(one)

    @rule(host=person, member=person)
    def remove_member(self, host: int, member: int) -> None:
        path = f"/members/{self.people[member].account.account_key}"
        status = call(self.people[host], "DELETE", self.board, path).status_code
        if self.members.get(host) != "O" or host == member:
            assert status == (404 if host not in self.members else 403)
        else:
            assert status == (204 if member in self.members else 404)
        if status == 204:
            self.part(member)

    @rule(host=person, member=person, role=st.sampled_from(["O", "M", "V"]))
    def set_role(self, host: int, member: int, role: str) -> None:
        path = f"/members/{self.people[member].account.account_key}"
        status = call(self.people[host], "PUT", self.board, path, {"memberType": role}).status_code
        if host not in self.members:
            assert status == 404
        elif self.members[host] != "O":
            assert status == 403
        elif member not in self.members:
            assert status == 404
        elif member == host and role != "O":
            assert status == 403
        else:
            assert status == 200
            if role == "O":
                self.members[host] = "M"
            self.members[member] = role

    @rule(one=person, owner=person, which=file_number)
    def add(self, one: int, owner: int, which: int) -> None:
        item = (owner, which)
        answer = call(self.people[one], "POST", self.board, "/objects", {"objectKeys": [self.files[item]]})
        assert answer.status_code == {"O": 200, "M": 200, "V": 403}.get(self.members.get(one, ""), 404)
        if answer.status_code == 200:
            there = one == owner and item not in self.trashed | self.purged
            assert bool(answer.json()["objects"]) == there
            if there:
                self.on_board.add(item)

    @rule(one=person, owner=person, which=file_number)
    def take_off(self, one: int, owner: int, which: int) -> None:
        item = (owner, which)
        answer = call(self.people[one], "POST", self.board, "/objects/remove", {"objectKeys": [self.files[item]]})
        assert answer.status_code == (200 if one in self.members else 404)
        if answer.status_code == 200 and (one == owner or self.members[one] == "O"):
            self.on_board.discard(item)

    @rule(owner=person, which=file_number)
    def trash(self, owner: int, which: int) -> None:
        if (owner, which) not in self.trashed | self.purged:
            self.people[owner].trash(self.files[owner, which])
            self.trashed.add((owner, which))

    @rule(owner=person, which=file_number)
    def restore(self, owner: int, which: int) -> None:
        body = {"objectKeys": [self.files[owner, which]]}
        self.people[owner].put("/nms/metadata/restore", json=body)
        self.trashed.discard((owner, which))

    @rule(owner=person, which=file_number)
    def purge(self, owner: int, which: int) -> None:
        self.people[owner].post("/x/v1/trash/purge", json={"objectKeys": [self.files[owner, which]]})
        if (owner, which) in self.trashed:
            self.trashed.discard((owner, which))
            self.purged.add((owner, which))

    @rule(one=person)
    def delete_the_board(self, one: int) -> None:
        # Now and then is enough: without a board there is not much to see.
        if self.members.get(one) != "O":
            assert call(self.people[one], "DELETE", self.board).status_code in {403, 404}

    @invariant()
    def everybody_sees_what_the_model_says(self) -> None:
        if hasattr(self, "members"):
            for one, api in enumerate(self.people):
                self.check(one, api)

    def check(self, one: int, api: Api) -> None:
        details = api.get(f"/boards/{self.board}")
        assert details.status_code == (200 if one in self.members else 404)
        listed = {each["objectKey"] for each in details.json()["objects"]} if one in self.members else set()
        assert listed == ({self.files[item] for item in self.seen()} if one in self.members else set())
        for item, key in self.files.items():
            is_own = item[0] == one and item not in self.trashed | self.purged
            opened = 200 if is_own or key in listed else 404
            assert api.get(f"/download/files/{key}").status_code == opened, (one, item)
            # The trash shows its owner the pictures.
            pictured = 200 if item[0] == one and item in self.trashed else opened
            assert api.get(f"/download/avimages/{key}").status_code == pictured, (one, item)
            # The owner alone has versions, and can bring back even what is in the trash.
            assert api.get(f"/download/files/{key}?version=1").status_code == (200 if is_own else 404)
        if one in self.members:
            roster = api.get(f"/invites/boards/{self.board}/members").json()["boardMembers"]
            found = {each["userId"]: each["memberType"] for each in roster}
            assert found == {self.people[who].account.account_key: what for who, what in self.members.items()}


def test_whatever_people_do_each_sees_exactly_what_they_should(client: TestClient, ctx: ServiceContext) -> None:
    machine = type("SharedBoardHere", (SharedBoard,), {"client": client, "ctx": ctx})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(5),
            stateful_step_count=12,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
