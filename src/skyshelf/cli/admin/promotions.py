"""`skyshelf admin promotion`: extra storage for a limited time."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.periods import end_ms, format_period, period_options, start_ms
from skyshelf.cli.admin.stores import open_metadata_only, print_result, print_table, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import Size
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.metadata.contracts.quota import Promotion


@click.group
def promotion() -> None:
    """Grant extra storage for a while, to one account or to all."""


@promotion.command(
    "add",
    epilog=examples(
        'skyshelf admin promotion add "Welcome" 10GiB --user ada@example.org --until 90d',
        'skyshelf admin promotion add "Summer" 5GiB --all-users --from 2027-06-01 --until 2027-09-01',
    ),
)
@click.argument("name")
@click.argument("space", type=Size())
@click.option("--user", "email", metavar="EMAIL", help="Grant it to this account.")
@click.option("--all-users", is_flag=True, help="Grant it to all accounts, including new ones.")
@period_options
@store_options
def add(
    *,
    name: str,
    space: int,
    email: str | None,
    all_users: bool,
    start: int | None,
    end: int,
    as_json: bool,
    **store: Any,
) -> None:
    """Grant extra storage."""
    if all_users == (email is not None):
        raise CommandFailed("use either --user EMAIL or --all-users")
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.accounts.accounts import find_account
        from skyshelf.service.operator.promotions import add_promotion

        account = find_account(ctx, email) if email is not None else None
        added = add_promotion(ctx, name, space, start_at=start_ms(start), end_at=end_ms(end), account=account)
        print_result(
            as_json,
            _as_json(ctx, added),
            f"Granted {format_size(space)} to {email or 'all users'}, {format_period(added.start_at, added.end_at)};"
            f" promotion {added.promotion_key}.",
        )


@promotion.command("ls", epilog=examples("skyshelf admin promotion ls --user ada@example.org"))
@click.option("--user", "email", metavar="EMAIL", help="List only promotions that apply to this account.")
@store_options
def ls(*, email: str | None, as_json: bool, **store: Any) -> None:
    """List all promotions: current, past and future."""
    with open_metadata_only(looking=True, **store) as ctx:
        from skyshelf.service.accounts.accounts import find_account
        from skyshelf.service.operator.promotions import all_promotions

        found = all_promotions(ctx)
        if email is not None:
            account_id = find_account(ctx, email).account_id
            found = [one for one in found if one.account_id in {None, account_id}]
        rows = [
            (
                one.promotion_key,
                one.name,
                format_size(one.space),
                _beneficiary(ctx, one) or "all users",
                format_period(one.start_at, one.end_at),
            )
            for one in found
        ]
        print_table(as_json, [_as_json(ctx, one) for one in found], rows, empty="No promotions.")


@promotion.command("delete", epilog=examples("skyshelf admin promotion delete 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F"))
@click.argument("key")
@store_options
def delete(*, key: str, as_json: bool, **store: Any) -> None:
    """Delete a promotion. Accounts that are then over their quota keep their files, but cannot upload."""
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.operator.promotions import remove_promotion

        remove_promotion(ctx, key)
        print_result(as_json, {"removed": key}, f"Deleted promotion {key}.")


def _beneficiary(ctx: "ServiceContext", one: "Promotion") -> str | None:
    """The email address of the account that it is for; None for all."""
    if one.account_id is None:
        return None
    with ctx.metadata.read() as unit:
        return unit.accounts.by_id(one.account_id).email


def _as_json(ctx: "ServiceContext", one: "Promotion") -> dict[str, object]:
    return {
        "promotionId": one.promotion_key,
        "name": one.name,
        "quota": one.space,
        "emailId": _beneficiary(ctx, one),
        "startDate": one.start_at,
        "endDate": one.end_at,
    }
