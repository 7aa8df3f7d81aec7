"""What the pages say about the bridge is what it does."""

import json
import re
from pathlib import Path

from docs.agent_transcript import PAGE, conversation
from docs.generate_agent_tools import agent_tools_page
from tests.agent.doors import bridge_of
from tests.agent.shelf import Shelf
from tests.client.serving import Person

from skyshelf.agent.catalogue import TOOLS

DOCS = PAGE.parent


def test_the_committed_conversation_is_what_the_bridge_answers(person: Person, root: Path, shelf: Shelf) -> None:
    shelf.file("IMG_1.jpg", b"a picture")
    with bridge_of(person, root) as bridge:
        made = [(call, answer) for _, call, answer in conversation(bridge.call) if call and answer]
    written = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL)]
    calls, answers = written[::2], written[1::2]
    assert [call["tool"] for call in calls] == [call["tool"] for call, _ in made]
    for (_, now), then in zip(made, answers, strict=True):
        assert now.keys() == then.keys()
        assert now.get("error") == then.get("error")
    refused = [answer["error"]["type"] for answer in answers if not answer["ok"]]
    assert refused == ["confirmation_required", "DestinationNotAllowed", "confirmation_required"]
    assert shelf.names() == ["sunset.jpg"]
    assert (root / "photo.jpg").read_bytes() == b"a picture"


def test_the_reference_has_every_tool_and_argument() -> None:
    shown = (DOCS / "reference" / "agent-tools.md").read_text("utf-8")
    assert shown == agent_tools_page()
    for tool in TOOLS.values():
        assert f"## {tool.name}\n" in shown
        for name in tool.arguments.__struct_fields__:
            assert f"| `{name}` |" in shown


def test_every_call_in_the_guide_is_one_that_works() -> None:
    guide = (DOCS / "agent.md").read_text("utf-8")
    for call in re.findall(r"call '(\{.*?\})'", guide):
        assert json.loads(call)["tool"] in TOOLS
    for name in re.findall(r"`([a-z]+_[a-z_]+)`", guide):
        assert name in TOOLS, name
