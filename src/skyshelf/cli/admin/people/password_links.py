"""`skyshelf admin user invite` and `password-link`: one-time links with which people set a password."""

from typing import TYPE_CHECKING, Any, NamedTuple

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
    from skyshelf.service.mail_settings import Language
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
send_mail_option = click.option(
    "--send-mail", is_flag=True, help="Have the server send the link by email (see `skyshelf serve --mail`)."
)
language_option = click.option(
    "--language", type=click.Choice(["en", "de"]), default="en", show_default=True, help="Of the message."
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
@send_mail_option
@language_option
@store_options
def invite(
    *,
    email: str,
    first_name: str,
    last_name: str,
    quota: int | None,
    if_missing: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Add an account, and print its one-time link.

    Send the link to the person, who sets a password with it. It works once, for a week. With --send-mail, the running
    server sends it. With --if-missing it can be run again and again: an account that is there gets no further link.
    """
    message, store = _message(given)
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.accounts import accounts

        if if_missing and (known := known_account(ctx, email)) is not None:
            print_result(as_json, user_json(ctx, known) | {"changed": False}, f"{known.email} has an account already.")
            return
        account = accounts.add_invited_account(with_rules_of_server(ctx), email, first_name, last_name, quota=quota)
        _hand_out(ctx, account, message, as_json=as_json)


@click.command(
    "password-link",
    epilog=examples("skyshelf admin user password-link ada@example.org --public-url https://drive.example.org"),
)
@click.argument("email")
@public_url_option
@send_mail_option
@language_option
@store_options
def password_link(*, email: str, as_json: bool, **given: Any) -> None:
    """Print a one-time link for a new password.

    It works once, for a week. An earlier link stops working; the old password works until the new one is set.
    """
    message, store = _message(given)
    with open_account(email, **store) as (ctx, account):
        _hand_out(ctx, account, message, as_json=as_json)


class _Message(NamedTuple):
    public_url: str
    is_sent: bool
    language: "Language"


def _message(given: dict[str, Any]) -> tuple[_Message, dict[str, Any]]:
    """How the link is handed out, and the options that are left."""
    return _Message(given.pop("public_url"), given.pop("send_mail"), given.pop("language")), given


def _hand_out(ctx: "ServiceContext", account: "Account", message: _Message, *, as_json: bool) -> None:
    if not message.is_sent:
        _print_link(ctx, account, message.public_url, as_json=as_json)
        return
    from skyshelf.service.mail.outgoing import put_mail

    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: put_mail(unit, "invitation", message.language, account.email, now))
    sentence = f"The server sends {account.email} a link with which to set a password. It works once, for a week."
    print_result(as_json, user_json(ctx, account) | {"isMailed": True}, sentence)


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
