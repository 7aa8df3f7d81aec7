"""The options of `skyshelf serve` that name a mail server."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from skyshelf.cli.base.errors import CommandFailed

if TYPE_CHECKING:
    from skyshelf.service.mail_settings import MailSettings

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--mail",
        metavar="URL",
        help="Mail server for invitations and forgotten passwords: smtps://user@mail.example.org, smtp://localhost:25",
    ),
    click.option(
        "--mail-from", metavar="ADDRESS", help="Sender of messages.  [default: skyshelf@ and the host of --public-url]"
    ),
    click.option(
        "--mail-password-file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="File with the password for --mail.",
    ),
)


def mail_options(command: Command) -> Command:
    """The options that name a mail server."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def mail_settings_of(given: Mapping[str, Any]) -> "MailSettings | None":
    """The mail server that the options name; CommandFailed for one that cannot be used."""
    from skyshelf.service.mail_settings import mail_settings

    file: Path | None = given["mail_password_file"]
    if given["mail"] is None:
        if file or given["mail_from"]:
            raise CommandFailed("--mail-from and --mail-password-file need --mail, the URL of the mail server")
        return None
    try:
        password = None if file is None else file.read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as wrong:
        raise CommandFailed(f"the password for --mail cannot be read from {file}: {wrong}") from wrong
    try:
        return mail_settings(
            given["mail"], sender=given["mail_from"], password=password, public_url=given["public_url"]
        )
    except ValueError as wrong:
        raise CommandFailed(str(wrong)) from wrong
