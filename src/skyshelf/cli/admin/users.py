"""`skyshelf admin user`: accounts."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.server_options import with_rules_of_server
from skyshelf.cli.admin.stores import open_account, open_metadata_only, print_result, print_table, store_options
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import Size, format_count
from skyshelf.cli.base.prompts import confirm, read_password, yes_option
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.metadata.contracts.accounts import Account
    from skyshelf.storage.metadata.contracts.quota import Quota

password_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input instead of prompting."
)


@click.group
def user() -> None:
    """Manage accounts."""


@user.command(
    "add",
    epilog=examples(
        'echo "$PASSWORD" | skyshelf admin user add ada@example.org --first-name Ada --last-name Byron --password-stdin'
    ),
)
@click.argument("email")
@click.option("--first-name", required=True, help="First name, shown to others.")
@click.option("--last-name", required=True, help="Last name, shown to others.")
@click.option("--quota", type=Size(), help="Storage quota.  [default: 100GiB]")
@click.option("--if-missing", is_flag=True, help="Succeed and change nothing if the address has an account.")
@password_option
@store_options
def add(
    *,
    email: str,
    first_name: str,
    last_name: str,
    quota: int | None,
    if_missing: bool,
    password_stdin: bool,
    as_json: bool,
    **store: Any,
) -> None:
    """Add an account.

    With --if-missing it can be run again and again: an account that is there keeps its name, quota and password.
    """
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.accounts import accounts

        if if_missing and (known := known_account(ctx, email)) is not None:
            print_result(as_json, user_json(ctx, known) | {"changed": False}, f"{known.email} has an account already.")
            return
        password = read_password("Password", from_stdin=password_stdin, new=True, exit_code=1)
        account = accounts.add_account(with_rules_of_server(ctx), email, first_name, last_name, password, quota=quota)
        print_result(
            as_json,
            user_json(ctx, account) | {"changed": True},
            f"Added {account.email} with user id {account.account_key}.",
        )


def known_account(ctx: "ServiceContext", email: str) -> "Account | None":
    """The account with that address, if there is one."""
    from skyshelf.service.accounts.accounts import find_account
    from skyshelf.storage.errors import AccountMissing

    try:
        return find_account(ctx, email)
    except AccountMissing:
        return None


@user.command("ls", epilog=examples("skyshelf admin user ls --json"))
@store_options
def ls(*, as_json: bool, **store: Any) -> None:
    """List all accounts."""
    with open_metadata_only(looking=True, **store) as ctx:
        from skyshelf.service.accounts import accounts

        found = accounts.all_accounts(ctx)
        has_second_factor = accounts.with_second_factor(ctx, [account for account, _ in found])
        passkeys = accounts.passkey_counts(ctx, [account for account, _ in found])
        rows = [
            (
                account.email,
                f"{account.first_name} {account.last_name}",
                _status(account),
                _used(quota),
                _marks(account, account.account_id in has_second_factor, passkeys.get(account.account_id, 0)),
            )
            for account, quota in found
        ]
        data = [
            _json_of(account, quota, account.account_id in has_second_factor, passkeys.get(account.account_id, 0))
            for account, quota in found
        ]
        print_table(as_json, data, rows, empty="No accounts.")


@user.command("show", epilog=examples("skyshelf admin user show ada@example.org"))
@click.argument("email")
@store_options
def show(*, email: str, as_json: bool, **store: Any) -> None:
    """Show an account's details and storage."""
    with open_account(email, looking=True, **store) as (ctx, account):
        deletion = {"deletionDate": account.delete_at} if account.delete_at else {}
        details = user_json(ctx, account) | _space(ctx, account) | deletion | _identities(ctx, account)
        rows = [(_split_words(name), _format_value(name, value)) for name, value in details.items()]
        print_table(as_json, details, rows, empty="")


@user.command("disable", epilog=examples("skyshelf admin user disable ada@example.org"))
@click.argument("email")
@store_options
def disable(*, email: str, as_json: bool, **store: Any) -> None:
    """Disable an account. Its sessions end, and its files stay."""
    _set_enabled(email, enabled=False, as_json=as_json, **store)


