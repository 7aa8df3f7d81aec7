"""Accounts as operators manage them in the browser, with the same functions as `skyshelf admin user`.

Actions that could give somebody another person's files, or delete them, need the operator's own password.
"""

from skyshelf.service.accounts import accounts, app_passwords, own_account, second_factor
from skyshelf.service.accounts.passkeys import own_passkeys
from skyshelf.service.accounts.password_links import create_link
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.mail.outgoing import put_mail
from skyshelf.service.pages import projected
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import Account, AccountOverview
from skyshelf.storage.metadata.contracts.accounts import OpenSession as StoredSession
from skyshelf.wire.cursors import encode_cursor, number_cursor
from skyshelf.wire.resources import operators as wire
from skyshelf.wire.resources.account import EndedSessions


def list_accounts(ctx: ServiceContext, query: wire.AccountsQuery) -> wire.ManagedAccounts:
    """Return a page of the accounts, oldest first."""
    after = number_cursor(query.cursor)[0] if query.cursor else 0
    with ctx.metadata.read() as unit:
        found = unit.operators.accounts(
            ctx.clock.now(), after_id=after, limit=query.limit + 1, text=(query.search or "").strip()
        )
    page = found[: query.limit]
    last = page[-1].account if page else None
    return wire.ManagedAccounts(
        accounts=[_wire_account(one) for one in page],
        next_cursor=encode_cursor(last.account_id, last.account_key) if last and len(found) > len(page) else None,
    )


def add_account(ctx: ServiceContext, request: wire.NewAccountRequest, origin: str) -> wire.PasswordLink:
    """Create an account without a password, and a link with which the person sets one."""
    if request.is_mailed and ctx.mail is None:
        raise ServiceError(codes.MAIL_OFF)
    account = accounts.add_account(
        ctx, request.email_id, request.first_name, request.last_name, None, quota=request.quota
    )
    if not request.is_mailed:
        return _new_link(ctx, account, origin)
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: put_mail(unit, "invitation", request.language or "en", account.email, now))
    ctx.job_notifier.notify()
    return wire.PasswordLink(account=_current(ctx, account))


def edit_account(ctx: ServiceContext, account_key: str, request: wire.AccountEditRequest) -> wire.ManagedAccount:
    """Disable, enable or limit an account."""
    account = _find(ctx, account_key)
    if request.is_enabled is not None:
        (accounts.enable if request.is_enabled else accounts.disable)(ctx, account)
    if request.quota is not None:
        accounts.set_quota(ctx, account, request.quota)
    return _current(ctx, account)


def create_password_link(
    ctx: ServiceContext, caller: Caller, account_key: str, request: wire.ConfirmedRequest, *, origin: str, address: str
) -> wire.PasswordLink:
    """Create a link for a person who forgot the password, or did not use the invitation in time."""
    account = _confirmed(ctx, caller, account_key, request.password, address)
    return _new_link(ctx, account, origin)


def set_operator_role(
    ctx: ServiceContext, caller: Caller, account_key: str, request: wire.OperatorRoleRequest, address: str
) -> wire.ManagedAccount:
    account = _confirmed(ctx, caller, account_key, request.password, address)
    accounts.set_operator(ctx, account, is_operator=request.is_operator)
    return _current(ctx, account)


def reset_second_factor(
    ctx: ServiceContext, caller: Caller, account_key: str, request: wire.SecondFactorResetRequest, address: str
) -> wire.ManagedAccount:
    """Reset the second factor of a person who lost the phone and the codes, or whose devices were stolen."""
    account = _confirmed(ctx, caller, account_key, request.password, address)
    second_factor.reset_second_factor(ctx, account)
    if request.removes_passkeys:
        own_passkeys.remove_all(ctx, account)
    return _current(ctx, account)


def delete_account(
    ctx: ServiceContext, caller: Caller, account_key: str, request: wire.ConfirmedRequest, address: str
) -> wire.ManagedAccount:
    """Schedule the deletion of an account with all its files."""
    account = _confirmed(ctx, caller, account_key, request.password, address)
    own_account.schedule_deletion(ctx, account)
    return _current(ctx, account)


