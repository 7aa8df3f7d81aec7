"""The options of `skyshelf serve` that name other services: a mail server, a collector of traces, login providers."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin.config_file import TableParam
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import FILE, PERIOD, add_options, shown_option

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.settings import TracingSettings
    from skyshelf.service.oidc.settings import Provider
    from skyshelf.service.process.mail_settings import MailSettings

_FILE_BYTES_MAX: Final = 64 * 1024
_INSTALL: Final = "run pip install 'skyshelf[tracing]'"

mail_options = add_options(
    click.option(
        "--mail",
        metavar="URL",
        help="Mail server for invitations and forgotten passwords: smtps://user@mail.example.org, smtp://localhost:25",
    ),
    click.option(
        "--mail-from", metavar="ADDRESS", help="Sender of messages.  [default: skyshelf@ and the host of --public-url]"
    ),
    click.option("--mail-password-file", type=FILE, help="File with the password for --mail."),
    click.option(
        "--mail-operators/--no-mail-operators",
        default=True,
        show_default=True,
        help="Send operators a message when a backup fails or is overdue and when a device is paused.",
    ),
)


def mail_settings_of(given: Mapping[str, Any]) -> "MailSettings | None":
    """The mail server that the options name; CommandFailed for one that cannot be used."""
    from msgspec.structs import replace

    from skyshelf.service.process.mail_settings import mail_settings

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
        settings = mail_settings(
            given["mail"], sender=given["mail_from"], password=password, public_url=given["public_url"]
        )
        return replace(settings, tells_operators=given["mail_operators"])
    except ValueError as wrong:
        raise CommandFailed(str(wrong)) from wrong


def _check_recipients(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for one in value:
        if not one.startswith(("age1", "ssh-")):
            raise click.BadParameter(f"'{one}' is not an age recipient (age1…): age-keygen prints one")
    return value


backup_options = add_options(
    click.option(
        "--backup-recipient",
        "backup_recipient",
        multiple=True,
        callback=_check_recipients,
        metavar="age1…",
        help="Encrypt every backup (skyshelf admin backup) to this age recipient, unless it says --unencrypted.",
    ),
    shown_option(
        "--backup-max-age",
        type=PERIOD,
        default="26h",
        metavar="PERIOD",
        help="How old the last backup may be before operators see that it is overdue, such as 8d, or forever.",
    ),
)


tracing_options = add_options(
    click.option(
        "--tracing",
        metavar="URL",
        help="Send traces to a collector that speaks OTLP over HTTP: http://localhost:4318  [default: as OTEL_… say]",
    ),
    click.option(
        "--tracing-sample",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="The share of traces that are sent.  [default: 1, or as OTEL_TRACES_SAMPLER says]",
    ),
    click.option(
        "--tracing-headers-file",
        type=FILE,
        help="File with headers for the collector, such as Authorization: Bearer TOKEN, one per line.",
    ),
    click.option(
        "--tracing-service",
        metavar="NAME",
        help="Name of this service in traces.  [default: skyshelf, or as OTEL_SERVICE_NAME says]",
    ),
)


def tracing_settings_of(given: Mapping[str, Any]) -> "TracingSettings | None":
    """Where the options send traces; CommandFailed for settings that cannot be used."""
    from skyshelf.server.observability.tracing.settings import is_installed, tracing_settings

    file: Path | None = given["tracing_headers_file"]
    try:
        settings = tracing_settings(
            given["tracing"],
            os.environ,
            sample=given["tracing_sample"],
            headers=None if file is None else _text(file),
            service=given["tracing_service"],
        )
    except ValueError as wrong:
        where = f"{file} cannot be used for --tracing-headers-file: " if file and "--tracing" not in str(wrong) else ""
        raise CommandFailed(f"{where}{wrong}") from wrong
    if settings is None or is_installed():
        return settings
    if given["tracing"] is not None:
        raise CommandFailed(f"--tracing needs packages that are not installed: {_INSTALL}")
    # The variables may be meant for other programs.
    click.echo(
        f"skyshelf: OTEL_… variables ask for traces, but the packages for that are not installed: {_INSTALL}", err=True
    )
    return None


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(_FILE_BYTES_MAX + 1)
        if len(data) > _FILE_BYTES_MAX:
            raise CommandFailed(f"the headers for --tracing in {file} are longer than 64 KiB")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise CommandFailed(f"the headers for --tracing cannot be read from {file}: {wrong}") from wrong


class ProviderTables:
    """Tables that have been read but not checked, and the folder that paths in them are relative to."""

    def __init__(self, tables: object, folder: Path, file: Path | None = None) -> None:
        self.tables = tables
        self.folder = folder
        self.file = file

    def __str__(self) -> str:
        names = ", ".join(map(str, self.tables)) if isinstance(self.tables, Mapping) else "?"
        return f"{self.file} ({names})" if self.file else names


class Providers(TableParam):
    """A file with providers, or the tables themselves."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ProviderTables:
        if isinstance(value, ProviderTables):
            return value
        import tomllib

        file = Path(str(value))
        try:
            found = tomllib.loads(file.read_text("utf-8"))
        except OSError as error:
            self.fail(f"cannot read {file}: {error.strerror}", param, ctx)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.fail(f"{file} is not valid TOML: {error}", param, ctx)
        if set(found) != {"oidc"}:
            self.fail(f"{file} must have a table for each provider, and nothing else: [oidc.company]", param, ctx)
        return ProviderTables(found["oidc"], file.parent, file)

    def of_table(self, table: dict[str, Any], folder: Path) -> ProviderTables:
        return ProviderTables(table, folder)


oidc_option = click.option(
    "--oidc",
    type=Providers(),
    metavar="FILE",
    help="TOML file with login providers (OpenID Connect), one table [oidc.ID] each; or such tables in --config.",
)


def providers_in(given: Mapping[str, Any]) -> "tuple[Provider, ...]":
    """The providers that the options name; CommandFailed for a setting that cannot be used."""
    tables: ProviderTables | None = given["oidc"]
    if tables is None:
        return ()
    from skyshelf.service.oidc.settings import WrongSetting, providers_of

    if given["public_url"] is None:
        raise CommandFailed("--oidc needs --public-url: providers send people back to it")
    try:
        return providers_of(tables.tables, folder=tables.folder)
    except WrongSetting as wrong:
        raise CommandFailed(str(wrong)) from wrong
