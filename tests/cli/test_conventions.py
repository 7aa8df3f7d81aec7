"""What holds for every command, also for those that are yet to come: an example, and JSON in its documented form."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import click
import pytest
from tests.cli.command_tree import all_commands, all_groups
from tools.generate.cli import cli_page

from skyshelf.cli.base.session import ClientCommand

COMMANDS = all_commands()
GROUPS = all_groups()
ROOT = Path(__file__).parents[2]

# As the program has it: a command remembers how its first context spelt it.
HELP = ["-h", "--help"]


def printed_help(title: str) -> str:
    context = click.Context(
        COMMANDS[title],
        info_name=f"skyshelf {title}",
        max_content_width=200,
        terminal_width=200,
        help_option_names=HELP,
    )
    return COMMANDS[title].get_help(context)


@pytest.mark.parametrize("title", COMMANDS)
def test_the_help_of_every_command_has_an_example_of_it(title: str) -> None:
    told = re.search(r"^ *Examples?:\n((?: +.*\n?)+)", printed_help(title), re.MULTILINE)
    assert told, f"`skyshelf {title} --help` has no example: give it `example=…`, or `epilog=examples(…)`"
    assert f"skyshelf {title}" in told[1]


def held_forms() -> dict[str, set[tuple[str, bool]]]:
    """The commands whose JSON some test decodes strictly, with the record and whether there are many.

    Read from the tests themselves: `typist.record(Kind, "albums", "ls", …)` holds `boards ls` to Kind.
    """
    found: dict[str, set[tuple[str, bool]]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if ".record" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr not in {"record", "records"} or not node.args or not isinstance(node.args[0], ast.Name):
                continue
            words = []
            for argument in node.args[1:]:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    break
                words.append(argument.value)
            for length in range(1, len(words) + 1):
                title = " ".join(words[:length])
                if title in COMMANDS:
                    found[title].add((node.args[0].id, node.func.attr == "records"))
    return found


def test_every_json_is_held_to_its_documented_form_by_a_test() -> None:
    held = held_forms()
    printing = {title: one for title, one in COMMANDS.items() if isinstance(one, ClientCommand) and one.record}
    assert len(printing) > 30
    missing = [
        f'{title}: no test calls typist.{"records" if one.many else "record"}({one.record.__name__}, "{title}", …)'
        for title, one in printing.items()
        if one.record is not None and (one.record.__name__, one.many) not in held[title]
    ]
    assert missing == []


def test_every_record_and_its_fields_are_documented() -> None:
    page = cli_page()
    for title, command in COMMANDS.items():
        if not isinstance(command, ClientCommand) or command.record is None:
            continue
        name = command.record.__name__
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert section, f"{name}, which `skyshelf {title} --json` prints, is not on the page of commands"
        for field in command.record.__struct_fields__:
            assert f"| `{field}` |" in section, (name, field)


def test_what_prints_data_prints_it_as_json_too() -> None:
    for title, command in COMMANDS.items():
        if isinstance(command, ClientCommand):
            names = {option for one in command.params for option in one.opts}
            assert ("--json" in names) == ("--jsonl" in names) == (command.record is not None), title


@pytest.mark.parametrize("title", GROUPS)
def test_no_summary_is_cut_off_in_a_list_of_commands(title: str) -> None:
    context = click.Context(
        GROUPS[title], info_name=f"skyshelf {title}", max_content_width=80, terminal_width=80, help_option_names=HELP
    )
    commands = GROUPS[title].get_help(context).partition("Commands:\n")[2]
    assert commands
    assert [line for line in commands.splitlines() if line.endswith("...")] == []
