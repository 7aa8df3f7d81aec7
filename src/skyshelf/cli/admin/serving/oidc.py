"""The option of `skyshelf serve` that names login providers: a TOML file, or `[oidc.ID]` tables in the server's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.config_file import TableParam
from skyshelf.cli.base.errors import CommandFailed

if TYPE_CHECKING:
    from skyshelf.service.oidc.settings import Provider


class ProviderTables:
    """Tables that were read and not looked at yet, and the folder that paths in them are relative to."""

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
