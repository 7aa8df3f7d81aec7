"""`skyshelf admin`: looking after the accounts and the store of a service, also while it runs."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from skyshelf.cli.failures import CommandFailed, one_sentence
from skyshelf.cli.sizes import Size, readable
from skyshelf.cli.stores import data_option, debug_option, metadata_option, metadata_url

if TYPE_CHECKING:
    from skyshelf.service.house import House
    from skyshelf.storage.metadata.accounts import Account
    from skyshelf.storage.metadata.quota import Quota

Command = TypeVar("Command", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
password_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input instead of asking for it."
)


def _store_options(command: Command) -> Command:
    for option in (debug_option, json_option, metadata_option, data_option):
        command = option(command)
    return command


@click.group
def admin() -> None:
    """Look after the accounts and the store of a service, also while it runs."""


@admin.group
def user() -> None:
    """Add, list and change accounts."""


@user.command("add")
@click.argument("email")
@click.option("--first-name", required=True)
@click.option("--last-name", required=True)
@click.option("--quota", type=Size(), help="What the account may hold.  [default: 100GiB]")
@password_option
@_store_options
def add(
    *, email: str, first_name: str, last_name: str, quota: int | None, password_stdin: bool, as_json: bool, **store: Any
) -> None:
    """Open an account."""
    with _house(**store) as house:
        from skyshelf.service import accounts

        password = _password(from_stdin=password_stdin)
        account = accounts.add_account(house, email, first_name, last_name, password, quota=quota)
        _tell(
            as_json,
            _as_json(house, account),
            f"The account {account.email} is open; its user id is {account.account_key}.",
        )


@user.command("list")
@_store_options
def list_users(*, as_json: bool, **store: Any) -> None:
    """List all accounts."""
    with _house(**store) as house:
        from skyshelf.service import accounts

        found = accounts.all_accounts(house)
        rows = [
            (account.email, f"{account.first_name} {account.last_name}", _status(account), _used(quota))
            for account, quota in found
        ]
        _tell(
            as_json,
            [_json_of(account, quota) for account, quota in found],
            _table(rows) or "Nobody has an account yet.",
        )


@user.command("disable")
@click.argument("email")
@_store_options
def disable(*, email: str, as_json: bool, **store: Any) -> None:
    """Let an account in no more; its sessions end, and its files stay."""
    with _account(email, **store) as (house, account):
        from skyshelf.service import accounts

        accounts.disable(house, account)
        _tell(
            as_json, _as_json(house, account), f"The account {account.email} is disabled, and its sessions have ended."
        )


@user.command("enable")
@click.argument("email")
@_store_options
def enable(*, email: str, as_json: bool, **store: Any) -> None:
    """Let a disabled account in again."""
    with _account(email, **store) as (house, account):
        from skyshelf.service import accounts

        accounts.enable(house, account)
        _tell(as_json, _as_json(house, account), f"The account {account.email} can log in.")


@user.command("set-quota")
@click.argument("email")
@click.argument("quota", type=Size())
@_store_options
def set_quota(*, email: str, quota: int, as_json: bool, **store: Any) -> None:
    """Change what an account may hold."""
    with _account(email, **store) as (house, account):
        from skyshelf.service import accounts

        accounts.set_quota(house, account, quota)
        _tell(as_json, _as_json(house, account), f"The account {account.email} may hold {readable(quota)}.")


@user.command("reset-password")
@click.argument("email")
@password_option
@_store_options
def reset_password(*, email: str, password_stdin: bool, as_json: bool, **store: Any) -> None:
    """Give an account a new password; whoever was logged in has to log in anew."""
    with _account(email, **store) as (house, account):
        from skyshelf.service import accounts

        accounts.reset_password(house, account, _password(from_stdin=password_stdin))
        _tell(as_json, _as_json(house, account), f"The account {account.email} has a new password.")


@admin.command
@_store_options
def migrate(*, data: Path, metadata: str | None, as_json: bool, debug: bool) -> None:
    """Bring the metadata store up to date with this version."""
    from skyshelf.storage.errors import StorageError
    from skyshelf.storage.open_stores import migrate_metadata

    with one_sentence(StorageError, debug=debug):
        taken = migrate_metadata(metadata_url(data, metadata))
    _tell(as_json, {"migrations": taken}, "\n".join(f"took {one}" for one in taken) or "The store is up to date.")


class _NoBlobs:
    """Accounts are rows: the administration needs no file contents, and does not open their store."""


@contextmanager
def _house(*, data: Path, metadata: str | None, debug: bool) -> Iterator["House"]:
    from skyshelf.service.house import House
    from skyshelf.storage.errors import AccountMissing, EmailTaken, StorageError
    from skyshelf.storage.open_stores import open_metadata
    from skyshelf.wire.refusals import Refusal

    with one_sentence(StorageError, Refusal, debug=debug):
        store = open_metadata(metadata_url(data, metadata))
        try:
            yield House(metadata=store, blobs=_NoBlobs())  # type: ignore[arg-type]
        except AccountMissing as missing:
            raise CommandFailed(
                "there is no account with that address: skyshelf admin user list shows them"
            ) from missing
        except EmailTaken as taken:
            raise CommandFailed(f"{taken}, in whatever case it is written") from taken
        finally:
            store.close()


@contextmanager
def _account(email: str, **store: Any) -> Iterator[tuple["House", "Account"]]:
    with _house(**store) as house:
        from skyshelf.service.accounts import find_account

        yield house, find_account(house, email)


def _password(*, from_stdin: bool) -> str:
    """One line; its end is not part of the password."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise CommandFailed("there is no terminal to ask for the password: give it with --password-stdin")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


def _tell(as_json: bool, data: object, sentence: str) -> None:
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(data)).decode())
    else:
        click.echo(sentence)


def _as_json(house: "House", account: "Account") -> dict[str, object]:
    """The account as it is now."""
    with house.metadata.read() as unit:
        current = unit.accounts.by_id(account.account_id)
        return _json_of(current, unit.quotas.get(account.account_id, house.clock.now()))


def _json_of(account: "Account", quota: "Quota") -> dict[str, object]:
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
    }


def _status(account: "Account") -> str:
    return "active" if account.status == "A" else "disabled"


def _used(quota: "Quota") -> str:
    return f"{readable(quota.used)} of {readable(quota.allocated)}"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
