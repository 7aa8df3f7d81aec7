"""The server's configuration file: one TOML file with the options of `skyshelf serve`.

An option on the command line takes precedence, then the environment, then the file, then the default.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from skyshelf.cli.base.errors import CommandFailed

VARIABLE: Final = "SKYSHELF_SERVE_CONFIG"
# Options for a single start, which make no sense in a file, or would be a trap there.
_NOT_IN_FILE: Final = {"config", "help", "debug", "adopt", "demo"}
_STORES: Final = ("data", "metadata", "blobs")
_IN_FILE: Final = (*_STORES, "public_url")


def default_places() -> list[Path]:
    """The places where the file is looked for, the user's own first."""
    places = [Path("/etc/skyshelf/server.toml")]
    # A user without a name, as in containers, has no home.
    with suppress(RuntimeError):
        user = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        places.insert(0, user / "skyshelf" / "server.toml")
    return places


def find(named: Path | None) -> Path | None:
    """The file named by an option or in the environment, otherwise the first that exists."""
    if named is None and (variable := os.environ.get(VARIABLE)):
        named = Path(variable)
    if named is not None:
        return named
    return next((place for place in default_places() if _is_there(place)), None)


def _is_there(place: Path) -> bool:
    try:
        return place.is_file()
    except OSError:  # another user's folder, where a service account looks
        return False


def read(file: Path) -> dict[str, Any]:
    """The settings in a file, by name with underscores; CommandFailed if it cannot be read."""
    import tomllib

    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise CommandFailed(f"cannot read the configuration file {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{file} is not valid TOML: {error}") from error
    return {name.replace("-", "_"): value for name, value in values.items()}


def allowed(command: click.Command) -> dict[str, click.Option]:
    """The options of a command that may be set in the file."""
    return {
        parameter.name: parameter
        for parameter in command.params
        if isinstance(parameter, click.Option) and parameter.name and parameter.name not in _NOT_IN_FILE
    }


def settings_for(command: click.Command, file: Path) -> dict[str, Any]:
    """The defaults that a file gives to a command; CommandFailed for an unknown setting."""
    known, values = allowed(command), read(file)
    for name in values:
        if name not in known:
            from difflib import get_close_matches  # most starts do not need it

            shown = name.replace("_", "-")
            near = get_close_matches(name, known, n=1)
            hint = f": did you mean {near[0].replace('_', '-')}?" if near else ""
            raise CommandFailed(f"{file} has the setting {shown}, which the server does not know{hint}")
    return {name: _plain(file, name, value, known[name]) for name, value in values.items()}


class TableParam(click.ParamType[Any]):
    """The type of an option that can be a table in the file."""

    name = "table"

    def of_table(self, table: dict[str, Any], folder: Path) -> Any:
        """The value for a table; paths in it are relative to the folder."""
        raise NotImplementedError


def _plain(file: Path, name: str, value: object, option: click.Option) -> object:
    is_list = option.multiple
    if isinstance(value, dict) and isinstance(option.type, TableParam):
        return option.type.of_table(value, file.parent)
    if is_list and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    if not is_list and isinstance(value, (str, int, float, bool)):
        # Click's types read words, as on the command line.
        return value if isinstance(value, bool) else str(value)
    wanted = 'a list of texts, such as ["10.0.0.0/8"]' if is_list else "one value"
    raise CommandFailed(f"{file}: {name.replace('_', '-')} must be {wanted}")


def use(ctx: click.Context, _: click.Parameter, value: Path | None) -> Path | None:
    """The callback of --config: the settings in the file become the defaults of all other options.

    The option is the first one that is declared, so click comes to it before it needs a default, and after --help.
    """
    file = find(value)
    if file is not None:
        ctx.default_map = settings_for(ctx.command, file)
    return file


class StoreOption(click.Option):
    """An option that names a store or the server's address; by default, what the server's own file says.

    Stores that are named on the command line are the whole answer: those of the environment and of the file are left
    alone. A rehearsal with --data would otherwise repair the live database that the file names.
    """

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        if self.name in _STORES and self.name not in opts and any(name in opts for name in _STORES):
            return click.Option.get_default(self, _without_file(ctx)), ParameterSource.DEFAULT
        return super().consume_value(ctx, opts)

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        if call and ctx.command.name != "serve" and self.name in _IN_FILE and (file := find(None)) is not None:
            found: Mapping[str, Any] = read(file)
            if self.name in found:
                return str(found[self.name])
        return super().get_default(ctx, call)


def _without_file(ctx: click.Context) -> click.Context:
    """Return a context of the same command that takes no defaults from the file of `serve`."""
    return click.Context(ctx.command, default_map={})


def example(command: click.Command) -> Iterator[str]:
    """The lines of a file with every setting, its default and what it does, all commented out."""
    yield "# The configuration of `skyshelf serve`. Options on the command line and SKYSHELF_SERVE_… variables win."
    for name, option in allowed(command).items():
        yield ""
        yield f"# {option.help}"
        yield f"# {name.replace('_', '-')} = {_shown(option)}"


def _shown(option: click.Option) -> str:
    if option.multiple:
        return "[]"
    if option.is_flag:
        return "true" if option.default is True else "false"
    default = option.to_info_dict()["default"]
    if default is None or not isinstance(default, (str, int, float, Path)):
        return '""'
    return str(default) if isinstance(default, (int, float)) else f'"{default}"'
