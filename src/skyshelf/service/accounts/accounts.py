"""Accounts: opening one, and what its operator can change later."""

import re
import unicodedata

from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, DISABLED, Account, NewAccount
from skyshelf.storage.metadata.contracts.quota import Quota
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import EMAIL_CHARS_MAX, LABEL_CHARS_MAX

# Not a grammar of addresses: only what tells a slip of the pen from an address.
_EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+")


def normalize_email(email: str) -> str:
    """The address as it is stored and looked for: trimmed and in one Unicode form. Its case does not count."""
    return unicodedata.normalize("NFC", email.strip())


def clean_email(email: str) -> str:
    """The address of a new account, if it can be one."""
    cleaned = normalize_email(email)
    if len(cleaned) > EMAIL_CHARS_MAX or not _EMAIL.fullmatch(cleaned) or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, "That is not an e-mail address: write it as name@example.org")
    return cleaned


def clean_person_name(name: str, which: str) -> str:
    cleaned = unicodedata.normalize("NFC", name.strip())
    if not cleaned or len(cleaned) > LABEL_CHARS_MAX or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, f"The {which} name needs 1 to {LABEL_CHARS_MAX} printable characters")
    return cleaned


def new_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str, *, quota: int | None = None
) -> NewAccount:
    """Everything of a new account but its place in the store; hashing happens here, outside of any transaction."""
    check_new_password(password)
    return NewAccount(
        account_key=ctx.new_key(),
        root_key=ctx.new_key(),
        email=clean_email(email),
        first_name=clean_person_name(first_name, "first"),
        last_name=clean_person_name(last_name, "last"),
        password_hash=hash_password(password),
        default_space=ctx.rules.default_quota if quota is None else quota,
    )


def add_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str, *, quota: int | None = None
) -> Account:
    """Open an account. EmailTaken when another one has the address."""
    account, now = new_account(ctx, email, first_name, last_name, password, quota=quota), ctx.clock.now()
    return ctx.metadata.write(lambda unit: unit.accounts.add(account, now))


def add_first_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str
) -> Account | None:
    """Open the first account of all; None when there is one already, however many try at once."""
    account, now = new_account(ctx, email, first_name, last_name, password), ctx.clock.now()
    claim = account.account_key.encode()

    def work(unit: Unit) -> Account | None:
        # The claim is what two instances at once agree on: the count alone could be 0 for both.
        if unit.accounts.count() or unit.settings.set_once("first-account", claim) != claim:
            return None
        return unit.accounts.add(account, now)

    return ctx.metadata.write(work)


def has_accounts(ctx: ServiceContext) -> bool:
    with ctx.metadata.read() as unit:
        return unit.accounts.count() > 0


def find_account(ctx: ServiceContext, email: str) -> Account:
    """AccountMissing when there is none."""
    with ctx.metadata.read() as unit:
        return unit.accounts.by_email(normalize_email(email))


def all_accounts(ctx: ServiceContext) -> list[tuple[Account, Quota]]:
    """Every account with what it may hold and holds, the oldest first."""
    now, found = ctx.clock.now(), []
    with ctx.metadata.read() as unit:
        after = 0
        while page := unit.accounts.list(after_id=after):
            found += [(account, unit.quotas.get(account.account_id, now)) for account in page]
            after = page[-1].account_id
    return found


def with_second_factor(ctx: ServiceContext, accounts: list[Account]) -> set[int]:
    """Those of the accounts whose logins ask for a code too, by account_id."""
    with ctx.metadata.read() as unit:
        return unit.second_factors.on_among([account.account_id for account in accounts])


def disable(ctx: ServiceContext, account: Account) -> None:
    """Let nobody in any more; all sessions end, and what the account holds stays."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.accounts.set_status(account.account_id, DISABLED, now)
        unit.sessions.revoke_all(account.account_id)

    ctx.metadata.write(work)


def enable(ctx: ServiceContext, account: Account) -> None:
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.accounts.set_status(account.account_id, ACTIVE, now))


def set_quota(ctx: ServiceContext, account: Account, quota: int) -> None:
    """Change what the account may hold; less than it holds is allowed, it then cannot add anything."""
    now = ctx.clock.now()
    ctx.metadata.write(
        lambda unit: unit.accounts.set_space(
            account.account_id, default_space=quota, paid_space=account.paid_space, now=now
        )
    )


def reset_password(ctx: ServiceContext, account: Account, password: str) -> None:
    """Give the account a new password; whoever was logged in has to log in anew."""
    check_new_password(password)
    hashed, now = hash_password(password), ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.accounts.set_password(account.account_id, hashed, now)
        unit.sessions.revoke_all(account.account_id)

    ctx.metadata.write(work)
