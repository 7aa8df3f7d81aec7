"""`skyshelf admin user`: accounts."""

from collections.abc import Callable
from functools import partial

import click

from skyshelf.cli.admin.export import export_user
from skyshelf.cli.admin.server_options import with_rules_of_server
from skyshelf.cli.admin.stores import Result, account_command, fields_of, listed, store_command
from skyshelf.cli.base.kept import kept_row
from skyshelf.cli.base.params import SIZE, add_options
from skyshelf.cli.base.prompts import read_password
from skyshelf.cli.base.text import format_count, format_utc, split_words
from skyshelf.service.accounts import accounts
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.accounts.holds import hold_of
from skyshelf.service.accounts.own_account import cancel_deletion as cancel
from skyshelf.service.accounts.passkeys.own_passkeys import remove_all
from skyshelf.service.accounts.second_factor import reset_second_factor as turn_off
from skyshelf.service.context import ServiceContext
from skyshelf.service.retention import load_retention
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import GOING, Account, Quota
from skyshelf.wire.sizes import format_size

password_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input instead of prompting."
)


new_account_options = add_options(
    click.argument("email"),
    click.option("--first-name", required=True, help="First name, shown to others."),
    click.option("--last-name", required=True, help="Last name, shown to others."),
    click.option("--quota", type=SIZE, help="Storage quota.  [default: 100GiB]"),
    click.option("--if-missing", is_flag=True, help="Succeed and change nothing if the address has an account."),
)


@click.group
def user() -> None:
    """Manage accounts."""


@store_command(
    user,
    "add",
    'echo "$PASSWORD" | skyshelf admin user add ada@example.org --first-name Ada --last-name Byron --password-stdin',
    asks=False,
)
@new_account_options
@password_option
def add(
    ctx: ServiceContext,
    *,
    email: str,
    first_name: str,
    last_name: str,
    quota: int | None,
    if_missing: bool,
    password_stdin: bool,
) -> Result:
    """Add an account.

    With --if-missing it can be run repeatedly: an existing account keeps its name, quota and password.
    """
    if if_missing and (known := known_account(ctx, email)) is not None:
        return known
    password = read_password("Password", from_stdin=password_stdin, new=True, exit_code=1)
    account = accounts.add_account(with_rules_of_server(ctx), email, first_name, last_name, password, quota=quota)
    return result_of(ctx, account, f"Added {account.email} with user id {account.account_key}.")


def known_account(ctx: ServiceContext, email: str) -> Result | None:
    """The result of a command that finds an account with the address."""
    try:
        known = find_account(ctx, email)
    except AccountMissing:
        return None
    return result_of(ctx, known, f"{known.email} has an account already.", changed=False)


@store_command(user, "ls", "skyshelf admin user ls --json", looking=True)
def ls(ctx: ServiceContext) -> Result:
    """List all accounts."""
    found = accounts.all_accounts(ctx)
    has_second_factor = accounts.with_second_factor(ctx, [account for account, _ in found])
    passkeys = accounts.passkey_counts(ctx, [account for account, _ in found])
    rows, data = [], []
    for account, quota in found:
        protection = account.account_id in has_second_factor, passkeys.get(account.account_id, 0)
        name = f"{account.first_name} {account.last_name}"
        used = f"{format_size(quota.used)} of {format_size(quota.allocated)}"
        rows.append((account.email, name, _state(account), used, _marks(account, quota, *protection)))
        data.append(_json_of(account, quota, *protection))
    return listed(data, rows, empty="No accounts.")


@account_command(user, "show", "skyshelf admin user show ada@example.org", looking=True)
def show(ctx: ServiceContext, account: Account) -> Result:
    """Show an account's details and storage."""
    load_retention(ctx)
    with ctx.metadata.read() as unit:
        quota = unit.quotas.get(account.account_id, ctx.clock.now())
        identities = unit.identities.of_account(account.account_id)
        kept = unit.usage.kept(account.account_id, ctx.clock.now())
    details = user_json(ctx, account) | fields_of(quota, "photo_used", "video_used", "audio_used", "document_used")
    details |= {"reservedSpace": quota.reserved, "promotionalSpace": quota.promotional_space}
    held = hold_of(ctx, account)
    if held is not None:
        details |= {"heldBy": held[0].by, "heldFor": held[0].reason, "heldSpace": held[1].size}
    if identities:
        details["identities"] = [
            {"issuer": one.issuer, "subject": one.subject, "emailId": one.email} for one in identities
        ]
    rows = [(split_words(name), _format_value(name, value)) for name, value in details.items()]
    rows += [kept_row(one.kind, one.used, one.limit, one.is_bytes) for one in kept]
    return listed(details | {"kept": [fields_of(one, *one.__struct_fields__) for one in kept]}, rows, empty="")


@account_command(user, "disable", "skyshelf admin user disable ada@example.org")
def disable(ctx: ServiceContext, account: Account) -> Result:
    """Disable an account. Its sessions end, and its files stay."""
    return _compared(ctx, account, accounts.disable, f"Disabled {account.email}; its sessions have ended.")


@account_command(user, "enable", "skyshelf admin user enable ada@example.org", asks=False)
def enable(ctx: ServiceContext, account: Account) -> Result:
    """Enable a disabled account."""
    return _compared(ctx, account, accounts.enable, f"Enabled {account.email}.")


@account_command(user, "set-quota", "skyshelf admin user set-quota ada@example.org 2TiB")
@click.argument("quota", type=SIZE)
def set_quota(ctx: ServiceContext, account: Account, *, quota: int) -> Result:
    """Change an account's storage quota."""
    sentence = f"Set the quota of {account.email} to {format_size(quota)}."
    return _compared(ctx, account, lambda ctx, account: accounts.set_quota(ctx, account, quota), sentence)


