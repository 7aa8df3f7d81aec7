"""`skyshelf admin user`: accounts."""

import sys
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import aligned, opened_account, opened_rows, store_options, tell
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import Size
from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.metadata.contracts.accounts import Account
    from skyshelf.storage.metadata.contracts.quota import Quota

password_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input instead of asking for it."
)


@click.group
def user() -> None:
    """Add, list and change accounts."""


@user.command("add")
@click.argument("email")
@click.option("--first-name", required=True)
@click.option("--last-name", required=True)
@click.option("--quota", type=Size(), help="What the account may hold.  [default: 100GiB]")
@password_option
@store_options
def add(
    *, email: str, first_name: str, last_name: str, quota: int | None, password_stdin: bool, as_json: bool, **store: Any
) -> None:
    """Open an account.

    \b
    Example:
      echo "$PASSWORD" | skyshelf admin user add ada@example.org --first-name Ada --last-name Byron --password-stdin
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.accounts import accounts

        password = _password(from_stdin=password_stdin)
        account = accounts.add_account(ctx, email, first_name, last_name, password, quota=quota)
        tell(
            as_json,
            _as_json(ctx, account),
            f"The account {account.email} is open; its user id is {account.account_key}.",
        )


@user.command("list")
@store_options
def list_users(*, as_json: bool, **store: Any) -> None:
    """List all accounts.

    \b
    Example:
      skyshelf admin user list --json
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.accounts import accounts

        found = accounts.all_accounts(ctx)
        guarded = accounts.with_second_factor(ctx, [account for account, _ in found])
        rows = [
            (
                account.email,
                f"{account.first_name} {account.last_name}",
                _status(account),
                _used(quota),
                "second factor" if account.account_id in guarded else "",
            )
            for account, quota in found
        ]
        tell(
            as_json,
            [_json_of(account, quota, account.account_id in guarded) for account, quota in found],
            aligned(rows) or "Nobody has an account yet.",
        )


@user.command("show")
@click.argument("email")
@store_options
def show(*, email: str, as_json: bool, **store: Any) -> None:
    """Show everything about an account: its keys, and what takes its room.

    \b
    Example:
      skyshelf admin user show ada@example.org
    """
    with opened_account(email, **store) as (ctx, account):
        going = {"deletionDate": account.delete_at} if account.delete_at else {}
        shown = _as_json(ctx, account) | _space(ctx, account) | going
        rows = [(_in_words(name), _shown(name, value)) for name, value in shown.items()]
        tell(as_json, shown, aligned(rows))


@user.command("disable")
@click.argument("email")
@store_options
def disable(*, email: str, as_json: bool, **store: Any) -> None:
    """Let an account in no more; its sessions end, and its files stay.

    \b
    Example:
      skyshelf admin user disable ada@example.org
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        accounts.disable(ctx, account)
        tell(as_json, _as_json(ctx, account), f"The account {account.email} is disabled, and its sessions have ended.")


@user.command("enable")
@click.argument("email")
@store_options
def enable(*, email: str, as_json: bool, **store: Any) -> None:
    """Let a disabled account in again.

    \b
    Example:
      skyshelf admin user enable ada@example.org
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        accounts.enable(ctx, account)
        tell(as_json, _as_json(ctx, account), f"The account {account.email} can log in.")


@user.command("set-quota")
@click.argument("email")
@click.argument("quota", type=Size())
@store_options
def set_quota(*, email: str, quota: int, as_json: bool, **store: Any) -> None:
    """Change what an account may hold.

    \b
    Example:
      skyshelf admin user set-quota ada@example.org 2TiB
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        accounts.set_quota(ctx, account, quota)
        tell(as_json, _as_json(ctx, account), f"The account {account.email} may hold {format_size(quota)}.")


@user.command("reset-password")
@click.argument("email")
@password_option
@store_options
def reset_password(*, email: str, password_stdin: bool, as_json: bool, **store: Any) -> None:
    """Give an account a new password; whoever was logged in has to log in anew.

    \b
    Example:
      echo "$PASSWORD" | skyshelf admin user reset-password ada@example.org --password-stdin
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts import accounts

        accounts.reset_password(ctx, account, _password(from_stdin=password_stdin))
        tell(as_json, _as_json(ctx, account), f"The account {account.email} has a new password.")


