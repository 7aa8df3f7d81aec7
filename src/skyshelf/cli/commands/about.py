"""`skyshelf promotions`, `banners`, `open`, `completion` and `version`: about the server and this program."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import click

from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import local_time, visible
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.account import BannerCard, Promotion
from skyshelf.wire.sizes import format_size
from skyshelf.wire.version import VERSION


class PromotionRecord(Projection, frozen=True, kw_only=True):
    """Extra storage for a limited time."""

    promotion_id: str | None
    name: str | None
    quota_bytes: Annotated[int | None, From("quota")]
    starts: Annotated[Time, From("start_date")]
    ends: Annotated[Time, From("end_date")]
    is_active: bool


@client_command("promotions", "skyshelf promotions", records=PromotionRecord)
def promotions(*, session: CommandSession) -> None:
    """List extra storage granted for a limited time."""
    found = session.client.account.promotions()
    pairs = [(one, True) for one in found.active_promotions or ()]
    pairs += [(one, False) for one in found.expired_promotions or ()]

    def record(pair: tuple[Promotion, bool]) -> PromotionRecord:
        one, is_active = pair
        return PromotionRecord.of(one, is_active=is_active)

    def row(pair: tuple[Promotion, bool]) -> Row:
        one, is_active = pair
        end = f"{'until' if is_active else 'ended'} {local_time(one.end_date) or 'further notice'}"
        return visible(one.name or ""), format_size(one.quota or 0), end

    session.out.rows(pairs, record, row, right={1}, empty="No promotions.")


class BannerRecord(Projection, frozen=True, kw_only=True):
    """An announcement."""

    card_id: str | None
    title: str | None
    text: str | None
    action_url: str | None


@client_command("banners", "skyshelf banners", records=BannerRecord)
def banners(*, session: CommandSession) -> None:
    """List announcements from the server's operator."""

    def lines(found: Iterable[BannerCard]) -> Iterator[str]:
        for one in found:
            text = ": ".join(visible(part) for part in (one.title, one.text) if part)
            yield f"{text}  {visible(one.action_url)}" if one.action_url else text

    session.out.records(session.client.server_info.banners(), BannerRecord.of, lines, empty="No announcements.")


@client_command("open", "skyshelf open")
@click.option("--print", "print_only", is_flag=True, help="Print the address instead of opening it.")
def open_page(*, session: CommandSession, print_only: bool) -> None:
    """Open the server's web page in a browser."""
    session.open_page("", print_only=print_only)


@click.command(
    "completion",
    epilog=examples(
        'eval "$(skyshelf completion bash)"', "skyshelf completion fish > ~/.config/fish/completions/skyshelf.fish"
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a shell completion script.

    It completes commands, options and paths on the server. Put the example's first line into ~/.bashrc, or with `zsh`
    into ~/.zshrc.
    """
    from skyshelf.cli.base.shell_completion import SHELLS
    from skyshelf.cli.main import main

    click.echo(SHELLS[shell](main, {}, "skyshelf", "_SKYSHELF_COMPLETE").source(), nl=False)


@click.command(epilog=examples("skyshelf version"))
def version() -> None:
    """Print the version."""
    click.echo(f"skyshelf {VERSION}")
