"""`skyshelf admin promotion`: space for a while, for one account or for everybody."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.periods import begins, ends, span, span_options
from skyshelf.cli.admin.stores import aligned, opened_rows, store_options, tell
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import Size
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.metadata.contracts.quota import Promotion


@click.group
def promotion() -> None:
    """Give space for a while, to one account or to everybody."""


@promotion.command("add")
@click.argument("name")
@click.argument("space", type=Size())
@click.option("--user", "email", metavar="EMAIL", help="Whose it is.")
@click.option("--everybody", is_flag=True, help="It is for all accounts, new ones included.")
@span_options
@store_options
def add(
    *,
    name: str,
    space: int,
    email: str | None,
    everybody: bool,
    start: int | None,
    end: int,
    as_json: bool,
    **store: Any,
) -> None:
    """Give space for a while.

    \b
    Examples:
      skyshelf admin promotion add "Welcome" 10GiB --user ada@example.org --until 90d
      skyshelf admin promotion add "Summer" 5GiB --everybody --from 2027-06-01 --until 2027-09-01
    """
    if everybody == (email is not None):
        raise CommandFailed("say for whom it is: --user EMAIL or --everybody")
    with opened_rows(**store) as ctx:
        from skyshelf.service.accounts.accounts import find_account
        from skyshelf.service.operator.promotions import add_promotion

        account = find_account(ctx, email) if email is not None else None
        added = add_promotion(ctx, name, space, start_at=begins(start), end_at=ends(end), account=account)
        whose = "Everybody has" if email is None else f"The account {email} has"
        tell(
            as_json,
            _json_of(ctx, added),
            f"{whose} {format_size(space)} more, {span(added.start_at, added.end_at)} (UTC); its key is"
            f" {added.promotion_key}.",
        )


@promotion.command("list")
@click.option("--user", "email", metavar="EMAIL", help="Only what counts for this account.")
@store_options
def list_promotions(*, email: str | None, as_json: bool, **store: Any) -> None:
    """List promotions, those that are over and those to come too.

    \b
    Example:
      skyshelf admin promotion list --user ada@example.org
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.accounts.accounts import find_account
        from skyshelf.service.operator.promotions import all_promotions

        found = all_promotions(ctx)
        if email is not None:
            account_id = find_account(ctx, email).account_id
            found = [one for one in found if one.account_id in {None, account_id}]
        rows = [
            (one.promotion_key, one.name, format_size(one.space), _whose(ctx, one), span(one.start_at, one.end_at))
            for one in found
        ]
        tell(as_json, [_json_of(ctx, one) for one in found], aligned(rows) if rows else "There are no promotions.")


@promotion.command("remove")
@click.argument("key")
@store_options
def remove(*, key: str, as_json: bool, **store: Any) -> None:
    """Take a promotion back; whoever then holds more than they may keeps it, and cannot add anything.

    \b
    Example:
      skyshelf admin promotion remove 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.operator.promotions import remove_promotion

        remove_promotion(ctx, key)
        tell(as_json, {"removed": key}, f"The promotion {key} is gone.")


def _whose(ctx: "ServiceContext", one: "Promotion") -> str:
    if one.account_id is None:
        return "everybody"
    with ctx.metadata.read() as unit:
        return unit.accounts.by_id(one.account_id).email


def _json_of(ctx: "ServiceContext", one: "Promotion") -> dict[str, object]:
    return {
        "promotionId": one.promotion_key,
        "name": one.name,
        "quota": one.space,
        "emailId": None if one.account_id is None else _whose(ctx, one),
        "startDate": one.start_at,
        "endDate": one.end_at,
    }
