"""`skyshelf open`: the web page of the server."""

import click

from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.session import ClientCommand, Session


@click.command("open", cls=ClientCommand, example="skyshelf open")
@click.option("--print", "print_only", is_flag=True, help="Print the address instead.")
def open_page(*, session: Session, print_only: bool) -> None:
    """Open the web page of the server in a browser."""
    from skyshelf.client.settings import load_settings
    from skyshelf.wire.endpoint import Host

    settings = load_settings({"server": session.server}, profile=session.profile)
    url = settings.hosts.base(Host.ACCOUNT)
    if print_only or click.launch(url) != 0:
        session.out.lines([url])


# `skyshelf completion`: the script that lets a shell complete commands, options and paths of the server.


@click.command("completion", epilog=examples('eval "$(skyshelf completion bash)"'))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands, options and paths.

    Put the line of the example into ~/.bashrc or ~/.zshrc (with zsh), or save it for fish with
    `skyshelf completion fish > ~/.config/fish/completions/skyshelf.fish`.
    """
    from skyshelf.cli.base.shell_completion import SHELLS
    from skyshelf.cli.main import main

    click.echo(SHELLS[shell](main, {}, "skyshelf", "_SKYSHELF_COMPLETE").source(), nl=False)


# Which version this is.


def version_text() -> str:
    from importlib.metadata import version as version_of

    return version_of("skyshelf")


@click.command(epilog=examples("skyshelf version"))
def version() -> None:
    """Say which version this is."""
    click.echo(f"skyshelf {version_text()}")
