"""The reference of the command line, from the commands themselves."""

import inspect
import json
from collections.abc import Iterator
from enum import StrEnum
from types import UnionType
from typing import Annotated, Final, Literal, get_args, get_origin

import click
from msgspec import Struct
from msgspec.structs import fields

from skyshelf.cli.base.groups import help_entry
from skyshelf.cli.base.session import ClientCommand
from skyshelf.cli.main import COMMANDS, main
from skyshelf.wire.client_errors import EXIT_CODES
from tools.generate.markdown import page, table

WIDTH: Final = 100
_NAMES: Final[dict[object, str]] = {str: "string", int: "integer", bool: "boolean", type(None): "null"}


def cli_page() -> str:
    """Render every command with its help and the type of its JSON, then the records and the exit codes."""
    records: dict[str, type[Struct]] = {}
    parts = [
        "# Commands",
        "The help of every command, and the type of its JSON. Start with [the tour](../cli.md).",
        *_command_parts("", main),
    ]
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        for title, below in _tree(name, command):
            parts += _command_parts(title, below)
            if isinstance(below, ClientCommand) and below.record is not None:
                records |= _records(below.record)
    parts.append("# Records")
    parts.append("Times are RFC 3339 in UTC, sizes are in bytes, and null means that the server gives no value.")
    for title, record in sorted(records.items()):
        rows = [(f"`{field.encode_name}`", _describe_type(field.type)) for field in fields(record)]
        parts += [f"## {title}", inspect.getdoc(record) or "", table(("Field", "Type"), rows)]
    codes = [(str(code), meaning) for code, meaning in sorted(EXIT_CODES.items())]
    parts += ["# Exit codes", table(("Exit code", "Meaning"), codes)]
    return page("src/skyshelf/cli", *parts)


def cli_help() -> str:
    """Render the help of every command except groups; the command line shows it without importing the command."""
    found = {
        title: help_entry(below, _context(title, below))
        for name in COMMANDS
        if (command := main.get_command(click.Context(main), name)) is not None
        for title, below in _tree(name, command)
        if not isinstance(below, click.Group)
    }
    # One line per command keeps diffs small.
    lines = [f"{json.dumps(title)}: {json.dumps(entry, ensure_ascii=False)}" for title, entry in found.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _tree(title: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield the command and, if it is a group, all commands below it."""
    yield title, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.commands or command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _tree(f"{title} {name}", below)


def _command_parts(title: str, command: click.Command) -> Iterator[str]:
    yield f"## skyshelf {title}".rstrip()
    yield f"```text\n{command.get_help(_context(title, command))}\n```"
    if isinstance(command, ClientCommand) and command.record is not None:
        link = f"[{command.record.__name__}](#{command.record.__name__.lower()})"
        yield f"`--json`: an array of {link}; `--jsonl`: one per line." if command.many else f"`--json`: one {link}."


def _context(title: str, command: click.Command) -> click.Context:
    # Click caches a command's help option: use the same names as `main`, or the page would differ in a process that has
    # already run the command.
    return click.Context(
        command,
        info_name=f"skyshelf {title}".rstrip(),
        max_content_width=WIDTH,
        terminal_width=WIDTH,
        help_option_names=main.context_settings["help_option_names"],
    )


def _records(record: type[Struct]) -> dict[str, type[Struct]]:
    found = {record.__name__: record}
    for field in fields(record):
        type_ = _bare(field.type)
        for inner in (type_, *get_args(type_)):
            if isinstance(inner, type) and issubclass(inner, Struct):
                found |= _records(inner)
    return found


def _bare(annotation: object) -> object:
    """The type without notes on where its value comes from."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _describe_type(annotation: object) -> str:
    annotation = _bare(annotation)
    arguments = get_args(annotation)
    if get_origin(annotation) is list:
        return f"array of {_describe_type(arguments[0])}"
    if isinstance(annotation, UnionType):
        return " or ".join(map(_describe_type, arguments))
    if get_origin(annotation) is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return " or ".join(f"`{value}`" for value in annotation)
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    return _NAMES[annotation]
