"""The README's ten commands, typed as they stand there."""

import re
import shlex
from pathlib import Path

import httpx2
from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

README = Path(__file__).parents[2] / "README.md"


def tour() -> list[list[str]]:
    lines = re.findall(r"^skyshelf .*$", README.read_text(), re.MULTILINE)
    return [shlex.split(line)[1:] for line in lines]


def test_a_newcomer_needs_ten_commands(stranger: Typist) -> None:
    stranger.installed = True
    commands = tour()
    assert len(commands) == 10
    stranger.write("holiday/beach.jpg", b"sand")
    stranger.write("holiday/diary.txt", "day one")
    shown: dict[str, str] = {}
    for command in commands:
        typed = [
            {"http://127.0.0.1:8600": stranger.server, "you@example.org": stranger.person.account.email}.get(word, word)
            for word in command
        ]
        if typed[0] == "login":
            code, said = stranger.in_terminal(*typed, answers=(("Password", PASSWORD + "\n"),))
            assert code == 0, said
        else:
            shown[typed[0]] = stranger.done(*typed)
    assert "beach.jpg" in shown["ls"]
    assert shown["find"] == "/Photos/holiday/beach.jpg\n"
    assert shown["share"].startswith(stranger.server)
    assert "beach.jpg" in shown["trash"]
    assert httpx2.get(shown["share"].strip()).status_code == 200
    copied = stranger.desk / "drive-backup" / "Photos" / "holiday" / "beach.jpg"
    assert copied.read_bytes() == b"sand"