@user.command("reset-second-factor")
@click.argument("email")
@store_options
def reset_second_factor(*, email: str, as_json: bool, **store: Any) -> None:
    """Let the password alone open an account again, for somebody who lost phone and recovery codes.

    Be sure who asks: their password is all that protects the account from then on.

    \b
    Example:
      skyshelf admin user reset-second-factor ada@example.org
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts.second_factor import reset_second_factor

        was_on = reset_second_factor(ctx, account)
        told = "asks for the password alone now" if was_on else "had no second factor"
        tell(as_json, _as_json(ctx, account), f"The account {account.email} {told}.")


@user.command("delete")
@click.argument("email")
@yes_option
@store_options
def delete(*, email: str, yes: bool, as_json: bool, **store: Any) -> None:
    """Have an account removed with all that it holds, when the time of grace is over.

    Until then its owner can use it, and the same command with `keep` in place of `delete` takes it back. To lock
    somebody out at once, disable the account as well.

    \b
    Example:
      skyshelf admin user delete ada@example.org
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts.deletion import schedule_deletion
        from skyshelf.wire.times import from_epoch_ms

        if not yes:
            confirmed(f"Remove the account {account.email} and all that it holds?")
        until = schedule_deletion(ctx, account)
        tell(
            as_json,
            _as_json(ctx, account) | {"deletionDate": until},
            f"The account {account.email} is removed for good on {from_epoch_ms(until):%Y-%m-%d %H:%M} UTC by the"
            f" running service; skyshelf admin user keep {account.email} takes it back.",
        )


@user.command("keep")
@click.argument("email")
@store_options
def keep(*, email: str, as_json: bool, **store: Any) -> None:
    """Keep an account that was to be removed.

    \b
    Example:
      skyshelf admin user keep ada@example.org
    """
    with opened_account(email, **store) as (ctx, account):
        from skyshelf.service.accounts.deletion import cancel_deletion

        cancel_deletion(ctx, account)
        tell(as_json, _as_json(ctx, account), f"The account {account.email} stays.")


def _password(*, from_stdin: bool) -> str:
    """One line; its end is not part of the password."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise CommandFailed("there is no terminal to ask for the password: give it with --password-stdin")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


def _as_json(ctx: "ServiceContext", account: "Account") -> dict[str, object]:
    """The account as it is now."""
    with ctx.metadata.read() as unit:
        current = unit.accounts.by_id(account.account_id)
        guarded = unit.second_factors.on_among([account.account_id])
        return _json_of(current, unit.quotas.get(account.account_id, ctx.clock.now()), bool(guarded))


def _json_of(account: "Account", quota: "Quota", has_second_factor: bool) -> dict[str, object]:
    return {
        "userId": account.account_key,
        "emailId": account.email,
        "firstName": account.first_name,
        "lastName": account.last_name,
        "status": account.status,
        "rootFolderKey": account.root_key,
        "allocatedSpace": quota.allocated,
        "usedSpace": quota.used,
        "createdDate": account.created_at,
        "secondFactor": has_second_factor,
    }


def _status(account: "Account") -> str:
    return "active" if account.status == "A" else "disabled"


def _used(quota: "Quota") -> str:
    return f"{format_size(quota.used)} of {format_size(quota.allocated)}"


def _space(ctx: "ServiceContext", account: "Account") -> dict[str, object]:
    """What takes the room of an account, in the words of the interface."""
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


def _in_words(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)


def _shown(name: str, value: object) -> str:
    from skyshelf.wire.times import from_epoch_ms

    if name == "status":
        return "active" if value == "A" else "disabled"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{from_epoch_ms(value):%Y-%m-%d %H:%M} UTC" if name.endswith("Date") else format_size(value)
    return str(value)
