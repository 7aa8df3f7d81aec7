"""What all commands that talk to a server share: their options, their client, and how they end."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.base.errors import report_client_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.output import Colors, Form, Output
from skyshelf.wire.client_errors import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from msgspec import Struct

    from skyshelf.client.sync_client import Client

_REMOTE: Final = frozenset({"path", "paths"})
"""Parameters with these names are paths on the server, which shells complete."""

_COMMON: Final = ("profile", "server", "as_json", "as_jsonl", "quiet", "color", "debug")


class CommandSession:
    """One run of a command: its output, and its client, which is opened when first used."""

    def __init__(self, output: Output, *, server: str | None, profile: str | None) -> None:
        self.out = output
        self.server = server
        self.profile = profile
        self.resume_hint: str | None = None
        self._opened = ExitStack()
        self._client: Client | None = None

    @property
    def client(self) -> "Client":
        """The client of the chosen profile."""
        if self._client is None:
            from skyshelf.client.errors import ConfigurationError
            from skyshelf.client.sync_client import Client

            client = self._opened.enter_context(Client(self.server, profile=self.profile))
            if client.credentials is None:
                reason = client.logged_out_reason or "not logged in: run `skyshelf login --server URL EMAIL`"
                raise ConfigurationError(reason)
            self._client = client
        return self._client

    def use_index(self, *, build: bool) -> None:
        """Answer listings from the local index, if the server provides the change feed that keeps one current."""
        self.client.use_index(build=build)

    def close(self) -> None:
        """Close the client."""
        self._opened.close()


class ClientCommand(click.Command):
    """A command that talks to a server; `record` is the type that it prints as JSON."""

    def __init__(
        self,
        *arguments: Any,
        example: str | Sequence[str],
        record: "type[Struct] | None" = None,
        many: bool = False,
        **options: Any,
    ) -> None:
        self.examples = (example,) if isinstance(example, str) else tuple(example)
        self.record = record
        self.many = many
        options["params"] = [*(options.get("params") or ()), *_common_options(prints_data=record is not None)]
        options["epilog"] = examples(*self.examples)
        super().__init__(*arguments, **options)
        for parameter in self.params:
            if parameter.name in _REMOTE and isinstance(parameter.type, type(click.STRING)):
                from skyshelf.cli.base.remote_paths import RemotePath

                parameter.type = RemotePath()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with a session; every failure becomes a sentence and an exit code."""
        common = {name: ctx.params.pop(name, None) for name in _COMMON}
        output = Output(form=_form(common), quiet=bool(common["quiet"]), colors=_colors(common))
        session = CommandSession(output, server=common["server"], profile=common["profile"])
        ctx.params["session"] = session
        try:
            with report_client_errors(debug=bool(common["debug"])):
                try:
                    return super().invoke(ctx)
                finally:
                    session.close()
        except (KeyboardInterrupt, click.Abort):
            output.problem(f"interrupted. {session.resume_hint or 'Run the command again to finish'}.")
            ctx.exit(EXIT_INTERRUPTED)


no_index_option: Final = click.option(
    "--no-index", is_flag=True, help="List every folder instead of using the server's or the local index."
)


def _form(common: dict[str, Any]) -> Form:
    if common["as_json"] and common["as_jsonl"]:
        raise click.UsageError("use either --json or --jsonl, not both")
    return "jsonl" if common["as_jsonl"] else "json" if common["as_json"] else "text"


def _colors(common: dict[str, Any]) -> Colors:
    chosen: Colors = common["color"] or "auto"
    return chosen


def _common_options(*, prints_data: bool) -> list[click.Option]:
    as_data = [
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document."),
        click.Option(["--jsonl", "as_jsonl"], is_flag=True, help="Print one JSON document per line."),
    ]
    return [
        *(as_data if prints_data else ()),
        click.Option(["--profile"], metavar="NAME", help="Use this profile; `skyshelf profiles` lists them."),
        click.Option(["--server"], metavar="URL", help="Use this server; a session is only sent to its own."),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print only data and errors."),
        click.Option(
            ["--color"], type=click.Choice(["auto", "always", "never"]), default="auto", help="When to use colours."
        ),
        click.Option(["--debug"], is_flag=True, help="Show the full traceback on errors."),
    ]
