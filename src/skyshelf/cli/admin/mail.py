"""`skyshelf admin mail`: try the mail server."""

from pathlib import Path

import click

from skyshelf.cli.admin.serving.mail import mail_settings_of
from skyshelf.cli.admin.stores import debug_option, json_option, print_result
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples


@click.group()
def mail() -> None:
    """Try the mail server."""


@mail.command("test", epilog=examples("skyshelf admin mail test ada@example.org --config /etc/skyshelf/server.toml"))
@click.argument("address")
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="TOML file with the server's options.  [default: where `skyshelf serve` looks]",
)
@click.option("--language", type=click.Choice(["en", "de"]), default="en", show_default=True, help="Of the message.")
@json_option
@debug_option
def test(*, address: str, config: Path | None, language: str, as_json: bool, debug: bool) -> None:
    """Send a message with the server's own settings.

    It says what the mail server says. The service need not run.
    """
    import time
    from urllib.parse import urlsplit

    from skyshelf.cli.admin.server_options import parsed_options
    from skyshelf.service.mail.delivery import deliver
    from skyshelf.service.mail.messages import Facts, write_message
    from skyshelf.service.mail_settings import MailDelayed, MailRefused

    settings = mail_settings_of(parsed_options(config))
    if settings is None:
        raise CommandFailed("the server has no mail server: name one with --mail in its settings")
    facts = Facts(host=urlsplit(settings.public_url).hostname or "localhost")
    with report_errors(MailDelayed, MailRefused, ValueError, debug=debug):
        now = time.time_ns() // 1_000_000
        message = write_message(
            "test", "de" if language == "de" else "en", facts, sender=settings.sender, to=address, now=now
        )
        deliver(settings, message)
    sentence = f"{settings.host} has taken a message for {address}."
    print_result(as_json, {"host": settings.host, "address": address}, sentence)
