"""`skyshelf admin user invite` and `password-link`: one-time links with which people set a password."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.config_file import StoreOption
from skyshelf.cli.admin.server_options import with_rules_of_server
from skyshelf.cli.admin.serving.values import parse_public_url
from skyshelf.cli.admin.stores import open_account, open_metadata_only, print_result, store_options
from skyshelf.cli.admin.users import known_account, user_json
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import Size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.metadata.contracts.accounts import Account

public_url_option = click.option(
    "--public-url",
    cls=StoreOption,
    envvar="SKYSHELF_SERVE_PUBLIC_URL",
    callback=parse_public_url,
    default="http://127.0.0.1:8600",
    show_default=True,
    metavar="URL",
    help="The server's address as clients see it.",
)


@click.command(
    "invite",
    epilog=examples(
        "skyshelf admin user invite grace@example.org --first-name Grace --last-name Hopper"
        " --public-url https://drive.example.org"
    ),
)
@click.argument("email")
@click.option("--first-name", required=True, help="First name, shown to others.")
@click.option("--last-name", required=True, help="Last name, shown to others.")
@click.option("--quota", type=Size(), help="Storage quota.  [default: 100GiB]")
@click.option("--if-missing", is_flag=True, help="Succeed and change nothing if the address has an account.")
@public_url_option
@store_options
def invite(
    *,
    email: str,
    first_name: str,
    last_name: str,
    quota: int | None,
    if_missing: bool,
    public_url: str,
    as_json: bool,
    **store: Any,
) -> None:
    """Add an account, and print its one-time link.

    Send the link to the person, who sets a password with it. It works once, for a week. With --if-missing it can be run
    again and again: an account that is there gets no further link.
    """
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.accounts import accounts

        if if_missing and (known := known_account(ctx, email)) is not None:
            print_result(as_json, user_json(ctx, known) | {"changed": False}, f"{known.email} has an account already.")
            return
        account = accounts.add_invited_account(with_rules_of_server(ctx), email, first_name, last_name, quota=quota)
        _print_link(ctx, account, public_url, as_json=as_json)


@click.command(
    "password-link",
    epilog=examples("skyshelf admin user password-link ada@example.org --public-url https://drive.example.org"),
)
@click.argument("email")
@public_url_option
@store_options
def password_link(*, email: str, public_url: str, as_json: bool, **store: Any) -> None:
    """Print a one-time link for a new password.

    It works once, for a week. An earlier link stops working; the old password works until the new one is set.
    """
    with open_account(email, **store) as (ctx, account):
        _print_link(ctx, account, public_url, as_json=as_json)


def _print_link(ctx: "ServiceContext", account: "Account", public_url: str, *, as_json: bool) -> None:
    from skyshelf.service.accounts.password_links import create_link
    from skyshelf.wire.times import from_epoch_ms

    link = create_link(ctx, account)
    url = link.url(public_url.rstrip("/"))
    print_result(
        as_json,
        user_json(ctx, account) | {"linkUrl": url, "expiresDate": link.expires_at, "changed": True},
        f"{account.email} sets a password with this link. It works once, until"
        f" {from_epoch_ms(link.expires_at):%Y-%m-%d %H:%M} UTC:\n{url}",
    )
