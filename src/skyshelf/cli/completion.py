"""`skyshelf completion`: the script that lets a shell complete commands, options and paths of the server."""

import click

from skyshelf.cli.examples import examples


@click.command("completion", epilog=examples('eval "$(skyshelf completion bash)"'))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands, options and paths.

    Put the line of the example into ~/.bashrc or ~/.zshrc (with zsh), or save it for fish with
    `skyshelf completion fish > ~/.config/fish/completions/skyshelf.fish`.
    """
    from skyshelf.cli.main import main
    from skyshelf.cli.shell_completion import SHELLS

    click.echo(SHELLS[shell](main, {}, "skyshelf", "_SKYSHELF_COMPLETE").source(), nl=False)
