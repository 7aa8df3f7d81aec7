"""Grants: an app begins, a person agrees in a browser, and the app collects a password.

The app keeps a poll token; the browser's address has only what follows from it. The password follows from that in turn
and from a secret of the server, so nothing is stored before somebody agrees, and no password is stored at all.
"""

import base64
import hmac
import re
from typing import Final

import msgspec

from skyshelf.service.accounts import app_passwords, login_codes, login_throttle
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.passwords import matches
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.contracts.app_passwords import AppScope
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import GRANT_MINUTES
from skyshelf.wire.text import replace_invisible

_MINUTE: Final = 60 * 1000
_TOKEN: Final = re.compile(r"([0-9a-f]{8,12})-[A-Za-z0-9_-]{16,64}")
_NAME_CHARS: Final = 60
_PURPOSE_FLOW, _PURPOSE_PASSWORD = b"flow ", b"password "


class Granted(msgspec.Struct, frozen=True):
    """What the app collects."""

    email: str
    password: str


def begin(ctx: ServiceContext) -> tuple[str, str]:
    """A poll token for the app, and the flow's name for the browser."""
    random = base64.urlsafe_b64encode(ctx.randomness.bytes(33)).decode()
    token = f"{ctx.clock.now():x}-{random}"
    return token, _flow_of(ctx, token)


def check(ctx: ServiceContext, flow: str) -> None:
    """GRANT_ENDED for a flow that is too old, or is none."""
    form = _TOKEN.fullmatch(flow)
    age = ctx.clock.now() - int(form[1], 16) if form else -1
    if not 0 <= age < GRANT_MINUTES * _MINUTE:
        raise ServiceError(codes.GRANT_ENDED)


def agree(
    ctx: ServiceContext, flow: str, *, email: str, password: str, code: str | None, name: str, address: str
) -> None:
    """Make the flow's app password. It needs what a login needs, and counts as one against the throttle."""
    check(ctx, flow)
    account, buckets = _verified(ctx, normalize_email(email), password, address)
    given = None
    with ctx.metadata.read() as unit:
        is_required = login_codes.is_required(unit, account.account_id)
    if is_required:
        if not code:
            raise ServiceError(codes.SECOND_FACTOR_REQUIRED)
        given = login_codes.admit(ctx, account, code, buckets)
    hashed = _hash_of(ctx, flow)
    now, device_key = ctx.clock.now(), app_passwords.new_device_key(ctx)

    def work(unit: Unit) -> None:
        current = unit.accounts.by_id(account.account_id)
        if current.password_hash != account.password_hash or current.status != ACTIVE:
            raise ServiceError(codes.LOGIN_REFUSED)
        if login_codes.is_required(unit, account.account_id) and (given is None or not given.accept(unit)):
            raise ServiceError(codes.LOGIN_CODE_REFUSED)
        if unit.app_passwords.find(hashed, now) is not None:
            raise ServiceError(codes.GRANT_ENDED)
        app_passwords.add_app(
            unit,
            account.account_id,
            name=name_of(name),
            device_key=device_key,
            hashed=hashed,
            scope=AppScope(),
            now=now,
        )
        login_throttle.succeeded(unit, buckets)

    try:
        recorded(ctx, work, new_event(ctx, kinds.APP_ADDED, account, app=name_of(name), device=device_key))
    except ServiceError as error:
        if error.error is codes.LOGIN_CODE_REFUSED:
            login_throttle.failed(ctx, buckets, new_event(ctx, kinds.FACTOR_FAILED, account, address=address))
        raise


def collect(ctx: ServiceContext, token: str) -> Granted | None:
    """The password, once; None as long as nobody has agreed."""
    check(ctx, token)
    flow = _flow_of(ctx, token)
    hashed, now = _hash_of(ctx, flow), ctx.clock.now()
    with ctx.metadata.read() as unit:
        if unit.app_passwords.find(hashed, now) is None:
            return None

    def work(unit: Unit) -> Granted | None:
        found = unit.app_passwords.find(hashed, now)
        # Once it was used or collected, it is given to nobody.
        if found is None or found.session.last_used_at > found.session.created_at:
            return None
        unit.sessions.touch(hashed, max(now, found.session.created_at + 1))
        return Granted(found.email, _password_of(ctx, flow))

    return ctx.metadata.write(work)


def name_of(given: str) -> str:
    """What an app calls itself, as a name in a list."""
    plain = " ".join(replace_invisible(given, lambda _: " ").split())
    return plain[:_NAME_CHARS].strip() or "App"


def _verified(
    ctx: ServiceContext, email: str, password: str, address: str
) -> tuple[Account, login_throttle.LoginBuckets]:
    account = None
    with ctx.metadata.read() as unit:
        try:
            account = unit.accounts.by_email(email)
        except AccountMissing:
            account = None
    buckets = login_throttle.LoginBuckets(email, address, None)
    login_throttle.admit(ctx, buckets)
    # An unknown address takes as long as a wrong password.
    is_match = matches(password, account.password_hash if account else None)
    if account is None or not is_match or account.status != ACTIVE:
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.LOGIN_FAILED, account, address=address))
        raise ServiceError(codes.LOGIN_REFUSED)
    return account, buckets


def _flow_of(ctx: ServiceContext, token: str) -> str:
    mac = hmac.digest(_key(ctx), _PURPOSE_FLOW + token.encode(), "sha256")
    return f"{token.partition('-')[0]}-{base64.urlsafe_b64encode(mac[:24]).decode()}"


def _password_of(ctx: ServiceContext, flow: str) -> str:
    return app_passwords.spelled(hmac.digest(_key(ctx), _PURPOSE_PASSWORD + flow.encode(), "sha256"))


def _hash_of(ctx: ServiceContext, flow: str) -> bytes:
    hashed = app_passwords.hash_of(_key(ctx), _password_of(ctx, flow))
    assert hashed is not None
    return hashed


def _key(ctx: ServiceContext) -> bytes:
    return get_or_create_secret(ctx, app_passwords.SETTING)
