"""`skyshelf admin user invite`, `password-link`, `hand-over` and `unlink`: people who join, log in and leave."""

from typing import Any

import click

from skyshelf.cli.admin import rewinds, rights  # noqa: F401 - they add commands to `user`
from skyshelf.cli.admin.config_file import StoreOption
from skyshelf.cli.admin.server_options import with_rules_of_server
from skyshelf.cli.admin.serving.options import parse_public_url
from skyshelf.cli.admin.stores import (
    Result,
    account_command,
    fields_of,
    open_metadata_only,
    print_result,
    store_command,
    store_options,
)
from skyshelf.cli.admin.users import known_account, new_account_options, user, user_json
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import add_options, shown_option
from skyshelf.cli.base.progress import CheckLine
from skyshelf.cli.base.text import format_count, format_utc
from skyshelf.service.accounts import accounts, handover
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.accounts.password_links import create_link
from skyshelf.service.context import ServiceContext
from skyshelf.service.identity.links import unlink_for_operator
from skyshelf.service.mail.outgoing import put_mail
from skyshelf.service.process.mail_settings import Language
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.sizes import format_size

language_option = shown_option(
    "--language", type=click.Choice(["en", "de"]), default="en", help="Language of the message."
)
_link_options = add_options(
    shown_option(
        "--public-url",
        cls=StoreOption,
        envvar="SKYSHELF_SERVE_PUBLIC_URL",
        callback=parse_public_url,
        default="http://127.0.0.1:8600",
        metavar="URL",
        help="The server's address as clients see it.",
    ),
    click.option(
        "--send-mail", is_flag=True, help="Have the server send the link by email (see `skyshelf serve --mail`)."
    ),
    language_option,
)


@store_command(
    user,
    "invite",
    "skyshelf admin user invite grace@example.org --first-name Grace --last-name Hopper"
    " --public-url https://drive.example.org",
    asks=False,
)
@new_account_options
@_link_options
def invite(
    ctx: ServiceContext,
    *,
    email: str,
    first_name: str,
    last_name: str,
    quota: int | None,
    if_missing: bool,
    **message: Any,
) -> Result:
    """Add an account, and print its one-time link.

    Send the link to the person, who sets a password with it. It works once, for a week. With --send-mail, the running
    server sends it. With --if-missing it can be run repeatedly: an existing account gets no further link.
    """
    if if_missing and (known := known_account(ctx, email)) is not None:
        return known
    account = accounts.add_account(with_rules_of_server(ctx), email, first_name, last_name, None, quota=quota)
    return _hand_out(ctx, account, **message)


@account_command(
    user,
    "password-link",
    "skyshelf admin user password-link ada@example.org --public-url https://drive.example.org",
    asks=False,
)
@_link_options
def password_link(ctx: ServiceContext, account: Account, **message: Any) -> Result:
    """Print a one-time link for a new password.

    It works once, for a week. An earlier link stops working; the old password works until the new one is set.
    """
    return _hand_out(ctx, account, **message)


def _hand_out(ctx: ServiceContext, account: Account, *, public_url: str, send_mail: bool, language: Language) -> Result:
    if send_mail:
        now = ctx.clock.now()
        ctx.metadata.write(lambda unit: put_mail(unit, "invitation", language, account.email, now))
        sentence = f"The server sends {account.email} a link with which to set a password. It works once, for a week."
        return Result(user_json(ctx, account) | {"isMailed": True}, sentence)
    link = create_link(ctx, account)
    url = link.url(public_url.rstrip("/"))
    return Result(
        user_json(ctx, account) | {"linkUrl": url, "expiresDate": link.expires_at, "changed": True},
        f"{account.email} sets a password with this link. It works once, until {format_utc(link.expires_at)}:\n{url}",
    )


@user.command(
    "hand-over",
    cls=StoreCommand,
    epilog=examples("skyshelf admin user hand-over grace@example.org ada@example.org --data /srv/skyshelf"),
)
@click.argument("email")
@click.argument("to")
@store_options
def hand_over(*, email: str, to: str, as_json: bool, **store: Any) -> None:
    """Give all files of an account to another one.

    For people who leave. The files appear in a folder with the person's name: everything in the tree as it is now,
    without the trash and older versions; no byte is copied. The account keeps its files: delete it afterwards with
    `skyshelf admin user delete`. The same command continues an interrupted hand-over, and a later one adds new files.
    """
    with open_metadata_only(**store) as ctx, CheckLine(0) as line:
        leaving, taking = find_account(ctx, email), find_account(ctx, to)
        line.begin("handing over")
        last = handover.HandoverProgress("")
        for last in handover.hand_over(ctx, leaving, taking):
            line.progress(last.files, last.size)
        line.clear()
        sentence = (
            f"{taking.email} has {format_count(last.files, 'file')} ({format_size(last.size)}) more, in the folder"
            f" {last.folder_name!r}."
        )
        if last.already:
            sentence += f" {format_count(last.already, 'file')} had been handed over before."
        if last.refused:
            sentence += (
                f" {format_count(last.refused, 'item')} could not be: check the free space and the depth of paths."
            )
        counts = fields_of(last, "folder_name", "files") | {"bytes": last.size} | fields_of(last, "already", "refused")
        print_result(as_json, counts | {"changed": bool(last.files)}, sentence)
        if last.refused:
            raise SystemExit(1)


@account_command(user, "unlink", "skyshelf admin user unlink ada@example.org https://login.example.org")
@click.argument("issuer")
def unlink(ctx: ServiceContext, account: Account, *, issuer: str) -> Result:
    """Unlink an account from a login provider.

    The sessions that came from there end. `skyshelf admin user show` lists the identities with their issuers.
    """
    was_linked = unlink_for_operator(ctx, account, issuer)
    result = "Unlinked {} from {}." if was_linked else "{} has no identity at {}."
    details = {"emailId": account.email, "issuer": issuer, "changed": was_linked}
    return Result(details, result.format(account.email, issuer))
