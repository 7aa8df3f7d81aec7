"""`skyshelf admin settings`: the options of the server, their sources, and how long data is kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import json_option, open_metadata_only, print_result, print_table, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup, examples
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.retention import Effective


class _ShowingGroup(ListingGroup):
    default = "show"


@click.group(cls=_ShowingGroup)
def settings() -> None:
    """Show the server's settings, and change how long data is kept.

    How long data is kept is stored with the data: all instances of the service use the same values, a few seconds after
    a change. All else comes from options, the environment and a file.
    """


@settings.command(
    "show", epilog=examples("skyshelf admin settings show --data /srv/skyshelf", "skyshelf admin settings --json")
)
@store_options
def show(*, as_json: bool, **store: Any) -> None:
    """Show all settings: values, defaults, bounds and sources.

    First how long data is kept, then the options that the server would get from its file and the environment.
    """
    from skyshelf.cli.admin.server_options import server_options

    with open_metadata_only(**store, looking=True) as ctx:
        from skyshelf.service.retention import effective_settings

        found = effective_settings(ctx)
    options = server_options(None)
    rows = [*(_row(one) for one in found), *((one.name, one.value, one.source, "", one.help) for one in options)]
    print_table(as_json, [*map(_as_json, found), *(one._asdict() for one in options)], rows, empty="")


@settings.command("example", epilog=examples("skyshelf admin settings example > /etc/skyshelf/server.toml"))
def example() -> None:
    """Print a configuration file with all options."""
    from skyshelf.cli.admin.config_file import example as lines
    from skyshelf.cli.admin.serve import serve

    click.echo("\n".join(lines(serve)))


@settings.command("check", epilog=examples("skyshelf admin settings check --config server.toml"))
@click.option(
    "--config", type=click.Path(path_type=Path), help="The file to check.  [default: the one the server uses]"
)
@json_option
def check(*, config: Path | None, as_json: bool) -> None:
    """Read the configuration as the server would.

    It says where each value comes from. Nothing is started or changed. The exit code is 1 if the server would refuse
    the file. Values that hold a password or a key are not shown.
    """
    from skyshelf.cli.admin.server_options import check_together, server_options

    found = server_options(config)
    check_together(config)
    rows = [(one.name, one.value, one.source) for one in found]
    print_table(
        as_json, [{"name": name, "value": value, "source": source} for name, value, source in rows], rows, empty=""
    )


@settings.command("set", epilog=examples("skyshelf admin settings set trash_days 60 --data /srv/skyshelf"))
@click.argument("name")
@click.argument("value", type=int)
@store_options
def set_(*, name: str, value: int, as_json: bool, **store: Any) -> None:
    """Change a setting.

    A value that keeps more holds at once. One that keeps less holds after a day, so that a slip can be corrected; the
    command prints how much would go.
    """
    _change(name, value, as_json=as_json, store=store)


@settings.command("reset", epilog=examples("skyshelf admin settings reset trash_days --data /srv/skyshelf"))
@click.argument("name")
@store_options
def reset(*, name: str, as_json: bool, **store: Any) -> None:
    """Go back to the default of a setting."""
    _change(name, None, as_json=as_json, store=store)


def _change(name: str, value: int | None, *, as_json: bool, store: dict[str, Any]) -> None:
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.retention import OutOfBounds, UnknownSetting, set_retention

        try:
            changed, due = set_retention(ctx, name, value)
        except (UnknownSetting, OutOfBounds) as problem:
            raise CommandFailed(str(problem)) from problem
    unit = changed.setting.unit
    if changed.later is None:
        sentence = f"{name} is {changed.value} {unit}."
    else:
        assert changed.later_at is not None
        sentence = f"{name} stays {changed.value} {unit} until {_time(changed.later_at)}, then it is {changed.later}."
        if due is not None:
            size = f" ({format_size(due.size)})" if due.size else ""
            sentence += f" If it held now, {due.count:,} {changed.setting.goes}{size} would go."
    would_go = None if due is None else {"count": due.count, "bytes": due.size}
    print_result(as_json, _as_json(changed) | {"wouldGo": would_go}, sentence)


def _row(one: "Effective") -> tuple[str, ...]:
    setting = one.setting
    later = "" if one.later is None or one.later_at is None else f", {one.later} from {_time(one.later_at)} on"
    return (
        setting.name,
        f"{one.value} {setting.unit}{later}",
        one.source,
        f"default {setting.default}, {setting.minimum} to {setting.maximum}",
        setting.sentence,
    )


def _as_json(one: "Effective") -> dict[str, Any]:
    setting = one.setting
    return {
        "name": setting.name,
        "value": one.value,
        "unit": setting.unit,
        "source": one.source,
        "default": setting.default,
        "minimum": setting.minimum,
        "maximum": setting.maximum,
        "later": one.later,
        "laterAt": one.later_at,
        "description": setting.sentence,
    }


def _time(ms: int) -> str:
    from skyshelf.wire.times import from_epoch_ms

    return f"{from_epoch_ms(ms):%Y-%m-%d %H:%M} UTC"
