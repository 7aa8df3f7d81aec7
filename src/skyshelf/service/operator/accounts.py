"""Accounts as operators manage them in the browser: the same acts as `skyshelf admin user`.

Acts that could give somebody another person's files, or delete them, need the operator's own password.
"""

from skyshelf.service.accounts import accounts, app_passwords, deletion, operators, own_account, second_factor
from skyshelf.service.accounts.passkeys import own_passkeys
from skyshelf.service.accounts.password_links import create_link
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.mail.outgoing import put_mail
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.operators import AccountOverview
from skyshelf.storage.metadata.contracts.operators import OpenSession as StoredSession
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import encode_cursor, number_cursor
from skyshelf.wire.resources.account import EndedSessions
from skyshelf.wire.resources.operators import (
    AccountEditRequest,
    AccountsQuery,
    ConfirmedRequest,
    ManagedAccount,
    ManagedAccounts,
    NewAccountRequest,
    OpenSession,
    OpenSessions,
    OperatorRoleRequest,
    PasswordLink,
    SecondFactorResetRequest,
    SessionsEndRequest,
    SessionsQuery,
)


def list_accounts(ctx: ServiceContext, query: AccountsQuery) -> ManagedAccounts:
    """A page of the accounts, oldest first."""
    after = number_cursor(query.cursor)[0] if query.cursor else 0
    with ctx.metadata.read() as unit:
        found = unit.operators.accounts(
            ctx.clock.now(), after_id=after, limit=query.limit + 1, text=(query.search or "").strip()
        )
    page = found[: query.limit]
    last = page[-1].account if page else None
    return ManagedAccounts(
        accounts=[_wire_account(one) for one in page],
        next_cursor=encode_cursor(last.account_id, last.account_key) if last and len(found) > len(page) else None,
    )


def add_account(ctx: ServiceContext, request: NewAccountRequest, origin: str) -> PasswordLink:
    """Create an account without a password, and a link with which the person sets one."""
    if request.is_mailed and ctx.mail is None:
        raise ServiceError(codes.MAIL_OFF)
    account = accounts.add_invited_account(
        ctx, request.email_id, request.first_name, request.last_name, quota=request.quota
    )
    if not request.is_mailed:
        return _new_link(ctx, account, origin)
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: put_mail(unit, "invitation", request.language or "en", account.email, now))
    ctx.job_notifier.notify()
    return PasswordLink(account=_current(ctx, account))


def edit_account(ctx: ServiceContext, account_key: str, request: AccountEditRequest) -> ManagedAccount:
    """Disable, enable or limit an account."""
    account = _find(ctx, account_key)
    if request.is_enabled is not None:
        (accounts.enable if request.is_enabled else accounts.disable)(ctx, account)
    if request.quota is not None:
        accounts.set_quota(ctx, account, request.quota)
    return _current(ctx, account)


def create_password_link(
    ctx: ServiceContext, caller: Caller, account_key: str, request: ConfirmedRequest, *, origin: str, address: str
) -> PasswordLink:
    """A new link for a person who has forgotten the password, or has not used the invitation in time."""
    account = _find(ctx, account_key)
    own_account.confirm_password(ctx, caller, request.password, address)
    return _new_link(ctx, account, origin)


def set_operator_role(
    ctx: ServiceContext, caller: Caller, account_key: str, request: OperatorRoleRequest, address: str
) -> ManagedAccount:
    account = _find(ctx, account_key)
    own_account.confirm_password(ctx, caller, request.password, address)
    (operators.grant if request.is_operator else operators.revoke)(ctx, account)
    return _current(ctx, account)


def reset_second_factor(
    ctx: ServiceContext, caller: Caller, account_key: str, request: SecondFactorResetRequest, address: str
) -> ManagedAccount:
    """For a person who lost the phone and the recovery codes, or whose devices were stolen."""
    account = _find(ctx, account_key)
    own_account.confirm_password(ctx, caller, request.password, address)
    second_factor.reset_second_factor(ctx, account)
    if request.removes_passkeys:
        own_passkeys.remove_all(ctx, account)
    return _current(ctx, account)


