"""The page of the server's settings, from the options of `skyshelf serve` and the settings of the store."""

from typing import Final

import click

from skyshelf.cli.admin.config_file import allowed
from skyshelf.cli.admin.serve import serve
from skyshelf.service.retention import SETTINGS
from tools.generate.markdown import page, table

_ABOUT: Final = """\
# Settings of the server

Every setting is a line of the configuration file, a variable, and an option of `skyshelf serve`: `drain = 30`,
`SKYSHELF_SERVE_DRAIN=30` and `--drain 30` mean the same. The option counts most, then the variable, then the file. A
variable with several values has spaces between them. `skyshelf admin settings check` shows what holds, and
where it comes from. See [operating](../operating.md#configuration)."""
_STORED: Final = """\
## Settings of the store

How long data is kept is stored with the data, so that all instances agree. `skyshelf admin settings set NAME VALUE`
changes it; a value in the configuration is stored when the server starts. One that keeps less holds after a day."""


def settings_page() -> str:
    """Render every setting with its variable and default, and the settings that are stored with the data."""
    options = [
        (f"`{name.replace('_', '-')}`", f"`SKYSHELF_SERVE_{name.upper()}`", _default(option), _sentence(option))
        for name, option in allowed(serve).items()
    ]
    stored = [
        (f"`{one.name}`", f"{one.default} {one.unit}", f"{one.minimum} to {one.maximum}", one.sentence)
        for one in SETTINGS
    ]
    return page(
        "src/skyshelf/cli/admin",
        _ABOUT,
        table(["name", "variable", "default", "what it does"], options),
        _STORED,
        table(["name", "default", "bounds", "what it does"], stored),
    )


def _sentence(option: click.Option) -> str:
    return (option.help or "").partition("  [default:")[0]


def _default(option: click.Option) -> str:
    told = (option.help or "").partition("  [default: ")[2].removesuffix("]")
    if told:
        return told
    if option.multiple:
        return "none"
    if option.is_flag:
        return "off"
    if isinstance(option.show_default, str):
        return option.show_default
    default = option.to_info_dict()["default"]
    return str(default) if isinstance(default, (str, int, float)) else "none"
