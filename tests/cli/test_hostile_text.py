"""Every command against a server that puts hostile text, or the session's own secrets, into everything it says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.command_tree import all_commands
from tests.cli.typing_commands import Typist
from tests.client.evil import HOSTILE, KEY, Evil
from tests.client.foreign import Foreign, Reply, foreign_server

from skyshelf.cli.base.session import ClientCommand
from skyshelf.client.settings import save_profile

SECRET = "9f86d081884c7d659a2f"
TOKEN = "QURBI0FUSyM5Zjg2ZDA4MTg4NGM3ZDY1OWEyZg=="
SESSION = {"auth_token": TOKEN, "user_id": "A" * 32, "device_key": "00000000-0000-0000-0000-00000000d00d"}
ECHOED = f"{TOKEN} {SECRET} {TOKEN.replace('=', '%3D')}"
# What a terminal acts on, and what hides or turns text around; a line break ends a line of ours.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u3164\U000e0000-\U000e007f]")
ITEM = f"key:{KEY}"
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "account edit": ("--first-name", "Ada"),
    "account revoke": (KEY,),
    "backup": ("copy",),
    "cat": (ITEM,),
    "changes": ("--since", "1"),
    "contacts add": ("Ada",),
    "contacts delete": (ITEM, "--yes"),
    "contacts edit": (ITEM, "--name", "Ada"),
    "contacts import": ("card.vcf",),
    "get": (ITEM, "got"),
    "put": ("a.txt", "/"),
    "restore": (KEY,),
    "stat": (ITEM,),
    "mirror": (".", "/"),
    "sync": (".", "/"),
    "thumbnail": (ITEM, "picture"),
    "timeline show": ("2024-05",),
    "versions get": (ITEM, "1", "older"),
    "versions ls": (ITEM,),
    "versions restore": (ITEM, "1"),
}
NOT_ASKED = {"login", "profiles", "open"}
"""They send nothing of a session, or have their own tests."""

COMMANDS = sorted(
    name for name, command in all_commands().items() if isinstance(command, ClientCommand) and name not in NOT_ASKED
)


def typed(name: str) -> tuple[str, ...]:
    command = all_commands()[name]
    given = ARGUMENTS.get(name)
    if given is None:
        required = [one for one in command.params if one.required]
        given = tuple("a.txt" if one.name == "files" else ITEM if one.name != "role" else "viewer" for one in required)
    yes = ("--yes",) if any(one.name == "yes" for one in command.params) and "--yes" not in given else ()
    return (*name.split(), *given, *yes)


@pytest.fixture
def evil() -> Iterator[Foreign]:
    with foreign_server(Evil(f"a {HOSTILE} {ECHOED}")) as server:
        yield server


@pytest.fixture
def victim(stranger: Typist, evil: Foreign) -> Typist:
    save_profile(stranger.config, "home", {"server": evil.url, **SESSION})
    stranger.write("a.txt")
    stranger.write("card.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n")
    stranger.environment |= {"SKYSHELF_RETRIES": "0"}
    return stranger


def printed(victim: Typist, *arguments: str) -> tuple[str, str]:
    ended = victim.run(*arguments, stdin="a new password\n")
    assert "Traceback" not in ended.stderr
    assert "unexpected error" not in ended.stderr
    return ended.stdout, ended.stderr


def leaks(text: str) -> bool:
    return TOKEN in text or SECRET in text


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_prints_hostile_text_or_the_session(victim: Typist, name: str) -> None:
    forms = [()] if getattr(all_commands()[name], "record", None) is None else [(), ("--jsonl",)]
    for form in forms:
        out, err = printed(victim, *typed(name), *form)
        assert not leaks(out + err), out + err
        assert not RAW.search(err), err
        if name in {"cat", "contacts export"}:
            # These two print a file as it is.
            continue
        assert not RAW.search(out), out
        assert "\nskyshelf: all is well" not in out + err
        for line in out.splitlines() if form else ():
            json.loads(line)
    stored_nothing_of_the_session(victim)


def stored_nothing_of_the_session(victim: Typist) -> None:
    for path in Path(victim.home).rglob("*"):
        assert not leaks(str(path.relative_to(victim.home)))
        if path.is_file() and path != victim.config:
            assert not leaks(path.read_bytes().decode("latin-1")), path


def test_json_has_the_same_value_that_the_server_sent(victim: Typist) -> None:
    for form in ("--json", "--jsonl"):
        out, _ = printed(victim, "ls", form)
        assert "\\u202e" in out
        assert "\\u0085" in out
        values = set(texts(json.loads(out.splitlines()[0] if form == "--jsonl" else out)))
        assert f"a {HOSTILE} [hidden] [hidden] [hidden]" in values


def test_errors_are_printed_safely_too(victim: Typist, evil: Foreign) -> None:
    message = f"{HOSTILE} {ECHOED}"
    evil.answering = lambda _: Reply(503, {"code": message, "message": message}, {"X-Request-Id": f"\x9b2J{SECRET}"})
    for arguments in (("ls",), ("ls", "--json"), ("backup", "copy", "--json"), ("put", "a.txt", "/"), ("share", ITEM)):
        out, err = printed(victim, *arguments)
        assert not RAW.search(out + err)
        assert not leaks(out + err)
    shown = victim.run("ls", "--debug").stderr
    assert "Traceback" in shown
    assert not RAW.search(shown)


def test_a_terminal_gets_nothing_but_our_own_colours(victim: Typist) -> None:
    for arguments in (("ls", "-l"), ("tree",), ("get", "/", "got"), ("contacts", "export"), ("albums",)):
        _, shown = victim.in_terminal(*arguments)
        without_ours = re.sub(r"\x1b\[[0-9;]*m|\r\x1b\[K|\r", "", shown)
        assert not RAW.search(without_ours), repr(shown)


def test_envelopes_of_an_agent_hold_nothing_invisible(victim: Typist) -> None:
    for tool in ("list_files", "account_info", "list_trash", "list_favorites", "search_files"):
        call = json.dumps({"tool": tool, "arguments": {"query": "a"} if tool == "search_files" else {}})
        for out, err in (
            printed(victim, "agent", "call", call),
            _lines(victim, call),
        ):
            assert not RAW.search(out + err)
            json.loads(out)


def _lines(victim: Typist, call: str) -> tuple[str, str]:
    ended = victim.run("agent", "serve", stdin=call + "\n")
    return ended.stdout, ended.stderr


def test_a_traceback_has_no_session_in_it(victim: Typist, evil: Foreign) -> None:
    evil.answering = lambda _: Reply(500, {"code": ECHOED, "message": ECHOED})
    shown = victim.run("ls", "--debug").stderr
    assert "Traceback" in shown
    assert "[hidden]" in shown
    assert not leaks(shown)


def test_a_password_that_the_server_echoes_is_not_printed(stranger: Typist, evil: Foreign) -> None:
    password = 'open "sesame" 4711'
    evil.answering = lambda asked: Reply(401, {"message": f"wrong: {json.loads(asked.body)['password']}"})
    for options in ((), ("--debug",)):
        login = ("login", "--server", evil.url, "me@example.org", "--password-stdin", *options)
        ended = stranger.run(*login, stdin=password)
        assert ended.returncode == 4
        assert "wrong: [hidden]" in ended.stderr
        assert "sesame" not in ended.stdout + ended.stderr


def test_a_file_named_like_the_session_gets_another_name_here(victim: Typist, evil: Foreign) -> None:
    evil.answering = Evil(f"{TOKEN}.txt")
    victim.done("backup", "copy")
    assert sorted(path.name for path in (victim.desk / "copy").iterdir() if path.is_file()) == ["[hidden].txt"]
