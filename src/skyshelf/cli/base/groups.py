"""Groups of commands: one that imports its commands lazily, and one that lists by default."""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class SubCommand(NamedTuple):
    """Where a command is defined, and its line in the list of commands."""

    module: str
    name: str
    summary: str


_COMPLETE: Final = "_SKYSHELF_COMPLETE"


def _show_unexpected(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
    """Print an error that nothing handled. Its message may quote a server, which may quote the session."""
    from skyshelf.cli.base.errors import show_traceback

    show_traceback(error)


class LazyGroup(click.Group):
    """Imports a command only when it is used.

    `sections` maps the first command of each section to its heading, `aliases` other names of commands to their own.
    """

    def __init__(
        self,
        *args: Any,
        commands_by_name: Mapping[str, SubCommand],
        sections: Mapping[str, str] | None = None,
        aliases: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self._lazy = commands_by_name
        self._sections = sections or {}
        self._aliases = aliases or {}

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command; support for shell completion is loaded only when a shell asks for it."""
        if _COMPLETE in os.environ:
            from skyshelf.cli.base.shell_completion import register

            register()
        sys.excepthook = _show_unexpected
        return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C exits with code 130, also while the command is still loading."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            from skyshelf.wire.client_errors import EXIT_INTERRUPTED

            click.echo("skyshelf: interrupted.", err=True)
            ctx.exit(EXIT_INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *self._lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = self._lazy.get(cmd_name)
        if found is None:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(found.module), found.name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; for a misspelt one, the error suggests others."""
        args = [self._aliases.get(word, word) for word in args[:1]] + args[1:]
        asks_for_help = ctx.parent is None and len(args) > 1 and args[-1] in self.get_help_option_names(ctx)
        if asks_for_help and (shown := prepared_help(args[:-1])) is not None:
            return shown.name, shown, args[-1:]
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as unknown:
            from difflib import get_close_matches

            similar = get_close_matches(args[0], self.list_commands(ctx), n=3) if args else []
            if not similar:
                raise
            suggestions = " or ".join(f"'{name}'" for name in similar)
            raise click.UsageError(f"{unknown.message} Did you mean {suggestions}?", ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Matching commands, without importing them; then options."""
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=command.summary)
            for name, command in self._lazy.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands, without importing them."""
        widest = max(map(len, self._lazy), default=0)
        sections: list[tuple[str, list[tuple[str, str]]]] = []
        for name, command in self._lazy.items():
            if name in self._sections or not sections:
                sections.append((self._sections.get(name, "Commands"), []))
            # One width for all sections.
            sections[-1][1].append((name.ljust(widest), command.summary))
        for title, rows in sections:
            with formatter.section(title):
                formatter.write_dl(rows)


class DefaultGroup(click.Group):
    """A group that runs one of its commands by default: words that name no other command are those of this one."""

    default: str

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_completed = ctx.resilient_parsing and not args
        if not is_completed and self.is_default(args, self.get_help_option_names(ctx)):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def is_default(self, args: list[str], help_options: list[str]) -> bool:
        """Whether the words are those of the default command."""
        raise NotImplementedError

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Matching commands, and what the default command takes here."""
        found = super().shell_complete(ctx, incomplete)
        default = self.commands[self.default]
        inner = click.Context(default, info_name=self.default, parent=ctx, resilient_parsing=True)
        first = next((one for one in default.params if isinstance(one, click.Argument)), None)
        if first is not None and not incomplete.startswith("-"):
            found += first.shell_complete(inner, incomplete)
        known = {one.value for one in found}
        return [*found, *(one for one in default.shell_complete(inner, incomplete) if one.value not in known)]


class ListingGroup(DefaultGroup):
    """A group that runs its `ls` by default: `skyshelf albums` is `skyshelf albums ls`, with the same options."""

    default = "ls"

    def is_default(self, args: list[str], help_options: list[str]) -> bool:
        return not args or (args[0].startswith("-") and args[0] not in help_options)


def examples(*lines: str) -> str:
    """The lines as a command's epilog; the mark in front keeps click from rewrapping them."""
    return f"\b\nExample{'s' if len(lines) > 1 else ''}:\n" + "\n".join(f"  {line}" for line in lines)


# Help that is kept as data, so that showing it imports no command. `./dev docs` writes it.

HELP_FILE: Final = Path(__file__).with_name("help.json")


class PreparedHelp(click.Command):
    """A command that only shows its help."""

    def __init__(self, title: str, entry: dict[str, Any]) -> None:
        super().__init__(title, help=entry["help"], epilog=entry["epilog"])
        self._usage: list[str] = entry["usage"]
        self._options: list[tuple[str, str]] = [(option, meaning) for option, meaning in entry["options"]]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return self._usage

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Options"):
            formatter.write_dl(self._options)


def prepared_help(words: list[str]) -> PreparedHelp | None:
    """The help of the command that these words name; None if only the command itself has it."""
    import json

    title = " ".join(words)
    try:
        entry = json.loads(HELP_FILE.read_text(encoding="utf-8")).get(title)
    except (OSError, ValueError):
        # A checkout may lack the file; the commands themselves have the same help.
        return None
    return None if entry is None else PreparedHelp(title, entry)


def help_entry(command: click.Command, context: click.Context) -> dict[str, Any]:
    """The entry of a command in the file."""
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    records = [option.get_help_record(context) for option in options]
    return {
        "usage": command.collect_usage_pieces(context),
        "help": command.help,
        "options": [record for record in records if record is not None],
        "epilog": command.epilog,
    }
