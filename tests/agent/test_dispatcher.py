"""The dispatcher: every call gets exactly one envelope, whatever it contains and whatever happens."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agent.entry_points import CallTool, bridge_of
from tests.agent.failing import ProfileClient
from tests.client.serving import Person
from tests.examples import examples

from skyshelf.agent.arguments import read_arguments
from skyshelf.agent.bridge import Bridge, encode_envelope
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.registry import TOOLS
from skyshelf.agent.tool import Tool
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConfigurationError

NAMES = [
    *("account_info", "list_files", "search_files", "download_file", "download_all", "create_folder"),
    *("move_to_trash", "restore_from_trash", "list_trash", "share_link", "rename_object", "set_favorite"),
    *("version_history", "recent_activity", "list_boards", "get_contacts"),
]
GUARDED = ["download_file", "download_all", "move_to_trash", "restore_from_trash", "share_link"]
READ_ONLY = [
    *("account_info", "list_files", "search_files", "list_trash"),
    *("version_history", "recent_activity", "list_boards", "get_contacts"),
]
KEY = "0123456789abcdef0123456789ABCDEF"
COMPLETE: dict[str, dict[str, Any]] = {
    "search_files": {"query": "x"},
    "download_file": {"object_key": KEY, "destination": "x", "confirm": True},
    "download_all": {"destination_dir": "x", "confirm": True},
    "create_folder": {"name": "x"},
    "move_to_trash": {"object_keys": [KEY], "confirm": True},
    "restore_from_trash": {"object_keys": [KEY], "confirm": True},
    "share_link": {"object_keys": [KEY], "confirm": True},
    "rename_object": {"object_key": KEY, "new_name": "x"},
    "set_favorite": {"object_keys": [KEY]},
    "version_history": {"object_key": KEY},
}
"""Sufficient arguments for each tool."""


def unopened() -> NoReturn:
    """A client that must not be opened."""
    pytest.fail("credentials were read")


@pytest.fixture
def closed() -> Iterator[Bridge]:
    """A bridge that must not access the account."""
    with Bridge(Dispatcher(unopened)) as bridge:
        yield bridge


def error_of(envelope: dict[str, Any]) -> str:
    assert envelope.keys() == {"ok", "error"}
    assert envelope["ok"] is False
    assert envelope["error"].keys() == {"type", "message"}
    json.loads(encode_envelope(envelope))
    return str(envelope["error"]["type"])


def test_there_are_exactly_the_sixteen_tools_of_the_interface() -> None:
    assert list(TOOLS) == NAMES
    assert [tool.name for tool in TOOLS.values() if tool.guarded] == GUARDED
    assert [tool.name for tool in TOOLS.values() if tool.read_only] == READ_ONLY


@pytest.mark.parametrize(
    ("tool", "defaults"),
    [
        ("list_files", {"folder_key": None, "limit": 50, "sort": "-fileCreatedDate"}),
        ("search_files", {"extension": None, "limit": 200}),
        ("download_file", {"overwrite": False}),
        ("download_all", {"extension": None, "max_workers": 4}),
        ("create_folder", {"parent_folder_key": None}),
        ("list_trash", {"limit": 100}),
        ("set_favorite", {"favorite": True}),
        ("recent_activity", {"limit": 50}),
    ],
)
def test_the_defaults_are_those_of_the_table(tool: str, defaults: dict[str, object]) -> None:
    given = COMPLETE.get(tool, {})
    read = read_arguments(TOOLS[tool], given)
    assert {name: getattr(read, name) for name in defaults} == defaults
    assert read_arguments(TOOLS[tool], {**given, **dict.fromkeys(defaults)}) == read


WRONG_CONFIRMS: list[object] = ["true", "True", "yes", 1, 1.0, 2, False, None, [True], {"confirm": True}, "", "1"]


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("confirm", WRONG_CONFIRMS, ids=repr)
def test_only_json_true_confirms_and_the_guard_comes_before_everything(
    name: str, confirm: object, closed: Bridge
) -> None:
    given = {**COMPLETE[name], "confirm": confirm}
    assert error_of(closed.call({"tool": name, "arguments": given})) == "confirmation_required"
    assert error_of(closed.call_text(json.dumps({"tool": name, "arguments": given}))) == "confirmation_required"


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("arguments", [{}, {"nonsense": 1}, {"Confirm": True}, None, [], [{"confirm": True}], "x", 5])
def test_the_guard_comes_before_the_arguments_are_checked(name: str, arguments: object, closed: Bridge) -> None:
    assert error_of(closed.call({"tool": name, "arguments": arguments})) == "confirmation_required"
    assert error_of(closed.call({"tool": name})) == "confirmation_required"


def test_a_duplicate_confirm_is_invalid_json(closed: Bridge) -> None:
    arguments = f'{{"object_keys": ["{KEY}"], "confirm": false, "confirm": true}}'
    text = f'{{"tool": "move_to_trash", "arguments": {arguments}}}'
    assert error_of(closed.call_text(text)) == "InvalidJSON"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "nonsense",
        "{} {}",
        "NaN",
        '{"a": NaN}',
        "[Infinity]",
        '"\\ud800"',
        "[" * 100_000,
        *("[" * 65 + "]" * 65, b"\xff\xfe", b'"\x00"', "1" * 5000, "[" + " " * (4 << 20) + "]", '{"a": 1, "a": 1}'),
    ],
    ids=lambda text: repr(text[:16]),
)
def test_what_is_not_json_is_invalid_json(text: str | bytes, closed: Bridge) -> None:
    assert error_of(closed.call_text(text)) == "InvalidJSON"


class Odd(dict[str, object]):
    """A dictionary that raises when it is read."""

    def get(self, *_: object) -> NoReturn:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "request_",
    [
        None,
        5,
        "x",
        [],
        {},
        {"arguments": {}},
        {"tool": 5},
        {"tool": None},
        {"tool": ["list_files"]},
        b"x",
        object(),
        {"tool": "list_files", "args": {}},
        {"tool": "list_files", 5: 6},
    ],
    ids=lambda given: "an object of no kind" if type(given) is object else repr(given),
)
def test_what_is_no_call_is_an_invalid_envelope(request_: object, closed: Bridge) -> None:
    assert error_of(closed.call(request_)) == "InvalidEnvelope"


def test_even_an_object_that_raises_when_read_gets_an_envelope(closed: Bridge) -> None:
    assert error_of(closed.call(Odd())) in {"Interrupted", "InternalError"}


@pytest.mark.parametrize("name", ["", "Account_Info", "account_info ", "delete_everything", "__class__", "\ud800"])
def test_other_names_are_unknown_tools(name: str, closed: Bridge) -> None:
    assert error_of(closed.call({"tool": name, "arguments": {}})) == "UnknownTool"


WRONG: list[tuple[str, dict[str, object]]] = [
    ("account_info", {"confirm": True}),
    ("account_info", {"x": None}),
    ("list_files", {"limit": "50"}),
    ("list_files", {"limit": 50.5}),
    ("list_files", {"limit": True}),
    ("list_files", {"limit": 0}),
    ("list_files", {"limit": 2001}),
    ("list_files", {"limit": 10**400}),
    ("list_files", {"limit": float("nan")}),
    ("list_files", {"folder_key": "/"}),
    ("list_files", {"folder_key": KEY + "\n"}),
    ("list_files", {"folder_key": 5}),
    ("list_files", {"sort": "name"}),
    ("list_files", {"sort": "objectName"}),
    ("search_files", {}),
    ("search_files", {"query": None}),
    ("search_files", {"query": ["x"]}),
    ("search_files", {"query": "x" * 1001}),
    ("create_folder", {"name": ""}),
    ("create_folder", {"name": 5}),
    ("rename_object", {"object_key": KEY}),
    ("set_favorite", {"object_keys": []}),
    ("set_favorite", {"object_keys": KEY}),
    ("set_favorite", {"object_keys": [KEY, "x"]}),
    ("set_favorite", {"object_keys": [[KEY]]}),
    ("set_favorite", {"object_keys": [KEY] * 2001}),
    ("set_favorite", {"object_keys": [KEY], "favorite": "true"}),
    ("set_favorite", {"object_keys": [KEY], "favorite": 1}),
    ("version_history", {"object_key": "../" + KEY[3:]}),
    ("download_file", {**COMPLETE["download_file"], "overwrite": "yes"}),
    ("download_file", {**COMPLETE["download_file"], "destination": ["x"]}),
    ("download_all", {**COMPLETE["download_all"], "max_workers": 17}),
    ("share_link", {**COMPLETE["share_link"], "object_keys": None}),
]


@pytest.mark.parametrize(("name", "arguments"), WRONG, ids=lambda value: repr(value)[:60])
def test_unknown_arguments_and_wrong_types_are_invalid_arguments(
    name: str, arguments: dict[str, object], closed: Bridge
) -> None:
    assert error_of(closed.call({"tool": name, "arguments": arguments})) == "InvalidArguments"


def test_no_refusal_repeats_what_was_given(closed: Bridge) -> None:
    planted = "Zm9vYmFyc2VjcmV0"
    for call in (
        {"tool": planted},
        {"tool": "list_files", planted: 1},
        {"tool": "list_files", "arguments": {planted: 1}},
        {"tool": "list_files", "arguments": {"sort": planted}},
        {"tool": "list_files", "arguments": {"folder_key": planted}},
        {"tool": "list_files", "arguments": planted},
    ):
        assert planted not in encode_envelope(closed.call(call)).decode()
        assert planted not in encode_envelope(closed.call_text(json.dumps(call))).decode()
    assert planted not in encode_envelope(closed.call_text(planted)).decode()


@pytest.mark.parametrize("tool", [tool for tool in TOOLS.values() if not tool.read_only], ids=lambda tool: tool.name)
def test_a_read_only_bridge_changes_nothing(tool: Tool) -> None:
    with Bridge(Dispatcher(unopened, read_only=True)) as bridge:
        assert error_of(bridge.call({"tool": tool.name, "arguments": COMPLETE[tool.name]})) == "ReadOnly"
        if tool.guarded:
            assert error_of(bridge.call({"tool": tool.name, "arguments": {}})) == "confirmation_required"


def test_a_read_only_bridge_reads(person: Person, root: Path) -> None:
    with bridge_of(person, root, read_only=True) as bridge:
        for name in READ_ONLY:
            if name != "version_history":
                assert bridge.call({"tool": name, "arguments": COMPLETE.get(name, {})})["ok"] is True


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (ConfigurationError("no"), "ConfigurationError"),
        (OSError(28, "No space left on device"), "LocalFileError"),
        (MemoryError(), "InternalError"),
        (RecursionError(), "InternalError"),
        (ZeroDivisionError("secret"), "InternalError"),
        (KeyboardInterrupt(), "Interrupted"),
        (SystemExit(3), "InternalError"),
    ],
    ids=repr,
)
def test_an_exception_becomes_an_envelope(fault: BaseException, name: str) -> None:
    def failing() -> AsyncClient:
        raise fault

    bridge = Bridge(Dispatcher(failing))
    envelope = bridge.call({"tool": "account_info", "arguments": {}})
    assert error_of(envelope) == name
    assert "secret" not in str(envelope)


def test_ctrl_c_during_a_call_ends_the_call_and_not_the_program(person: Person) -> None:
    ended = threading.Event()

    async def wait() -> Any:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.Event().wait()
        finally:
            ended.set()

    with Bridge(Dispatcher(lambda: ProfileClient(wait, **person.settings))) as bridge:
        assert error_of(bridge.call({"tool": "account_info"})) == "Interrupted"
        assert ended.is_set()
        assert bridge.call({"tool": "list_files"})["ok"] is True


def test_without_a_session_the_error_says_how_to_log_in() -> None:
    with Bridge() as bridge:
        envelope = bridge.call({"tool": "account_info"})
    assert error_of(envelope) == "ConfigurationError"


def test_an_unreachable_server_is_a_network_error(person: Person) -> None:
    def opened() -> AsyncClient:
        elsewhere = person.settings
        elsewhere["server"] = "http://127.0.0.1:9"
        return AsyncClient(**elsewhere, retries=0)

    with Bridge(Dispatcher(opened)) as bridge:
        assert error_of(bridge.call({"tool": "account_info"})) == "NetworkError"


def test_calls_of_many_threads_each_have_their_own_envelope(library: CallTool) -> None:
    answers: dict[int, dict[str, Any]] = {}

    def ask(number: int) -> None:
        answers[number] = library("create_folder", name=f"folder {number}")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: answer["result"]["name"] for number, answer in answers.items()} == {
        number: f"folder {number}" for number in range(8)
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([KEY, "true", *NAMES]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)
ARGUMENT_NAMES = sorted({name for tool in TOOLS.values() for name in tool.arguments.__struct_fields__})
CALLS = st.fixed_dictionaries(
    {"tool": st.sampled_from(NAMES) | JSON},
    optional={"arguments": st.dictionaries(st.sampled_from(ARGUMENT_NAMES), JSON, max_size=5) | JSON},
)


def unreachable() -> AsyncClient:
    raise ConfigurationError("not logged in")


FUZZED = Bridge(Dispatcher(unreachable))


@settings(max_examples=examples(20), deadline=None)
@given(JSON | CALLS)
def test_any_value_gets_exactly_one_envelope(request_: object) -> None:
    envelope = FUZZED.call(request_)
    assert error_of(envelope) in {
        "InvalidEnvelope",
        "UnknownTool",
        "InvalidArguments",
        "confirmation_required",
        "ConfigurationError",
    }
    if isinstance(request_, dict) and request_.get("tool") in GUARDED and request_.keys() <= {"tool", "arguments"}:
        arguments = request_.get("arguments")
        if not (isinstance(arguments, dict) and arguments.get("confirm") is True):
            assert error_of(envelope) == "confirmation_required"
