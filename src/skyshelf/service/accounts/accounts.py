"""Accounts: creating and finding them, and what operators can change. Once there is an operator, one remains."""

import re
import unicodedata

from msgspec.structs import replace

from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, DISABLED, Account, NewAccount, Quota
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import EMAIL_CHARS_MAX, LABEL_CHARS_MAX

# Not a grammar of addresses: it only catches typing mistakes.
_EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+")
# Normalisation takes quadratic time for many combining characters; anything longer is too long in any form.
_NORMALIZED_MAX = 4 * max(EMAIL_CHARS_MAX, LABEL_CHARS_MAX)


def normalize_email(email: str) -> str:
    """Return the address as it is stored and looked up: trimmed, in one Unicode form. Case is ignored."""
    return unicodedata.normalize("NFC", email.strip()[:_NORMALIZED_MAX])


def same_address(one: str, other: str) -> bool:
    """Whether two spellings are one address: case and Unicode form do not count, and ß is not ss."""
    return normalize_email(one).lower() == normalize_email(other).lower()


def clean_email(email: str) -> str:
    """Return the address for a new account; ServiceError if it is not an address."""
    cleaned = normalize_email(email)
    if len(cleaned) > EMAIL_CHARS_MAX or not _EMAIL.fullmatch(cleaned) or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, "Not a valid email address: write it as name@example.org")
    return cleaned


def clean_person_name(name: str, which: str) -> str:
    return clean_label(name, f"The {which} name")


def clean_label(text: str, what: str) -> str:
    """Return one line of printable text; ServiceError for any other."""
    cleaned = unicodedata.normalize("NFC", text.strip()[:_NORMALIZED_MAX])
    if not cleaned or len(cleaned) > LABEL_CHARS_MAX or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, f"{what} needs 1 to {LABEL_CHARS_MAX} printable characters")
    return cleaned


def new_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str | None, *, quota: int | None = None
) -> NewAccount:
    """Build the row of a new account. The password is hashed here, outside any transaction.

    Without one, a one-time link (password_links.py) can set it, or an identity at a login provider opens the account.
    """
    if password is not None:
        check_new_password(password)
    return NewAccount(
        account_key=ctx.new_key(),
        root_key=ctx.new_key(),
        email=clean_email(email),
        first_name=clean_person_name(first_name, "first"),
        last_name=clean_person_name(last_name, "last"),
        password_hash="" if password is None else hash_password(password),
        default_space=ctx.rules.default_quota if quota is None else quota,
    )


def add_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str | None, *, quota: int | None = None
) -> Account:
    """Create an account; EmailTaken if another account has the address."""
    account, now = new_account(ctx, email, first_name, last_name, password, quota=quota), ctx.clock.now()
    return recorded(ctx, lambda unit: unit.accounts.add(account, now), _added(ctx, account))


def return_account(ctx: ServiceContext, former: Account) -> Account:
    """Create an account again that was deleted, with its id, its names and its quota; it has no password yet."""
    now = ctx.clock.now()
    account = NewAccount(
        account_key=former.account_key,
        root_key=former.root_key,
        email=former.email,
        first_name=former.first_name,
        last_name=former.last_name,
        password_hash="",
        default_space=former.default_space,
        paid_space=former.paid_space,
    )
    return recorded(ctx, lambda unit: unit.accounts.add(account, now), _added(ctx, account))


def _added(ctx: ServiceContext, account: NewAccount) -> AuditEvent:
    return replace(new_event(ctx, kinds.ACCOUNT_ADDED, email=account.email), account_key=account.account_key)


def add_first_account(
    ctx: ServiceContext, email: str, first_name: str, last_name: str, password: str
) -> Account | None:
    """Create the very first account, an operator; None if one exists already, even if several try at once."""
    account, now = new_account(ctx, email, first_name, last_name, password), ctx.clock.now()
    claim = account.account_key.encode()
    event = _added(ctx, account)

    def work(unit: Unit) -> Account | None:
        # Two instances may both count 0 accounts. The second to write this row waits for the first and counts after it.
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
    """Return the account with that address; AccountMissing if there is none."""
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
    with ctx.metadata.read() as unit:
        return unit.second_factors.on_among([account.account_id for account in accounts])


def passkey_counts(ctx: ServiceContext, accounts: list[Account]) -> dict[int, int]:
    """Count passkeys by account id; accounts without passkeys are left out."""
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
    event = new_event(ctx, kinds.ACCOUNT_ENABLED, account)
    recorded(ctx, lambda unit: unit.accounts.set_status(account.account_id, ACTIVE, now), event)


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
    """Set a new password, and end all sessions and an open link."""
    check_new_password(password)
    hashed, now = hash_password(password), ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.accounts.set_password(account.account_id, hashed, now)
        unit.password_links.revoke(account.account_id)
        unit.sessions.revoke_all(account.account_id)

    recorded(ctx, work, new_event(ctx, kinds.PASSWORD_RESET, account))


# Operators


def check_operator(ctx: ServiceContext, caller: Caller) -> None:
    """ServiceError for an account that is not an operator: for it, the endpoint does not exist."""
    with ctx.metadata.read() as unit:
        if not unit.operators.is_operator(caller.account_id):
            raise ServiceError(codes.NOT_OFFERED)


def set_operator(ctx: ServiceContext, account: Account, *, is_operator: bool) -> None:
    """Make an account an operator, or an operator an ordinary account again; ServiceError for the last one."""
    now, kind = ctx.clock.now(), kinds.ACCOUNT_OPERATOR if is_operator else kinds.ACCOUNT_NO_OPERATOR

    def work(unit: Unit) -> None:
        if not is_operator:
            check_not_last(unit, account.account_id)
        unit.operators.set(account.account_id, is_operator, now)

    recorded(ctx, work, new_event(ctx, kind, account))


def check_not_last(unit: Unit, account_id: int) -> None:
    """ServiceError if nobody could manage the server without this account.

    The operators are locked first, so two of them cannot remove each other at the same moment.
    """
    others = unit.operators.others(account_id)
    account = unit.accounts.by_id(account_id)
    if account.is_operator and account.status == ACTIVE and not account.delete_at and not others:
        raise ServiceError(codes.LAST_OPERATOR)
