"""Somebody who calls the service without HTTP, and so without a session."""

from skyshelf.service.context import Caller
from skyshelf.storage.metadata.contracts.accounts import Account


def caller_of(account: Account, *, device_key: str = "") -> Caller:
    return Caller(
        account_id=account.account_id,
        account_key=account.account_key,
        root_key=account.root_key,
        first_name=account.first_name,
        device_key=device_key,
        session_hash=b"",
    )
