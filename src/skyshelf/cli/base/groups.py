"""A group of commands that imports each of them only when it is called."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class SubCommand(NamedTuple):
    """Where a command is, and its line in the list of commands."""

    module: str
    name: str
    summary: str


_COMPLETE: Final = "_SKYSHELF_COMPLETE"


class LazyGroup(click.Group):
    """`sections` gives the list of commands its headings: each stands before the command that it names."""

    def __init__(
        self,
        *args: Any,
        commands_by_name: Mapping[str, SubCommand],
        sections: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self._lazy = commands_by_name
        self._sections = sections or {}

    def main(self, *args: Any, **options: Any) -> Any:
        """Run, and end; what a shell needs to complete a line is loaded only for one that asks."""
        if _COMPLETE in os.environ:
            from skyshelf.cli.base.shell_completion import register

            register()
        return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C ends it with the code for that also where the command itself has not begun yet."""
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
        """The command that the first word names; of one that is nearly right, say which it could be."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as unknown:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), n=3) if args else []
            if not near:
                raise
            meant = " or ".join(f"'{name}'" for name in near)
            raise click.UsageError(f"{unknown.message} Did you mean {meant}?", ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands that begin so, from what is known without importing them; then options."""
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=command.summary)
            for name, command in self._lazy.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list, from what is known without importing anything."""
        widest = max(map(len, self._lazy), default=0)
        sections: list[tuple[str, list[tuple[str, str]]]] = []
        for name, command in self._lazy.items():
            if name in self._sections or not sections:
                sections.append((self._sections.get(name, "Commands"), []))
            # All of one width, so that the sections make one table.
            sections[-1][1].append((name.ljust(widest), command.summary))
        for title, rows in sections:
            with formatter.section(title):
                formatter.write_dl(rows)


# A group of commands about one noun, which lists its things where nobody says what to do with them.


class ListingGroup(click.Group):
    """`skyshelf boards` is `skyshelf boards ls`, with the same options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_for_help = any(one in self.get_help_option_names(ctx) for one in args[:1])
        if not asks_for_help and (not args or args[0].startswith("-")):
            args = ["ls", *args]
        return super().parse_args(ctx, args)


# Examples at the end of a command's help, where people look for them.


def examples(*lines: str) -> str:
    """The lines as the epilog of a command; the mark in front keeps them as they are."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