@user.command("enable", epilog=examples("skyshelf admin user enable ada@example.org"))
@click.argument("email")
@store_options
def enable(*, email: str, as_json: bool, **store: Any) -> None:
    """Enable a disabled account."""
    _set_enabled(email, enabled=True, as_json=as_json, **store)


def _set_enabled(email: str, *, enabled: bool, as_json: bool, **store: Any) -> None:
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        before = user_json(ctx, account)
        (accounts.enable if enabled else accounts.disable)(ctx, account)
        result = "Enabled {}." if enabled else "Disabled {}; its sessions have ended."
        print_result(as_json, _compared(before, user_json(ctx, account)), result.format(account.email))


@user.command("set-quota", epilog=examples("skyshelf admin user set-quota ada@example.org 2TiB"))
@click.argument("email")
@click.argument("quota", type=Size())
@store_options
def set_quota(*, email: str, quota: int, as_json: bool, **store: Any) -> None:
    """Change an account's storage quota."""
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        before = user_json(ctx, account)
        accounts.set_quota(ctx, account, quota)
        after = _compared(before, user_json(ctx, account))
        print_result(as_json, after, f"Set the quota of {account.email} to {format_size(quota)}.")


@user.command(
    "reset-password",
    epilog=examples('echo "$PASSWORD" | skyshelf admin user reset-password ada@example.org --password-stdin'),
)
@click.argument("email")
@password_option
@store_options
def reset_password(*, email: str, password_stdin: bool, as_json: bool, **store: Any) -> None:
    """Set a new password. All of the account's sessions end."""
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        accounts.reset_password(
            ctx, account, read_password("Password", from_stdin=password_stdin, new=True, exit_code=1)
        )
        print_result(
            as_json,
            user_json(ctx, account) | {"changed": True},
            f"Set a new password for {account.email}; its sessions have ended.",
        )


@user.command(
    "reset-second-factor",
    epilog=examples(
        "skyshelf admin user reset-second-factor ada@example.org",
        "skyshelf admin user reset-second-factor ada@example.org --passkeys",
    ),
)
@click.argument("email")
@click.option("--passkeys", is_flag=True, help="Also remove all passkeys of the account, such as after a theft.")
@store_options
def reset_second_factor(*, email: str, passkeys: bool, as_json: bool, **store: Any) -> None:
    """Turn off an account's second factor.

    For a user who lost their phone and recovery codes. Verify the user's identity first: afterwards only the password
    protects the account. Its passkeys keep working, unless they are removed too.
    """
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts.passkeys.own_passkeys import remove_all
        from skyshelf.service.accounts.second_factor import reset_second_factor as turn_off

        was_on = turn_off(ctx, account)
        result = "Turned off the second factor of {}." if was_on else "{} has no second factor."
        removed = remove_all(ctx, account) if passkeys else 0
        if passkeys:
            result += f" Removed {format_count(removed, 'passkey')}."
        changed = {"changed": was_on or bool(removed)}
        print_result(as_json, user_json(ctx, account) | changed, result.format(account.email))


@user.command("grant-operator", epilog=examples("skyshelf admin user grant-operator ada@example.org"))
@click.argument("email")
@store_options
def grant_operator(*, email: str, as_json: bool, **store: Any) -> None:
    """Make an account an operator.

    Operators manage the server in the browser.
    """
    _set_operator(email, is_operator=True, as_json=as_json, **store)


@user.command("revoke-operator", epilog=examples("skyshelf admin user revoke-operator ada@example.org"))
@click.argument("email")
@store_options
def revoke_operator(*, email: str, as_json: bool, **store: Any) -> None:
    """Make an operator an ordinary account again. The last operator stays one."""
    _set_operator(email, is_operator=False, as_json=as_json, **store)


def _set_operator(email: str, *, is_operator: bool, as_json: bool, **store: Any) -> None:
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import operators

        before = user_json(ctx, account)
        (operators.grant if is_operator else operators.revoke)(ctx, account)
        result = f"{account.email} is {'now' if is_operator else 'no longer'} an operator."
        print_result(as_json, _compared(before, user_json(ctx, account)), result)


