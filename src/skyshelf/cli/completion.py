"""`skyshelf completion`: the script that lets a shell complete commands and options."""

import click


@click.command("completion", epilog='\b\nExample:\n  eval "$(skyshelf completion bash)"')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands and options.

    Put the line of the example into ~/.bashrc or ~/.zshrc (with zsh), or save it for fish with
    `skyshelf completion fish > ~/.config/fish/completions/skyshelf.fish`.
    """
    from click.shell_completion import get_completion_class

    from skyshelf.cli.main import main

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(main, {}, "skyshelf", "_SKYSHELF_COMPLETE")
    click.echo(script.source_template % script.source_vars())