def delete_account(
    ctx: ServiceContext, caller: Caller, account_key: str, request: ConfirmedRequest, address: str
) -> ManagedAccount:
    """Schedule the deletion of an account with all its files."""
    account = _find(ctx, account_key)
    own_account.confirm_password(ctx, caller, request.password, address)
    deletion.schedule_deletion(ctx, account)
    return _current(ctx, account)


def keep_account(ctx: ServiceContext, account_key: str) -> ManagedAccount:
    account = _find(ctx, account_key)
    deletion.cancel_deletion(ctx, account)
    return _current(ctx, account)


# Sessions


def list_sessions(ctx: ServiceContext, caller: Caller, query: SessionsQuery) -> OpenSessions:
    """The sessions that were used last, of all accounts."""
    return _sessions(ctx, caller, query.limit)


def account_sessions(ctx: ServiceContext, caller: Caller, account_key: str, query: SessionsQuery) -> OpenSessions:
    """The sessions of one account."""
    return _sessions(ctx, caller, query.limit, _find(ctx, account_key).account_id)


def end_sessions(ctx: ServiceContext, account_key: str, request: SessionsEndRequest) -> EndedSessions:
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


def _sessions(ctx: ServiceContext, caller: Caller, limit: int, account_id: int = 0) -> OpenSessions:
    with ctx.metadata.read() as unit:
        found = unit.operators.sessions(ctx.clock.now(), limit=limit, account_id=account_id)
    return OpenSessions(sessions=[_wire_session(one, caller) for one in found])


def _wire_session(one: StoredSession, caller: Caller) -> OpenSession:
    return OpenSession(
        user_id=one.account_key,
        email_id=one.email,
        first_name=one.first_name,
        last_name=one.last_name,
        device_key=one.device.device_key,
        device_name=one.device.device_name,
        platform_type=one.device.platform_type,
        is_current=one.secret_hash == caller.session_hash,
        login_date=one.created_at,
        last_used_date=one.last_used_at,
        session_end_date=one.expires_at if one.expires_at < app_passwords.NEVER else None,
    )


# What they share


def _find(ctx: ServiceContext, account_key: str) -> Account:
    try:
        with ctx.metadata.read() as unit:
            return unit.accounts.by_key(account_key)
    except AccountMissing as missing:
        raise ServiceError(codes.ACCOUNT_NOT_FOUND) from missing


def _new_link(ctx: ServiceContext, account: Account, origin: str) -> PasswordLink:
    link = create_link(ctx, account)
    return PasswordLink(link_url=link.url(origin), expires_date=link.expires_at, account=_current(ctx, account))


def _current(ctx: ServiceContext, account: Account) -> ManagedAccount:
    """The account as it is now."""
    with ctx.metadata.read() as unit:
        found = unit.operators.accounts(ctx.clock.now(), limit=1, account_id=account.account_id)
    if not found:
        raise ServiceError(codes.ACCOUNT_NOT_FOUND)
    return _wire_account(found[0])


def _wire_account(one: AccountOverview) -> ManagedAccount:
    account, quota = one.account, one.quota
    return ManagedAccount(
        user_id=account.account_key,
        email_id=account.email,
        first_name=account.first_name,
        last_name=account.last_name,
        status=account.status,
        is_operator=account.is_operator,
        has_password=bool(account.password_hash),
        has_second_factor=one.has_second_factor,
        passkeys=one.passkeys,
        quota=account.default_space,
        allocated_space=quota.allocated,
        used_space=quota.used,
        items=quota.objects,
        created_date=account.created_at,
        last_seen_date=one.last_seen_at or None,
        deletion_date=account.delete_at or None,
        expires_date=one.link_expires_at or None,
    )
