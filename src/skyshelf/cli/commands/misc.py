"""`skyshelf open`, `completion` and `version`."""

import click

from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.wire.version import VERSION


@click.command("open", cls=ClientCommand, example="skyshelf open")
@click.option("--print", "print_only", is_flag=True, help="Print the address instead of opening it.")
def open_page(*, session: CommandSession, print_only: bool) -> None:
    """Open the server's web page in a browser."""
    from skyshelf.client.settings import load_settings
    from skyshelf.wire.endpoint import Host

    settings = load_settings({"server": session.server}, profile=session.profile)
    url = settings.hosts.base(Host.ACCOUNT)
    if print_only or click.launch(url) != 0:
        session.out.lines([url])


@click.command(
    "completion",
    epilog=examples(
        'eval "$(skyshelf completion bash)"',
        "skyshelf completion fish > ~/.config/fish/completions/skyshelf.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a shell completion script.

    It completes commands, options and paths on the server. Put the example's first line into ~/.bashrc, or with `zsh`
    into ~/.zshrc.
    """
    from skyshelf.cli.base.shell_completion import SHELLS
    from skyshelf.cli.main import main

    click.echo(SHELLS[shell](main, {}, "skyshelf", "_SKYSHELF_COMPLETE").source(), nl=False)


@click.command(epilog=examples("skyshelf version"))
def version() -> None:
    """Print the version."""
    click.echo(f"skyshelf {VERSION}")