def keep_account(ctx: ServiceContext, account_key: str) -> wire.ManagedAccount:
    account = _find(ctx, account_key)
    own_account.cancel_deletion(ctx, account)
    return _current(ctx, account)


# Sessions


def list_sessions(ctx: ServiceContext, caller: Caller, query: wire.SessionsQuery) -> wire.OpenSessions:
    """List the most recently used sessions of all accounts."""
    return _sessions(ctx, caller, query.limit)


def account_sessions(
    ctx: ServiceContext, caller: Caller, account_key: str, query: wire.SessionsQuery
) -> wire.OpenSessions:
    return _sessions(ctx, caller, query.limit, _find(ctx, account_key).account_id)


def end_sessions(ctx: ServiceContext, account_key: str, request: wire.SessionsEndRequest) -> EndedSessions:
    """Log out one device of an account, or all of them."""
    account = _find(ctx, account_key)
    device_key = request.device_key and request.device_key.lower()
    if not device_key:
        event = new_event(ctx, kinds.SESSIONS_ENDED, account)
        ended = recorded(ctx, lambda unit: unit.sessions.revoke_all(account.account_id), event)
        return EndedSessions(ended_sessions=ended)
    event = new_event(ctx, kinds.SESSIONS_ENDED, account, device=device_key)
    if not recorded(ctx, lambda unit: unit.sessions.revoke(account.account_id, device_key), event):
        raise ServiceError(codes.DEVICE_NOT_FOUND, "No such device, or it is not logged in")
    return EndedSessions(ended_sessions=1)


def _sessions(ctx: ServiceContext, caller: Caller, limit: int, account_id: int = 0) -> wire.OpenSessions:
    with ctx.metadata.read() as unit:
        found = unit.operators.sessions(ctx.clock.now(), limit=limit, account_id=account_id)
    return wire.OpenSessions(sessions=[_wire_session(one, caller) for one in found])


def _wire_session(one: StoredSession, caller: Caller) -> wire.OpenSession:
    return projected(
        wire.OpenSession,
        one,
        user_id=one.account_key,
        email_id=one.email,
        device_key=one.device.device_key,
        device_name=one.device.device_name,
        platform_type=one.device.platform_type,
        is_current=one.secret_hash == caller.session_hash,
        login_date=one.created_at,
        session_end_date=one.expires_at if one.expires_at < app_passwords.NEVER else None,
    )


# What they share


def _find(ctx: ServiceContext, account_key: str) -> Account:
    with missing_as(codes.ACCOUNT_NOT_FOUND, AccountMissing), ctx.metadata.read() as unit:
        return unit.accounts.by_key(account_key)


def _confirmed(ctx: ServiceContext, caller: Caller, account_key: str, password: str, address: str) -> Account:
    """Return an account, if the operator's own password is right."""
    account = _find(ctx, account_key)
    own_account.confirm_password(ctx, caller, password, address)
    return account


def _new_link(ctx: ServiceContext, account: Account, origin: str) -> wire.PasswordLink:
    link = create_link(ctx, account)
    return wire.PasswordLink(link_url=link.url(origin), expires_date=link.expires_at, account=_current(ctx, account))


def _current(ctx: ServiceContext, account: Account) -> wire.ManagedAccount:
    with ctx.metadata.read() as unit:
        found = unit.operators.accounts(ctx.clock.now(), limit=1, account_id=account.account_id)
    if not found:
        raise ServiceError(codes.ACCOUNT_NOT_FOUND)
    return _wire_account(found[0])


def _wire_account(one: AccountOverview) -> wire.ManagedAccount:
    account, quota = one.account, one.quota
    return projected(
        wire.ManagedAccount,
        account,
        user_id=account.account_key,
        email_id=account.email,
        has_password=bool(account.password_hash),
        has_second_factor=one.has_second_factor,
        passkeys=one.passkeys,
        quota=account.default_space,
        allocated_space=quota.allocated,
        used_space=quota.used,
        items=quota.objects,
        last_seen_date=one.last_seen_at or None,
        deletion_date=account.delete_at or None,
        held_date=quota.held_at or None,
        expires_date=one.link_expires_at or None,
    )