@user.command("delete", epilog=examples("skyshelf admin user delete ada@example.org"))
@click.argument("email")
@yes_option
@store_options
def delete(*, email: str, yes: bool, as_json: bool, **store: Any) -> None:
    """Delete an account after a grace period.

    All its files are deleted too. Until then the account works as before, and `skyshelf admin user cancel-deletion`
    cancels the deletion. To lock the user out immediately, disable the account as well.
    """
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts.deletion import schedule_deletion
        from skyshelf.wire.times import from_epoch_ms

        if not yes:
            confirm(f"Delete the account {account.email} and all its files?")
        until = schedule_deletion(with_rules_of_server(ctx), account)
        print_result(
            as_json,
            user_json(ctx, account) | {"deletionDate": until, "changed": not account.delete_at},
            f"The running server will delete {account.email} on {from_epoch_ms(until):%Y-%m-%d %H:%M} UTC;"
            f" `skyshelf admin user cancel-deletion {account.email}` cancels that.",
        )


@user.command("cancel-deletion", epilog=examples("skyshelf admin user cancel-deletion ada@example.org"))
@click.argument("email")
@store_options
def cancel_deletion(*, email: str, as_json: bool, **store: Any) -> None:
    """Cancel the pending deletion of an account."""
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts.deletion import cancel_deletion as cancel

        was_pending = bool(account.delete_at)
        cancel(ctx, account)
        result = user_json(ctx, account) | {"changed": was_pending}
        print_result(as_json, result, f"Cancelled the deletion of {account.email}.")


def _compared(before: dict[str, object], after: dict[str, object]) -> dict[str, object]:
    """An account's state, and whether the command has changed it: automation asks for both."""
    return after | {"changed": after != before}


def user_json(ctx: "ServiceContext", account: "Account") -> dict[str, object]:
    """The current state of the account."""
    with ctx.metadata.read() as unit:
        current = unit.accounts.by_id(account.account_id)
        has_second_factor = unit.second_factors.on_among([account.account_id])
        passkeys = unit.passkeys.counts([account.account_id]).get(account.account_id, 0)
        quota = unit.quotas.get(account.account_id, ctx.clock.now())
        return _json_of(current, quota, bool(has_second_factor), passkeys)


def _json_of(account: "Account", quota: "Quota", has_second_factor: bool, passkeys: int) -> dict[str, object]:
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
    }


def _status(account: "Account") -> str:
    return "active" if account.status == "A" else "disabled"


def _marks(account: "Account", has_second_factor: bool, passkeys: int) -> str:
    marks = (
        (account.is_operator, "operator"),
        (has_second_factor, "second factor"),
        (bool(passkeys), format_count(passkeys, "passkey")),
    )
    return ", ".join(mark for is_so, mark in marks if is_so)


def _used(quota: "Quota") -> str:
    return f"{format_size(quota.used)} of {format_size(quota.allocated)}"


def _space(ctx: "ServiceContext", account: "Account") -> dict[str, object]:
    """An account's storage by kind, with the interface's field names."""
    with ctx.metadata.read() as unit:
        quota = unit.quotas.get(account.account_id, ctx.clock.now())
    return {
        "photoUsed": quota.photo_used,
        "videoUsed": quota.video_used,
        "audioUsed": quota.audio_used,
        "documentUsed": quota.document_used,
        "reservedSpace": quota.reserved,
        "promotionalSpace": quota.promotional_space,
    }


def _identities(ctx: "ServiceContext", account: "Account") -> dict[str, object]:
    """The account's identities at login providers."""
    with ctx.metadata.read() as unit:
        found = unit.identities.of_account(account.account_id)
    if not found:
        return {}
    return {"identities": [{"issuer": one.issuer, "subject": one.subject, "emailId": one.email} for one in found]}


def _split_words(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)


def _format_value(name: str, value: object) -> str:
    from skyshelf.wire.times import from_epoch_ms

    if name == "status":
        return "active" if value == "A" else "disabled"
    if isinstance(value, list):
        return ", ".join(f"{one['emailId'] or one['subject']} at {one['issuer']}" for one in value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if name in {"objects", "passkeys"}:
        return f"{value:,}"
    if isinstance(value, int):
        return f"{from_epoch_ms(value):%Y-%m-%d %H:%M} UTC" if name.endswith("Date") else format_size(value)
    return str(value)
