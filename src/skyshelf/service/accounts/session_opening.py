"""Opening a session for somebody who has shown who they are: with a password, a passkey, or through a provider."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Final
from uuid import UUID

import msgspec

from skyshelf.service.accounts import download_nonces
from skyshelf.service.accounts.session_tokens import SECRET_BYTES, hash_of_secret, make_refresh_token, make_token
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.session import DeviceLoginRequest, LoginAnswer

_DAY: Final = 24 * 60 * 60 * 1000
_DEVICE_NAME: Final = "Browser"
_PLATFORM: Final = "Web"


def device_of(ctx: ServiceContext, request: DeviceLoginRequest) -> NewDevice:
    """The device that a login names, or a new one."""
    return NewDevice(
        device_key=str(UUID(request.device_key)) if request.device_key else _new_device_key(ctx),
        device_name=request.device_name or _DEVICE_NAME,
        platform_type=request.platform_type or _PLATFORM,
    )


def _new_device_key(ctx: ServiceContext) -> str:
    return str(UUID(bytes=ctx.randomness.bytes(16), version=4))


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A session that is about to be opened."""

    account: Account
    device: NewDevice
    accept: Callable[[Unit, Account], None]
    """Checks, in the transaction of the session, all that it needs; it gets the account as it is then."""
    by: str = ""
    """What opens it, where that is no password."""
    opened: Callable[[Unit, bytes], None] | None = None
    """Adds what belongs to the session with this digest."""
    must_last: bool = False
    """Whether it must not be opened in read-only mode, where it may be lost."""


def open_session(ctx: ServiceContext, opening: Opening, address: str) -> LoginAnswer:
    """Open a session of a device, which ends the one that it had."""
    account, device = opening.account, opening.device
    now, identity, secret = ctx.clock.now(), ctx.new_key(), ctx.randomness.bytes(SECRET_BYTES)
    proposed_key = ctx.randomness.bytes(32)
    session_hash = hash_of_secret(secret)
    session = NewSession(secret_hash=session_hash, device_key=device.device_key, expires_at=expiry(ctx, now))
    event = new_event(
        ctx,
        kinds.LOGIN,
        account,
        address=address,
        device_key=device.device_key,
        device=device.device_name,
        by=opening.by or None,
    )

    def work(unit: Unit) -> bytes:
        opening.accept(unit, unit.accounts.by_id(account.account_id))
        unit.devices.register(account.account_id, device, now)
        unit.sessions.open(account.account_id, session, now)
        if opening.opened is not None:
            opening.opened(unit, session_hash)
        return download_nonces.signing_key(unit, proposed_key)

    # A login works in read-only mode, although its session may be lost.
    with nullcontext() if opening.must_last else even_while_read_only():
        key = recorded(ctx, work, event)
    return LoginAnswer(
        user_id=account.account_key,
        device_key=device.device_key,
        root_folder_key=account.root_key,
        auth_token=make_token(identity, secret),
        jwt=download_nonces.make_jwt(key, account.account_key, session_hash, now),
        refresh_token=make_refresh_token(identity, secret),
        expires_in=lifetime(ctx) // 1000,
    )


def expiry(ctx: ServiceContext, now: int) -> int:
    """When a session that is used now ends."""
    return now + lifetime(ctx)


def lifetime(ctx: ServiceContext) -> int:
    """Milliseconds that a session lasts after its last use."""
    return ctx.rules.session_days * _DAY
