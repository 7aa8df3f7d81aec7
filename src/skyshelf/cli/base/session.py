"""What all commands that talk to a server share: their options, their client, and how they end."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.base.errors import report_client_errors
from skyshelf.cli.base.groups import DefaultGroup, ListingGroup, examples
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

    def open_page(self, path: str, *, print_only: bool) -> None:
        """Open a page of the server in a browser; print its address if there is none, or if only that is wanted."""
        from skyshelf.client.settings import load_settings
        from skyshelf.wire.endpoint import Host

        settings = load_settings({"server": self.server}, profile=self.profile)
        url = settings.hosts.base(Host.ACCOUNT)
        url = f"{url.rstrip('/')}{path}" if path else url
        if print_only or click.launch(url) != 0:
            self.out.lines([url])

    def close(self) -> None:
        self._opened.close()


class ClientCommand(click.Command):
    """A command that talks to a server; `record` is the type that it prints as JSON, `records` if it prints several."""

    def __init__(
        self,
        *arguments: Any,
        example: Sequence[str],
        record: "type[Struct] | None" = None,
        records: "type[Struct] | None" = None,
        **options: Any,
    ) -> None:
        self.record = record or records
        self.many = records is not None
        options["params"] = [*(options.get("params") or ()), *_common_options(prints_data=self.record is not None)]
        options["epilog"] = examples(*example)
        super().__init__(*arguments, **options)
        for parameter in self.params:
            if parameter.name in _REMOTE and isinstance(parameter.type, type(click.STRING)):
                from skyshelf.cli.base.remote_paths import RemotePath

                parameter.type = RemotePath()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with a session; every failure becomes a sentence and an exit code."""
        common = {name: ctx.params.pop(name, None) for name in _COMMON}
        if common["as_json"] and common["as_jsonl"]:
            raise click.UsageError("use either --json or --jsonl, not both")
        form: Form = "jsonl" if common["as_jsonl"] else "json" if common["as_json"] else "text"
        colors: Colors = common["color"] or "auto"
        output = Output(form=form, quiet=bool(common["quiet"]), colors=colors)
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


def client_command(name: str, *lines: str, **options: Any) -> Callable[[Callable[..., Any]], ClientCommand]:
    """Make a function a command that talks to a server and is in no group; `lines` are examples."""
    return click.command(name, cls=ClientCommand, example=lines, **options)


class ClientGroup(click.Group):
    """A group of commands that talk to a server."""

    def command(  # type: ignore[override]
        self, name: str, *lines: str, **options: Any
    ) -> Callable[[Callable[..., Any]], click.Command]:
        """Make a function a command of the group; `lines` are examples."""
        return super().command(name, cls=ClientCommand, example=lines, **options)


class RunGroup(DefaultGroup, ClientGroup):
    """A group that runs its `run` by default: `skyshelf backup DEST` is `skyshelf backup run DEST`."""

    default = "run"

    def is_default(self, args: list[str], help_options: list[str]) -> bool:
        return not args or args[0] not in {*self.commands, *help_options}


class ClientListing(ListingGroup, ClientGroup):
    """A group that lists by default: `skyshelf albums` is `skyshelf albums ls`."""


no_index_option: Final = click.option(
    "--no-index", is_flag=True, help="List every folder instead of using the server's or the local index."
)


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
