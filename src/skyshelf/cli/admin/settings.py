"""`skyshelf admin settings`: the options of the server, their sources, and how long data is kept."""

from pathlib import Path
from typing import Any

import click

from skyshelf.cli.admin.config_file import example as lines
from skyshelf.cli.admin.serve import serve
from skyshelf.cli.admin.server_options import parsed_options, server_options
from skyshelf.cli.admin.serving.start import checked
from skyshelf.cli.admin.stores import Result, fields_of, json_option, listed, print_result, store_command
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup, examples
from skyshelf.cli.base.text import format_utc
from skyshelf.service.context import ServiceContext
from skyshelf.service.retention import EffectiveSetting, RefusedSetting, effective_settings, set_retention
from skyshelf.wire.sizes import format_size


class _ShowingGroup(ListingGroup):
    default = "show"


@click.group(cls=_ShowingGroup)
def settings() -> None:
    """Show the server's settings, and change how long data is kept.

    How long data is kept is stored with the data: all instances of the service use the same values, a few seconds after
    a change. Everything else comes from options, the environment and a file.
    """


@store_command(
    settings,
    "show",
    "skyshelf admin settings show --data /srv/skyshelf",
    "skyshelf admin settings --json",
    looking=True,
)
def show(ctx: ServiceContext) -> Result:
    """Show all settings: values, defaults, bounds and sources.

    Lists how long data is kept, then the options that the server would get from its file and the environment.
    """
    found, options = effective_settings(ctx), server_options(None)
    rows = [*(_row(one) for one in found), *((one.name, one.value, one.source, "", one.help) for one in options)]
    return listed([*map(_as_json, found), *(one._asdict() for one in options)], rows, empty="")


@settings.command("example", epilog=examples("skyshelf admin settings example > /etc/skyshelf/server.toml"))
def example() -> None:
    """Print a configuration file with all options."""
    click.echo("\n".join(lines(serve)))


@settings.command("check", epilog=examples("skyshelf admin settings check --config server.toml"))
@click.option(
    "--config", type=click.Path(path_type=Path), help="The file to check.  [default: the one the server uses]"
)
@json_option
def check(*, config: Path | None, as_json: bool) -> None:
    """Check the configuration as the server does before it starts.

    Shows where each value comes from. Certificates are read, and the data folder must be usable; run it as the server's
    user. Nothing is started or changed, and no other machine is asked. The exit code is 1 if the server would refuse to
    start. Values that contain a password or a key are not shown.
    """
    found = server_options(config)
    checked(parsed_options(config))
    rows = [(one.name, one.value, one.source) for one in found]
    data = [{"name": name, "value": value, "source": source} for name, value, source in rows]
    print_result(as_json, *listed(data, rows, empty=""))


@store_command(settings, "set", "skyshelf admin settings set trash_days 60 --data /srv/skyshelf")
@click.argument("name")
@click.argument("value", type=int)
def set_(ctx: ServiceContext, *, name: str, value: int) -> Result:
    """Change a setting.

    A value that keeps more applies at once. One that keeps less applies after a day, so a slip can be corrected; the
    command prints how much would be deleted.
    """
    return _change(ctx, name, value)


@store_command(settings, "reset", "skyshelf admin settings reset trash_days --data /srv/skyshelf")
@click.argument("name")
def reset(ctx: ServiceContext, *, name: str) -> Result:
    """Reset a setting to its default."""
    return _change(ctx, name, None)


def _change(ctx: ServiceContext, name: str, value: int | None) -> Result:
    try:
        changed, due = set_retention(ctx, name, value)
    except RefusedSetting as problem:
        raise CommandFailed(str(problem)) from problem
    unit = changed.setting.unit
    if changed.later is None:
        sentence = f"{name} is {changed.value} {unit}."
    else:
        assert changed.later_at is not None
        sentence = (
            f"{name} stays {changed.value} {unit} until {format_utc(changed.later_at)}, then it is {changed.later}."
        )
        if due is not None:
            size = f" ({format_size(due.size)})" if due.size else ""
            sentence += f" If it applied now, {due.count:,} {changed.setting.goes}{size} would be deleted."
    would_go = None if due is None else {"count": due.count, "bytes": due.size}
    return Result(_as_json(changed) | {"wouldGo": would_go}, sentence)


def _row(one: EffectiveSetting) -> tuple[str, ...]:
    setting = one.setting
    later = "" if one.later is None or one.later_at is None else f", {one.later} from {format_utc(one.later_at)} on"
    return (
        setting.name,
        f"{one.value} {setting.unit}{later}",
        one.source,
        f"default {setting.default}, {setting.minimum} to {setting.maximum}",
        setting.sentence,
    )


def _as_json(one: EffectiveSetting) -> dict[str, Any]:
    bounds = fields_of(one.setting, "name", "unit", "default", "minimum", "maximum", "description=sentence")
    return bounds | fields_of(one, "value", "source", "later", "later_at")
