"""Which version this is."""

import click


def version_text() -> str:
    from importlib.metadata import version as version_of

    return version_of("skyshelf")


@click.command
def version() -> None:
    """Say which version this is."""
    click.echo(f"skyshelf {version_text()}")
