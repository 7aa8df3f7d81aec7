"""The pages about the bridge are correct."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.agent.entry_points import bridge_of, dispatcher_of
from tests.agent.shelf import Shelf
from tests.client.serving import PASSWORD, Person
from tools.generate import agents_safely
from tools.generate.agent_tools import agent_tools_page
from tools.generate.agent_transcript import PAGE, asked_conversation, asking_host, conversation, key_of

from skyshelf.agent.mcp.http import PATH
from skyshelf.agent.mcp.prompts import TASKS
from skyshelf.agent.registry import EXTENDED, TOOLS
from skyshelf.cli.commands.agent import agent
from skyshelf.service.accounts import sessions
from skyshelf.wire.resources.credentials import LoginRequest

DOCS = PAGE.parent
commands = agent.commands


def test_the_committed_transcript_matches_the_bridge(person: Person, root: Path, shelf: Shelf) -> None:
    shelf.file("IMG_1.jpg", b"a picture")
    with bridge_of(person, root) as bridge, asking_host(dispatcher_of(person, root)) as ask:
        steps = list(conversation(bridge.call))
        assert shelf.names() == ["sunset.jpg"]
        steps += asked_conversation(ask, key_of(steps))
    made = [(call, answer) for _, call, answer in steps if call and answer]
    for words, _, _ in steps:
        assert words in PAGE.read_text("utf-8") or "IMG_1.jpg" in words
    written = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL)]
    calls, answers = written[::2], written[1::2]
    assert [call["tool"] for call in calls] == [call["tool"] for call, _ in made]
    for (_, now), then in zip(made, answers, strict=True):
        assert now.keys() == then.keys()
        assert now.get("error") == then.get("error")
    refused = [answer["error"]["type"] for answer in answers if not answer["ok"]]
    assert refused == ["confirmation_required", "DestinationNotAllowed", *["confirmation_required"] * 2]
    assert shelf.names() == []
    assert list(shelf.client.shares.objects()) == []
    assert (root / "photo.jpg").read_bytes() == b"a picture"


def test_the_reference_has_every_tool_and_argument() -> None:
    shown = agent_tools_page()
    for tool in EXTENDED.values():
        assert f"## {tool.name}\n" in shown
        for name in tool.arguments.__struct_fields__:
            assert f"| `{name}` |" in shown


def test_every_call_in_the_guide_works() -> None:
    guide = (DOCS / "agent.md").read_text("utf-8")
    for call in re.findall(r"call '(\{.*?\})'", guide):
        assert json.loads(call)["tool"] in TOOLS
    for name in re.findall(r"`([a-z]+_[a-z_]+)`", guide):
        assert name in {*EXTENDED, *TASKS, "confirmation_required"}, name


HOSTS = (DOCS / "agent-hosts.md").read_text("utf-8")
SETTINGS = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", HOSTS, re.DOTALL)]


def test_every_setting_for_a_host_starts_the_bridge_or_reaches_it() -> None:
    entries = [each for found in SETTINGS for each in (found.get("mcpServers") or found.get("servers") or {}).values()]
    started = [each for each in entries if "command" in each]
    reached = [each for each in entries if "url" in each]
    assert (len(started), len(reached)) == (4, 2)
    for each in started:
        assert each["command"] == "skyshelf"
        family, command, *options = each["args"]
        assert family == "agent"
        commands[command].make_context(command, options, help_option_names=["-h", "--help"])
    for each in reached:
        assert each["type"] == "http"
        assert each["url"] == f"http://127.0.0.1:8700{PATH}"
        assert re.fullmatch(r"Bearer \$\{(SKYSHELF_MCP_TOKEN|input:skyshelf-token)\}", each["headers"]["Authorization"])
    (responses,) = [found for found in SETTINGS if found.get("type") == "mcp"]
    assert responses["server_url"].endswith(PATH)
    assert responses["require_approval"] == "always"


def test_every_command_on_the_page_of_hosts_works() -> None:
    typed = re.findall(r"^(?:claude mcp add skyshelf -- )?skyshelf agent (mcp.*)$", HOSTS, re.MULTILINE)
    assert len(typed) == 3
    for line in typed:
        name, *options = shlex.split(line.replace("--token-file token.txt", ""))
        commands[name].make_context(name, options, help_option_names=["-h", "--help"])
    for option in re.findall(r"`(--[a-z-]+)`", HOSTS):
        assert any(option in parameter.opts for parameter in commands["mcp"].params), option


def test_the_loop_on_the_page_of_hosts_runs(person: Person, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.file("a.txt")
    for name, value in person.settings.items():
        monkeypatch.setenv(f"SKYSHELF_{name.upper()}", str(value))
    (snippet,) = re.findall(r"```python\n(.*?)\n```", HOSTS, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(snippet, "agent-hosts.md", "exec"), names)
    assert len(names["tools"]) == 16
    returned = json.loads(names["run_tool"]("list_files", {"limit": 5}))
    names["bridge"].close()
    assert [each["name"] for each in returned["result"]] == ["a.txt"]


@pytest.mark.whole
def test_the_committed_run_of_an_agent_that_obeys_a_file_matches_the_bridge(
    person: Person, tmp_path: Path, shelf: Shelf
) -> None:
    login = sessions.login(
        person.server.ctx, LoginRequest(email_id=person.account.email, password=PASSWORD), "127.0.0.1"
    )
    agents = {**person.settings, "auth_token": login.auth_token, "device_key": login.device_key}
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    made = list(agents_safely.run(agents_safely.Scene(shelf.client, {**person.settings}, agents, scratch)))
    answers: list[Any] = [answer for _, _, answer in made if answer is not None]
    written = re.findall(r"```json\n(.*?)\n```", agents_safely.PAGE.read_text("utf-8"), re.DOTALL)
    shown = [one for one in map(json.loads, written) if "ok" in one]
    for now, then in zip(answers, shown, strict=True):
        assert now.keys() == then.keys()
        assert now.get("error", {}).get("type") == then.get("error", {}).get("type")
    assert [one["error"]["type"] if not one["ok"] else "" for one in answers] == [
        "",
        "ReadOnly",
        "confirmation_required",
        "BudgetExceeded",
        "",
        "ObjectNotFoundError",
        "ForbiddenError",
        "ForbiddenError",
        "InvalidRequestError",
        "SessionPausedError",
        "",
    ]
    assert answers[-1]["result"]["left"] == []
    assert made[-1][0] == "The folders are back: Letters with 60 and Summer with 80 files."
    assert made[-1][0] in agents_safely.PAGE.read_text("utf-8")
