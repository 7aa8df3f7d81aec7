"""The tour of docs/cli.md: its commands are typed in order, and print what the page says."""

import platform
import re
import shlex
from pathlib import Path

from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
KIB = 1024
FILES = {"beach.jpg": 952.8 * KIB, "sea.jpg": 953.04 * KIB, "sunset.jpg": 953.2 * KIB, "diary.txt": 18}


def told() -> list[tuple[str, str]]:
    """Every command of the tour, with what the page shows below it."""
    tour = PAGE.read_text(encoding="utf-8").partition("## A tour")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```console\n(.*?)^```", tour, re.MULTILINE | re.DOTALL)
    return [
        (typed.strip(), shown)
        for block in blocks
        for typed, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def alike(text: str, typist: Typist) -> str:
    """Without what differs from run to run: addresses, people, times, keys, and the order in which files arrive."""
    for here, there in (
        (typist.server, "http://127.0.0.1:8600"),
        (typist.person.account.email, "you@example.org"),
        ("Ada Byron", "You Yourself"),
        (f"skyshelf on {platform.system()}", "skyshelf on Linux"),
    ):
        text = text.replace(here, there)
    # The name of the machine has a width of its own.
    text = re.sub(r"^  (\S+) +((?:skyshelf on |Web).*)$", r"  DEVICE \2", text, flags=re.MULTILINE)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", text)
    text = re.sub(r"\?u=[\w-]+", "?u=TOKEN", text)
    lines = text.splitlines()
    return "\n".join(sorted(line for line in lines if line.startswith("uploaded "))) + "\n".join(
        line for line in lines if not line.startswith("uploaded ")
    )


def typed(typist: Typist, command: list[str]) -> str:
    if command[0] == "login":
        code, shown = typist.in_terminal(*command, answers=(("Password", PASSWORD + "\n"),))
        assert code == 0, shown
        return re.sub(r" *\r\n", "\n", shown)
    ended = typist.run(*command)
    assert ended.returncode == 0, ended.stderr
    return ended.stderr + ended.stdout


def test_the_tour_prints_what_the_page_says(stranger: Typist) -> None:
    stranger.installed = True
    for name, size in FILES.items():
        stranger.write(f"holiday/{name}", name[:1].encode() * round(size))
    commands = told()
    assert len(commands) >= 9
    for line, shown in commands:
        words = [
            {"http://127.0.0.1:8600": stranger.server, "you@example.org": stranger.person.account.email}.get(word, word)
            for word in shlex.split(line)[1:]
        ]
        assert alike(typed(stranger, words), stranger) == alike(shown, stranger), line
