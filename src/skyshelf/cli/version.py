"""Which version this is."""

import click

from skyshelf.cli.examples import examples


def version_text() -> str:
    from importlib.metadata import version as version_of

    return version_of("skyshelf")


@click.command(epilog=examples("skyshelf version"))
def version() -> None:
    """Say which version this is."""
    click.echo(f"skyshelf {version_text()}")
