"""`skyshelf admin secrets`: what the server keeps secret, and replacing it."""

from typing import Any

import click

from skyshelf.cli.admin.stores import Result, listed, store_command
from skyshelf.cli.base.progress import LiveLine
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.text import format_utc
from skyshelf.service import rotation
from skyshelf.service.context import ServiceContext
from skyshelf.service.rotation import SecretState
from skyshelf.service.secret_table import BY_NAME, TABLE, Secret


@click.group
def secrets() -> None:
    """Show the server's secrets without their values, and replace them."""


@store_command(secrets, "ls", "skyshelf admin secrets ls --data /srv/skyshelf", looking=True)
def ls(ctx: ServiceContext) -> Result:
    """List the secrets that the server made for itself.

    It shows what each is for, and how old it is, but never a value. Secrets that you gave to the server, such as those
    of the database, the mail server, login providers and backups, are not here: replace them where they come from.
    """
    found = rotation.states(ctx)
    rows = [(one.secret.name, _age(one), _depending(one), one.secret.purpose) for one in found]
    return listed([_json(one) for one in found], rows, empty="")


def _age(one: SecretState) -> str:
    if one.since:
        return f"since {format_utc(one.since)}"
    return "never replaced" if one.generation else "-"


def _depending(one: SecretState) -> str:
    return f"{one.depending:,} on earlier values" if one.depending else ""


def _json(one: SecretState) -> dict[str, Any]:
    return {
        "name": one.secret.name,
        "sinceDate": one.since or None,
        "generation": one.generation or None,
        "dependingOnEarlier": one.depending,
        "purpose": one.secret.purpose,
    }


@store_command(
    secrets,
    "rotate",
    "skyshelf admin secrets rotate second-factor",
    "skyshelf admin secrets rotate --all --yes",
    "skyshelf admin secrets rotate share-links --force",
    asks=False,
)
@click.argument("name", required=False, type=click.Choice([one.name for one in TABLE]))
@click.option("--all", "everything", is_flag=True, help="Replace all of them, such as after a theft of the database.")
@click.option("--force", is_flag=True, help="Let nothing go on with the earlier value.")
@yes_option
def rotate(ctx: ServiceContext, *, name: str | None, everything: bool, force: bool, yes: bool) -> Result:
    """Replace a secret, or all of them.

    Servers may go on running: they notice at once. Nobody is locked out: what depends on the earlier value goes on
    until it has moved to the new one. Somebody who has stolen the earlier value can use it for just that; --force ends
    it, and the question says what that means.
    """
    if (name is None) != everything:
        raise click.UsageError("name one secret, or choose --all; `skyshelf admin secrets ls` lists them")
    chosen = TABLE if name is None else (BY_NAME[name],)
    text = "\n".join(f"{one.name}: {_meaning(one, force=force)}" for one in chosen)
    confirm(f"{text}\nReplace {chosen[0].name if name else 'all secrets'}?", yes=yes)
    done: list[str] = []
    with LiveLine() as line:
        for one in chosen:
            for steps, _ in enumerate(rotation.rotate(ctx, one, force=force), 1):
                line.draw(lambda one=one, steps=steps: f"{one.name}: step {steps:,}")  # type: ignore[misc]
            done.append(one.name)
    after = {state.secret.name: state for state in rotation.states(ctx)}
    left = [f"{one}: {_depending(after[one])}, and go on" for one in done if after[one].depending]
    return Result([_json(after[one]) for one in done], "\n".join([f"Replaced {', '.join(done)}.", *left]))


def _meaning(one: Secret, *, force: bool) -> str:
    return f"{one.means} {one.forced}".strip() if force else one.means
