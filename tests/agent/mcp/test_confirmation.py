"""Guarded tools ask the user if the host can ask; `confirm` alone is not enough then."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult, ErrorData, InputRequiredResult, InputResponses
from tests.agent.entry_points import dispatcher_of
from tests.agent.mcp.test_server import ERAS, in_every_era
from tests.agent.shelf import Shelf
from tests.agent.test_dispatcher import COMPLETE, GUARDED, WRONG_CONFIRMS, unopened
from tests.client.serving import Person

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.mcp.confirmation import PENDING_MAX, Consent, PendingQuestions
from skyshelf.agent.mcp.server import create_server


class User:
    """Answers questions and records them."""

    def __init__(self, answer: ElicitResult | ErrorData) -> None:
        self.answer = answer
        self.questions: list[str] = []

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        self.questions.append(params.message)
        return self.answer


def yes() -> User:
    return User(ElicitResult(action="accept", content={"agree": True}))


def no() -> User:
    return User(ElicitResult(action="decline"))


async def call_as(
    dispatcher: Dispatcher, era: str, user: User | None, tool: str, consent: Consent = "ask", **arguments: object
) -> dict[str, Any]:
    """The envelope of one call by a host with this user."""
    try:
        async with Client(create_server(dispatcher, consent=consent), mode=era, elicitation_callback=user) as host:
            envelope: dict[str, Any] = (await host.call_tool(tool, arguments)).structured_content
            return envelope
    finally:
        await dispatcher.close()


@in_every_era
async def test_the_user_is_asked_by_name_before_the_call_runs(
    era: str, person: Person, root: Path, shelf: Shelf
) -> None:
    one = shelf.file("plans\u202e.txt", b"one")
    user = yes()
    arguments: dict[str, Any] = {"object_keys": [one.key], "confirm": True}
    envelope = await call_as(dispatcher_of(person, root), era, user, "move_to_trash", **arguments)
    assert envelope["ok"] is True
    assert user.questions == ["Move «plans.txt» to the trash?"]
    assert shelf.names() == []
    assert (await call_as(dispatcher_of(person, root), era, user, "restore_from_trash", **arguments))["ok"] is True
    assert user.questions[1] == "Restore «plans.txt» from the trash?"
    assert (await call_as(dispatcher_of(person, root), era, user, "share_link", **arguments))["ok"] is True
    assert user.questions[2].startswith("Create a public link to «plans.txt»? Anyone")
    download: dict[str, Any] = {"object_key": one.key, "destination": "here.txt", "confirm": True}
    assert (await call_as(dispatcher_of(person, root), era, user, "download_file", **download))["ok"] is True
    assert user.questions[3] == "Download «plans.txt» to «here.txt» on this machine?"
    everything: dict[str, Any] = {"destination_dir": "all", "extension": "txt", "confirm": True}
    assert (await call_as(dispatcher_of(person, root), era, user, "download_all", **everything))["ok"] is True
    assert user.questions[4] == "Download all files with the extension «txt» to «all» on this machine?"


ANSWERS: dict[str, Callable[[], User]] = {
    "declined": no,
    "cancelled": lambda: User(ElicitResult(action="cancel")),
    "accepted without agreeing": lambda: User(ElicitResult(action="accept", content={"agree": False})),
    "accepted with a word": lambda: User(ElicitResult(action="accept", content={"agree": "true"})),
    "accepted with nothing": lambda: User(ElicitResult(action="accept")),
}


@in_every_era
@pytest.mark.parametrize("answer", list(ANSWERS))
async def test_any_other_answer_is_the_guard_and_nothing_happens(
    era: str, answer: str, person: Person, root: Path, shelf: Shelf
) -> None:
    made = shelf.file("a.txt")
    arguments: dict[str, Any] = {"object_keys": [made.key], "confirm": True}
    envelope = await call_as(dispatcher_of(person, root), era, ANSWERS[answer](), "move_to_trash", **arguments)
    assert envelope["error"]["type"] == "confirmation_required"
    assert "Nothing was done" in envelope["error"]["message"]
    assert shelf.names() == ["a.txt"]


async def test_a_host_that_fails_to_ask_has_not_asked(person: Person, root: Path, shelf: Shelf) -> None:
    made = shelf.file("a.txt")
    broken = User(ErrorData(code=-1, message="no window"))
    arguments: dict[str, Any] = {"object_keys": [made.key], "confirm": True}
    envelope = await call_as(dispatcher_of(person, root), "legacy", broken, "move_to_trash", **arguments)
    assert envelope["error"]["type"] == "confirmation_required"
    assert shelf.names() == ["a.txt"]


@in_every_era
@pytest.mark.parametrize("name", GUARDED)
async def test_the_user_is_not_asked_unless_confirm_is_true(era: str, name: str) -> None:
    user = yes()
    for wrong in WRONG_CONFIRMS[:4]:
        envelope = await call_as(Dispatcher(unopened), era, user, name, **{**COMPLETE[name], "confirm": wrong})
        assert envelope["error"]["type"] == "confirmation_required"
    assert user.questions == []


@in_every_era
async def test_the_user_is_not_asked_about_impossible_calls(era: str, person: Person, root: Path) -> None:
    user = yes()
    unknown: dict[str, Any] = {"object_keys": ["F" * 32], "confirm": True}
    envelope = await call_as(dispatcher_of(person, root), era, user, "share_link", **unknown)
    assert envelope["error"]["type"] == "ObjectNotFoundError"
    closed = Dispatcher(unopened, read_only=True)
    assert (await call_as(closed, era, user, "share_link", **unknown))["error"]["type"] == "ReadOnly"
    wrong: dict[str, Any] = {"object_keys": "x", "confirm": True}
    assert (await call_as(Dispatcher(unopened), era, user, "share_link", **wrong))["error"][
        "type"
    ] == "InvalidArguments"
    assert user.questions == []


@in_every_era
@pytest.mark.parametrize(
    ("consent", "can_ask", "runs"),
    [
        ("ask", False, True),
        ("must-ask", False, False),
        ("must-ask", True, True),
        ("trust-confirm", False, True),
        ("trust-confirm", True, True),
    ],
)
async def test_the_operator_decides_whether_confirm_is_enough(
    era: str, consent: Consent, can_ask: bool, runs: bool, person: Person, root: Path, shelf: Shelf
) -> None:
    made = shelf.file("a.txt")
    user = yes() if can_ask else None
    arguments: dict[str, Any] = {"object_keys": [made.key], "confirm": True}
    envelope = await call_as(dispatcher_of(person, root), era, user, "move_to_trash", consent, **arguments)
    assert envelope["ok"] is runs
    assert shelf.names() == ([] if runs else ["a.txt"])
    if not runs:
        assert envelope["error"]["type"] == "confirmation_required"
    if user is not None:
        assert len(user.questions) == (consent != "trust-confirm")


async def test_an_answer_counts_once_and_only_for_the_call_that_was_asked_about(
    person: Person, root: Path, shelf: Shelf
) -> None:
    """A host of the newer protocol sends the question's id: it must not be able to reuse or invent one."""
    one, two = shelf.file("1.txt"), shelf.file("2.txt", b"two")
    dispatcher = dispatcher_of(person, root)
    agreed: InputResponses = {"agree": ElicitResult(action="accept", content={"agree": True})}
    async with Client(create_server(dispatcher), mode=ERAS[1], elicitation_callback=no()) as host:
        first: dict[str, Any] = {"object_keys": [one.key], "confirm": True}
        other: dict[str, Any] = {"object_keys": [two.key], "confirm": True}

        async def again(arguments: dict[str, Any], state: str | None) -> Any:
            return await host.session.call_tool(
                "move_to_trash", arguments, input_responses=agreed, request_state=state, allow_input_required=True
            )

        asked = await again(first, None)
        assert isinstance(asked, InputRequiredResult)
        for arguments, state in ((first, "invented"), (other, asked.request_state), (first, asked.request_state)):
            refused = await again(arguments, state)
            assert refused.structured_content["error"]["type"] == "confirmation_required"
        assert shelf.names() == ["1.txt", "2.txt"]
        asked = await again(first, None)
        assert (await again(first, asked.request_state)).is_error is False
        assert (await again(first, asked.request_state)).is_error is True
    await dispatcher.close()
    assert shelf.names() == ["2.txt"]


def test_pending_questions_expire_and_are_bounded() -> None:
    call: dict[str, object] = {"tool": "share_link", "arguments": {"confirm": True}}
    impatient = PendingQuestions(expiry_seconds=0.0)
    assert impatient.close(impatient.open(call), call) is False
    patient = PendingQuestions()
    first = patient.open(call)
    names = [patient.open(call) for _ in range(PENDING_MAX)]
    assert patient.close(first, call) is False
    assert patient.close(names[0], call) is True
    assert patient.close(names[0], call) is False
