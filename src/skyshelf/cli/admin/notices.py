"""`skyshelf admin promotion` and `banner`: extra storage for a limited time, and announcements to all users."""

import time
from typing import Any

import click

from skyshelf.cli.admin.stores import Result, fields_of, listed, store_command
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import FUTURE_TIME, SIZE, add_options
from skyshelf.cli.base.text import format_utc
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.context import ServiceContext
from skyshelf.service.operator.banners import add_banner as announce
from skyshelf.service.operator.banners import all_banners, remove_banner
from skyshelf.service.operator.banners import edit_banner as change
from skyshelf.service.operator.promotions import add_promotion as grant
from skyshelf.service.operator.promotions import all_promotions, remove_promotion
from skyshelf.storage.metadata.contracts.accounts import Banner, Promotion
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.sizes import format_size
from skyshelf.wire.times import from_epoch_ms

_NEVER = 0

_period_options = add_options(
    click.option("--from", "start", type=FUTURE_TIME, help="Start: 7d, 2027-05-01.  [default: now]"),
    click.option("--until", "end", type=FUTURE_TIME, required=True, help="End: 30d, 2027-05-01, or never."),
)


def _start_ms(start: int | None) -> int:
    """The start in epoch milliseconds; now by default."""
    return start or time.time_ns() // 1_000_000


def _end_ms(end: int) -> int:
    """The end in epoch milliseconds; `never` is the last time that the interface can express."""
    return TIME_MS_MAX if end == _NEVER else end


def _period(one: Banner | Promotion) -> str:
    """`from 2027-05-01 08:00 until 2027-05-02 09:00 UTC`."""
    start = f"from {from_epoch_ms(one.start_at):%Y-%m-%d %H:%M}"
    if one.end_at == TIME_MS_MAX:
        return f"{start} UTC, no end"
    return f"{start} until {format_utc(one.end_at)}"


@click.group
def promotion() -> None:
    """Grant extra storage for a while, to one account or to all."""


def _check_promotion(*, email: str | None, all_users: bool, **_: object) -> None:
    if all_users == (email is not None):
        raise CommandFailed("use either --user EMAIL or --all-users")


@store_command(
    promotion,
    "add",
    'skyshelf admin promotion add "Welcome" 10GiB --user ada@example.org --until 90d',
    'skyshelf admin promotion add "Summer" 5GiB --all-users --from 2027-06-01 --until 2027-09-01',
    check=_check_promotion,
    asks=False,
)
@click.argument("name")
@click.argument("space", type=SIZE)
@click.option("--user", "email", metavar="EMAIL", help="Grant it to this account.")
@click.option("--all-users", is_flag=True, help="Grant it to all accounts, including new ones.")
@_period_options
def add_promotion(
    ctx: ServiceContext, *, name: str, space: int, email: str | None, start: int | None, end: int, **_: object
) -> Result:
    """Grant extra storage."""
    account = find_account(ctx, email) if email is not None else None
    added = grant(ctx, name, space, start_at=_start_ms(start), end_at=_end_ms(end), account=account)
    return Result(
        _promotion_json(ctx, added),
        f"Granted {format_size(space)} to {email or 'all users'}, {_period(added)}; promotion {added.promotion_key}.",
    )


@store_command(promotion, "ls", "skyshelf admin promotion ls --user ada@example.org", looking=True)
@click.option("--user", "email", metavar="EMAIL", help="List only promotions that apply to this account.")
def list_promotions(ctx: ServiceContext, *, email: str | None) -> Result:
    """List all promotions: current, past and future."""
    found = all_promotions(ctx)
    if email is not None:
        account_id = find_account(ctx, email).account_id
        found = [one for one in found if one.account_id in {None, account_id}]
    rows = [
        (one.promotion_key, one.name, format_size(one.space), _beneficiary(ctx, one) or "all users", _period(one))
        for one in found
    ]
    return listed([_promotion_json(ctx, one) for one in found], rows, empty="No promotions.")


