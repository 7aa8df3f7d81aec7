"""Options that transfers in both directions share."""

import re
from typing import TYPE_CHECKING

import click

from skyshelf.cli.sizes import Size

if TYPE_CHECKING:
    from skyshelf.client.engine.rate_limit import RateLimit


class Rate(Size):
    """Bytes per second: 2M, 500k, 1.5MiB/s."""

    name = "rate"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        rate = super().convert(re.sub(r"/s\s*$", "", value) if isinstance(value, str) else value, param, ctx)
        if rate < 1:
            self.fail(f"'{value}' would never end: write it like 2M or 500k", param, ctx)
        return rate


limit_rate_option = click.option(
    "--limit-rate",
    type=Rate(),
    help="Bytes per second of all files together, such as 2M or 500k.",
)


def shared_limit(rate: int | None) -> "RateLimit | None":
    """The limit that all transfers of a command share."""
    if rate is None:
        return None
    from skyshelf.client.engine.rate_limit import RateLimit

    return RateLimit(rate)
