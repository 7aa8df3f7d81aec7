"""Accounts: creating and finding them, and what the operator can change."""

import re
import unicodedata

from msgspec.structs import replace

from skyshelf.service.accounts.operators import check_not_last
from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, DISABLED, Account, NewAccount
from skyshelf.storage.metadata.contracts.quota import Quota
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import EMAIL_CHARS_MAX, LABEL_CHARS_MAX

# Not a grammar of addresses: it only catches typing mistakes.
_EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+")
# Normalisation takes quadratic time for many combining characters; what is longer is too long in any form.
_NORMALIZED_MAX = 4 * max(EMAIL_CHARS_MAX, LABEL_CHARS_MAX)


def normalize_email(email: str) -> str:
    """The address as it is stored and looked up: trimmed and in one Unicode form. Case is ignored."""
    return unicodedata.normalize("NFC", email.strip()[:_NORMALIZED_MAX])


def clean_email(email: str) -> str:
    """The address for a new account; ServiceError if it cannot be one."""
    cleaned = normalize_email(email)
    if len(cleaned) > EMAIL_CHARS_MAX or not _EMAIL.fullmatch(cleaned) or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, "Not a valid email address: write it as name@example.org")
    return cleaned


def clean_person_name(name: str, which: str) -> str:
    cleaned = unicodedata.normalize("NFC", name.strip()[:_NORMALIZED_MAX])
    if not cleaned or len(cleaned) > LABEL_CHARS_MAX or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, f"The {which} name needs 1 to {LABEL_CHARS_MAX} printable characters")
    return cleaned


def new_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str, *, quota: int | None = None
) -> NewAccount:
    """A new account's row. The password is hashed here, outside any transaction."""
    check_new_password(password)
    return _row(ctx, email, first_name, last_name, hash_password(password), quota=quota)


def _row(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password_hash: str, *, quota: int | None
) -> NewAccount:
    return NewAccount(
        account_key=ctx.new_key(),
        root_key=ctx.new_key(),
        email=clean_email(email),
        first_name=clean_person_name(first_name, "first"),
        last_name=clean_person_name(last_name, "last"),
        password_hash=password_hash,
        default_space=ctx.rules.default_quota if quota is None else quota,
    )


def add_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str, *, quota: int | None = None
) -> Account:
    """Create an account. EmailTaken when another account has the address."""
    return _add(ctx, new_account(ctx, email, first_name, last_name, password, quota=quota))


def add_invited_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, *, quota: int | None = None
) -> Account:
    """Create an account without a password: only a one-time link (password_links.py) can set one."""
    return _add(ctx, _row(ctx, email, first_name, last_name, "", quota=quota))


def provider_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, *, quota: int | None = None
) -> NewAccount:
    """The row of an account without a password, which an identity at a login provider opens."""
    return _row(ctx, email, first_name, last_name, "", quota=quota)


def _add(ctx: ServiceContext, account: NewAccount) -> Account:
    now = ctx.clock.now()
    event = replace(new_event(ctx, kinds.ACCOUNT_ADDED, email=account.email), account_key=account.account_key)
    return recorded(ctx, lambda unit: unit.accounts.add(account, now), event)


def add_first_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str
) -> Account | None:
    """Create the very first account, an operator; None when there is one, even if several try at once."""
    account, now = new_account(ctx, email, first_name, last_name, password), ctx.clock.now()
    claim = account.account_key.encode()
    event = replace(new_event(ctx, kinds.ACCOUNT_ADDED, email=account.email), account_key=account.account_key)

    def work(unit: Unit) -> Account | None:
        # Two instances may both count 0 accounts. Who writes this row waits for the other, and counts after it.
        unit.settings.set("first-account", claim)
        if unit.accounts.count():
            return None
        added = unit.accounts.add(account, now)
        unit.operators.set(added.account_id, True, now)
        unit.audit.add([event])
        return unit.accounts.by_id(added.account_id)

    return ctx.metadata.write(work)


def has_accounts(ctx: ServiceContext) -> bool:
    with ctx.metadata.read() as unit:
        return bool(unit.accounts.list(limit=1))


def find_account(ctx: ServiceContext, email: str) -> Account:
    """AccountMissing when there is none."""
    with ctx.metadata.read() as unit:
        return unit.accounts.by_email(normalize_email(email))


def all_accounts(ctx: ServiceContext) -> list[tuple[Account, Quota]]:
    """Every account with its quota, oldest first."""
    now, found = ctx.clock.now(), []
    with ctx.metadata.read() as unit:
        after = 0
        while page := unit.accounts.list(after_id=after):
            found += [(account, unit.quotas.get(account.account_id, now)) for account in page]
            after = page[-1].account_id
    return found


def with_second_factor(ctx: ServiceContext, accounts: list[Account]) -> set[int]:
    """The ids of those accounts that have a second factor."""
    with ctx.metadata.read() as unit:
        return unit.second_factors.on_among([account.account_id for account in accounts])


def passkey_counts(ctx: ServiceContext, accounts: list[Account]) -> dict[int, int]:
    """How many passkeys those of the accounts have that have any, by id."""
    with ctx.metadata.read() as unit:
        return unit.passkeys.counts([account.account_id for account in accounts])


def disable(ctx: ServiceContext, account: Account) -> None:
    """Block logins and end all sessions; the account keeps its data. ServiceError for the last operator."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        check_not_last(unit, account.account_id)
        unit.accounts.set_status(account.account_id, DISABLED, now)
        unit.sessions.revoke_all(account.account_id)

    recorded(ctx, work, new_event(ctx, kinds.ACCOUNT_DISABLED, account))


def enable(ctx: ServiceContext, account: Account) -> None:
    now = ctx.clock.now()
    recorded(
        ctx,
        lambda unit: unit.accounts.set_status(account.account_id, ACTIVE, now),
        new_event(ctx, kinds.ACCOUNT_ENABLED, account),
    )


def set_quota(ctx: ServiceContext, account: Account, quota: int) -> None:
    """Change the quota. It may be less than the account uses; then nothing can be added."""
    now = ctx.clock.now()
    recorded(
        ctx,
        lambda unit: unit.accounts.set_space(
            account.account_id, default_space=quota, paid_space=account.paid_space, now=now
        ),
        new_event(ctx, kinds.ACCOUNT_QUOTA, account, quota=quota, before=account.default_space),
    )


def reset_password(ctx: ServiceContext, account: Account, password: str) -> None:
    """Set a new password and end all sessions."""
    check_new_password(password)
    hashed, now = hash_password(password), ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.accounts.set_password(account.account_id, hashed, now)
        unit.sessions.revoke_all(account.account_id)

    recorded(ctx, work, new_event(ctx, kinds.PASSWORD_RESET, account))
