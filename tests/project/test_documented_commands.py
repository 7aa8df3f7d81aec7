"""Every command line in the docs can be typed: the command is there, and so are its options."""

import re
import shlex
from pathlib import Path

import click
import pytest
from tests.cli.command_tree import all_commands

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    if "skyshelf " in page.read_text(encoding="utf-8")
)
LINE = re.compile(r"^ *(?:\$ |[\d* ]+ )?(?:\.venv/bin/)?(skyshelf [a-z].*)$", re.MULTILINE)
BLOCK = re.compile(r"^( *)```\w*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def typed_lines(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = "\n".join(block for _, block in BLOCK.findall(text)).replace("\\\n", " ")
    return LINE.findall(blocks)


def words_of(line: str) -> list[str]:
    """The words of the first command of a line, without what a shell does with them."""
    words = shlex.split(line, comments=True)
    ends = [number for number, word in enumerate(words) if word in {"|", "<", ">", "&&", ";", "&", ">>"}]
    return words[1 : ends[0] if ends else None]


def problem_of(line: str, commands: dict[str, click.Command]) -> str | None:
    words = words_of(line)
    titles = [" ".join(words[:length]) for length in range(len(words), 0, -1)]
    found = next((title for title in titles if title in commands), None)
    if found is None:
        return None if any(title.startswith(words[0] + " ") for title in commands) else "there is no such command"
    known = {name for one in commands[found].params for name in (*one.opts, *one.secondary_opts)} | {"--help", "-h"}
    unknown = {word.partition("=")[0] for word in words if word.startswith("--")} - known
    return f"{found} has no {', '.join(sorted(unknown))}" if unknown else None


@pytest.mark.parametrize("page", PAGES)
def test_every_documented_command_line_can_be_typed(page: str) -> None:
    commands = all_commands()
    wrong = {line: problem for line in typed_lines(page) if (problem := problem_of(line, commands))}
    assert wrong == {}


def test_the_docs_have_command_lines_at_all() -> None:
    assert sum(len(typed_lines(page)) for page in PAGES) > 30
