"""Writes `agent-transcript.md`: an agent's conversation about a demo account, through the real bridge.

`python -m tools.generate.agent_transcript` starts a server with demo content, makes every call and records the
envelopes. Only the sentences between the calls are written by hand.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

from anyio.from_thread import start_blocking_portal
from mcp import Client as McpClient
from mcp.client import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult
from msgspec import json

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.dispatcher import Dispatcher, Envelope
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.mcp.server import create_server
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client

PAGE: Final = Path(__file__).parents[2] / "docs" / "agent-transcript.md"
_INTRO: Final = """<!-- Written by `python -m tools.generate.agent_transcript`. -->

# A sample conversation

An agent finds, downloads, renames, trashes and restores a picture in the demo account. Every envelope below is the
bridge's actual output; the guard stops the agent wherever the user has not agreed yet."""

Step = tuple[str, Envelope | None, Envelope | None]
"""A sentence, optionally followed by a call and its envelope."""


def conversation(call: Callable[[Envelope], Envelope]) -> Iterator[Step]:
    """Yield the conversation; each call is made when its step is reached."""

    def asked(text: str, tool: str, **arguments: object) -> tuple[Step, Any]:
        request: Envelope = {"tool": tool, "arguments": arguments}
        envelope = call(request)
        return (text, request, envelope), envelope.get("result")

    yield "**User:** How full is my drive?", None, None
    step, _ = asked("The agent checks.", "account_info")
    yield step
    yield "**User:** Find me a photo and save it to my downloads.", None, None
    step, found = asked("The agent searches.", "search_files", query="", extension="jpg", limit=1)
    yield step
    key, name = found[0]["object_key"], found[0]["name"]
    step, _ = asked(
        "It tries to download the photo without asking.", "download_file", object_key=key, destination="photo.jpg"
    )
    yield step
    yield f"**Agent:** I found {name}. May I save it as photo.jpg? **User:** Yes.", None, None
    confirmed = {"object_key": key, "confirm": True}
    step, _ = asked("The user agreed to this call.", "download_file", destination="photo.jpg", **confirmed)
    yield step
    step, _ = asked(
        "Paths outside the download folder are refused.", "download_file", destination="../photo.jpg", **confirmed
    )
    yield step
    yield "**User:** Call it sunset.jpg on the drive.", None, None
    step, _ = asked("A rename is easy to undo, so it needs no confirmation.", "rename_object", object_key=key, new_name="sunset.jpg")  # fmt: skip  # noqa: E501
    yield step
    yield "**User:** I no longer need it.", None, None
    step, _ = asked(
        "The string `true` does not count as confirmation.", "move_to_trash", object_keys=[key], confirm="true"
    )
    yield step
    yield "**Agent:** Shall I move sunset.jpg to the trash? **User:** Yes.", None, None
    step, _ = asked("Now the call runs.", "move_to_trash", object_keys=[key], confirm=True)
    yield step
    step, _ = asked("The agent verifies the result.", "list_trash")
    yield step
    yield "**User:** Sorry, I want it back. Please restore it.", None, None
    step, _ = asked("The user asked for exactly this.", "restore_from_trash", object_keys=[key], confirm=True)
    yield step


_ASKED: Final = """## When the host can ask

The same bridge as an MCP server, connected to a host that can ask its user. The model has set `confirm` without
asking, which is not enough here."""

Asked = Callable[[Envelope, bool], tuple[str, Envelope]]
"""Makes a call for a user who agrees or declines; returns the host's question and the envelope."""


def asked_conversation(call: Asked, key: str) -> Iterator[Step]:
    """Yield the conversation of a model that does not ask its user, on a host that does."""
    request: Envelope = {"tool": "share_link", "arguments": {"object_keys": [key], "confirm": True}}
    question, envelope = call(request, False)
    yield f"**User:** Is sunset.jpg still there?\n\n**Host:** {question} **User:** No!", request, envelope
    request = {"tool": "move_to_trash", "arguments": {"object_keys": [key], "confirm": True}}
    question, envelope = call(request, True)
    yield f"**User:** I just want to get rid of it.\n\n**Host:** {question} **User:** Yes.", request, envelope


def key_of(steps: list[Step]) -> str:
    """Return the key of the picture in a conversation."""
    calls: list[Any] = [call for _, call, _ in steps if call]
    return str(calls[-1]["arguments"]["object_keys"][0])


@contextmanager
def asking_host(dispatcher: Dispatcher) -> Iterator[Asked]:
    """Connect a host whose user answers as scripted."""
    questions: list[str] = []
    agrees = [False]

    async def user(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG001
        questions.append(params.message)
        return ElicitResult(action="accept", content={"agree": True}) if agrees[0] else ElicitResult(action="decline")

    host = McpClient(create_server(dispatcher), mode="legacy", elicitation_callback=user)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(host):

        def call(request: Envelope, agree: bool) -> tuple[str, Envelope]:
            agrees[0] = agree
            answer = portal.call(host.call_tool, str(request["tool"]), cast("dict[str, Any]", request["arguments"]))
            return questions[-1], answer.structured_content

        yield call
        portal.call(dispatcher.close)


def page(steps: Iterator[Step], asked: Iterator[Step], hide: dict[str, str]) -> str:
    """Render the conversation as a page, with this machine's paths replaced."""
    return rendered(_INTRO, chain(steps, [(_ASKED, None, None)], asked), hide)


def rendered(intro: str, steps: Iterable[Step], hide: dict[str, str]) -> str:
    """Render steps below an introduction, with some texts replaced."""
    parts = [intro]
    for text, request, envelope in steps:
        parts.append(text)
        if request:
            parts.append(f"```json\n{json.encode(request).decode()}\n```")
        if envelope is not None:
            parts.append(f"```json\n{json.format(json.encode(envelope), indent=2).decode()}\n```")
    text = "\n\n".join(parts) + "\n"
    for found, put in hide.items():
        text = text.replace(found, put)
    return text


def main() -> None:
    """Start a server, run the conversation, write the page."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [str(Path(sys.executable).with_name("skyshelf")), "serve", "--demo", "--port", "0"]
        with subprocess.Popen([*command, "--data", f"{scratch}/data"], stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True) as server:  # fmt: skip  # noqa: E501
            try:
                url, email, password = printed(server)
                with Client(url) as client:
                    login = client.login(email, password)
                opened = partial(AsyncClient, url, auth_token=login.auth_token, user_id=login.user_id, device_key=login.device_key)  # fmt: skip  # noqa: E501
                root = Path(scratch) / "downloads"
                asking = Dispatcher(opened, downloads=DownloadRoot(root))
                with Bridge(Dispatcher(opened, downloads=DownloadRoot(root))) as bridge, asking_host(asking) as ask:
                    steps = list(conversation(bridge.call))
                    asked = asked_conversation(ask, key_of(steps))
                    PAGE.write_text(page(iter(steps), asked, {str(root): "/home/ada/downloads"}), "utf-8")
            finally:
                server.terminate()
                server.communicate()


def printed(server: "subprocess.Popen[str]") -> tuple[str, str, str]:
    """Read the address, the name and the password that a demo server prints."""
    url = ""
    assert server.stdout is not None
    for line in server.stdout:
        found = re.search(r"https?://[^\s'\"]+", line)
        url = url or (found[0] if found else "")
        demo = re.search(r"demo +(\S+), password (\S+)", line)
        if demo:
            return url.rstrip("/"), demo[1], demo[2]
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