@account_command(
    user, "reset-password", 'echo "$PASSWORD" | skyshelf admin user reset-password ada@example.org --password-stdin'
)
@password_option
def reset_password(ctx: ServiceContext, account: Account, *, password_stdin: bool) -> Result:
    """Set a new password. All of the account's sessions end."""
    accounts.reset_password(ctx, account, read_password("Password", from_stdin=password_stdin, new=True, exit_code=1))
    return result_of(ctx, account, f"Set a new password for {account.email}; its sessions have ended.")


@account_command(
    user,
    "reset-second-factor",
    "skyshelf admin user reset-second-factor ada@example.org",
    "skyshelf admin user reset-second-factor ada@example.org --passkeys",
)
@click.option("--passkeys", is_flag=True, help="Also remove all passkeys of the account, such as after a theft.")
def reset_second_factor(ctx: ServiceContext, account: Account, *, passkeys: bool) -> Result:
    """Turn off an account's second factor.

    For a user who lost their phone and recovery codes. Verify the user's identity first: afterwards only the password
    protects the account. Its passkeys keep working, unless they are removed too.
    """
    was_on = turn_off(ctx, account)
    result = "Turned off the second factor of {}." if was_on else "{} has no second factor."
    removed = remove_all(ctx, account) if passkeys else 0
    if passkeys:
        result += f" Removed {format_count(removed, 'passkey')}."
    return result_of(ctx, account, result.format(account.email), changed=was_on or bool(removed))


@account_command(user, "grant-operator", "skyshelf admin user grant-operator ada@example.org")
def grant_operator(ctx: ServiceContext, account: Account) -> Result:
    """Make an account an operator.

    Operators manage the server in the browser.
    """
    change = partial(accounts.set_operator, is_operator=True)
    return _compared(ctx, account, change, f"{account.email} is now an operator.")


@account_command(user, "revoke-operator", "skyshelf admin user revoke-operator ada@example.org")
def revoke_operator(ctx: ServiceContext, account: Account) -> Result:
    """Make an operator an ordinary account again. The last operator stays one."""
    change = partial(accounts.set_operator, is_operator=False)
    return _compared(ctx, account, change, f"{account.email} is no longer an operator.")


@account_command(user, "cancel-deletion", "skyshelf admin user cancel-deletion ada@example.org", asks=False)
def cancel_deletion(ctx: ServiceContext, account: Account) -> Result:
    """Cancel the pending deletion of an account."""
    if not account.delete_at:
        return result_of(ctx, account, f"No deletion of {account.email} was pending.", changed=False)
    cancel(ctx, account)
    return result_of(ctx, account, f"Cancelled the deletion of {account.email}.")


user.add_command(export_user)


def result_of(
    ctx: ServiceContext, account: Account, sentence: str, *, changed: bool = True, **details: object
) -> Result:
    """An account's state, and for automation whether the command has changed it."""
    return Result(user_json(ctx, account) | details | {"changed": changed}, sentence)


def _compared(
    ctx: ServiceContext, account: Account, change: Callable[[ServiceContext, Account], object], sentence: str
) -> Result:
    before = user_json(ctx, account)
    change(ctx, account)
    return result_of(ctx, account, sentence, changed=user_json(ctx, account) != before)


def user_json(ctx: ServiceContext, account: Account) -> dict[str, object]:
    """The current state of the account."""
    with ctx.metadata.read() as unit:
        current = unit.accounts.by_id(account.account_id)
        has_second_factor = unit.second_factors.on_among([account.account_id])
        passkeys = unit.passkeys.counts([account.account_id]).get(account.account_id, 0)
        quota = unit.quotas.get(account.account_id, ctx.clock.now())
        return _json_of(current, quota, bool(has_second_factor), passkeys)


def _json_of(account: Account, quota: Quota, has_second_factor: bool, passkeys: int) -> dict[str, object]:
    dates = {"deletionDate": account.delete_at, "heldDate": quota.held_at}
    return {
        "userId": account.account_key,
        "emailId": account.email,
        "firstName": account.first_name,
        "lastName": account.last_name,
        "status": account.status,
        "isOperator": account.is_operator,
        "rootFolderKey": account.root_key,
        "allocatedSpace": quota.allocated,
        "usedSpace": quota.used,
        "objects": quota.objects,
        "createdDate": account.created_at,
        "secondFactor": has_second_factor,
        "passkeys": passkeys,
    } | {name: date for name, date in dates.items() if date}


def _state(account: Account) -> str:
    """The status for a list, and when the account will be deleted."""
    return _status(account.status) + (f", deleted on {format_utc(account.delete_at)}" if account.delete_at else "")


def _status(status: object) -> str:
    return {"A": "active", GOING: "being deleted"}.get(str(status), "disabled")


def _marks(account: Account, quota: Quota, has_second_factor: bool, passkeys: int) -> str:
    marks = (
        (quota.held_at > 0, "held"),
        (account.is_operator, "operator"),
        (has_second_factor, "second factor"),
        (bool(passkeys), format_count(passkeys, "passkey")),
    )
    return ", ".join(mark for is_so, mark in marks if is_so)


def _format_value(name: str, value: object) -> str:
    if name == "status":
        return _status(value)
    if isinstance(value, list):
        return ", ".join(f"{one['emailId'] or one['subject']} at {one['issuer']}" for one in value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if name in {"objects", "passkeys"}:
        return f"{value:,}"
    if isinstance(value, int):
        return format_utc(value) if name.endswith("Date") else format_size(value)
    return str(value)