@store_command(promotion, "delete", "skyshelf admin promotion delete 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F")
@click.argument("key")
def delete_promotion(ctx: ServiceContext, *, key: str) -> Result:
    """Delete a promotion. Accounts that are then over their quota keep their files, but cannot upload."""
    remove_promotion(ctx, key)
    return Result({"removed": key}, f"Deleted promotion {key}.")


def _beneficiary(ctx: ServiceContext, one: Promotion) -> str | None:
    """The email address of the account that it is for; None for all."""
    if one.account_id is None:
        return None
    with ctx.metadata.read() as unit:
        return unit.accounts.by_id(one.account_id).email


def _promotion_json(ctx: ServiceContext, one: Promotion) -> dict[str, object]:
    period = fields_of(one, "start_date=start_at", "end_date=end_at")
    return (
        fields_of(one, "promotion_id=promotion_key", "name", "quota=space")
        | {"emailId": _beneficiary(ctx, one)}
        | period
    )


@click.group
def banner() -> None:
    """Manage announcements, which clients show to all users."""


@store_command(
    banner,
    "add",
    'skyshelf admin banner add "Maintenance" "Offline on Sunday from 8 to 9." --until 2027-05-02T09:00',
    asks=False,
)
@click.argument("title")
@click.argument("text")
@click.option("--image-url", default="", metavar="URL", help="Picture to show.")
@click.option("--action-url", default="", metavar="URL", help="Page to link to.")
@_period_options
def add_banner(ctx: ServiceContext, *, title: str, text: str, start: int | None, end: int, **urls: str) -> Result:
    """Add an announcement."""
    added = announce(ctx, title, text, start_at=_start_ms(start), end_at=_end_ms(end), **urls)
    return Result(_banner_json(added), f"Added banner {added.banner_key}, shown {_period(added)}.")


@store_command(banner, "ls", "skyshelf admin banner ls --json", looking=True)
def list_banners(ctx: ServiceContext) -> Result:
    """List all announcements: current, past and future."""
    found = all_banners(ctx)
    rows = [(one.banner_key, one.title, _period(one)) for one in found]
    return listed([_banner_json(one) for one in found], rows, empty="No banners.")


def _check_changes(*, key: str, **changes: object) -> None:  # noqa: ARG001 - all others are changes
    if all(value is None for value in changes.values()):
        raise CommandFailed("nothing to change: `skyshelf admin banner edit --help` lists the options")


@store_command(
    banner, "edit", "skyshelf admin banner edit 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F --until 7d", check=_check_changes
)
@click.argument("key")
@click.option("--title", help="New title.")
@click.option("--text", help="New text.")
@click.option("--image-url", metavar="URL", help="New picture; empty to remove it.")
@click.option("--action-url", metavar="URL", help="New page to link to; empty to remove the link.")
@click.option("--from", "start_at", type=FUTURE_TIME, help="New start: 7d, 2027-05-01.")
@click.option("--until", "end_at", type=FUTURE_TIME, help="New end: 30d, 2027-05-01, or never.")
def edit_banner(ctx: ServiceContext, *, key: str, **changes: Any) -> Result:
    """Edit an announcement. Everything else stays unchanged."""
    chosen = {name: value for name, value in changes.items() if value is not None}
    if "start_at" in chosen:
        chosen["start_at"] = _start_ms(chosen["start_at"])
    if "end_at" in chosen:
        chosen["end_at"] = _end_ms(chosen["end_at"])
    edited = change(ctx, key, **chosen)
    return Result(_banner_json(edited), f"Changed banner {edited.banner_key}, shown {_period(edited)}.")


@store_command(banner, "delete", "skyshelf admin banner delete 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F")
@click.argument("key")
def delete_banner(ctx: ServiceContext, *, key: str) -> Result:
    """Delete an announcement."""
    remove_banner(ctx, key)
    return Result({"removed": key}, f"Deleted banner {key}.")


def _banner_json(one: Banner) -> dict[str, object]:
    content = ("card_id=banner_key", "title", "text", "image_url", "action_url")
    return fields_of(one, *content, "start_date=start_at", "end_date=end_at")
