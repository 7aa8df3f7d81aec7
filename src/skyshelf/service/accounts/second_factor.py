"""The second factor: setting up an authenticator, turning the factor on and off, and recovery codes."""

from typing import Final

from skyshelf.service.accounts import login_codes, login_throttle, recovery_codes, totp
from skyshelf.service.accounts.own_account import check_password_unchanged, verify_password
from skyshelf.service.accounts.passkeys.confirmation import Confirmation, confirmed, given_passkey
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.second_factor import (
    RecoveryCodes,
    SecondFactorBeginRequest,
    SecondFactorConfirmRequest,
    SecondFactorPasskeyRequest,
    SecondFactorProofRequest,
    SecondFactorSetup,
    SecondFactorStatus,
)

_ISSUER: Final = "Skyshelf"
_SALT_BYTES: Final = 16


def status(ctx: ServiceContext, caller: Caller) -> SecondFactorStatus:
    """Whether logins require a code; never anything that would help to generate one."""
    with ctx.metadata.read() as unit:
        factor = unit.second_factors.of_account(caller.account_id)
    if factor is None or not factor.is_on:
        return SecondFactorStatus(is_on=False)
    return SecondFactorStatus(
        is_on=True,
        has_app=factor.has_app,
        on_since_date=factor.confirmed_at,
        recovery_codes_left=factor.codes_left,
    )


def begin(ctx: ServiceContext, caller: Caller, request: SecondFactorBeginRequest, address: str) -> SecondFactorSetup:
    """Create the authenticator's secret. Logins stay as they are until a code confirms it."""
    account, buckets = verify_password(ctx, caller, request.password, address)
    salt, now = ctx.randomness.bytes(_SALT_BYTES), ctx.clock.now()
    secret = get_or_create_secret(ctx, login_codes.SETTING)

    def work(unit: Unit) -> bool:
        check_password_unchanged(unit, account)
        login_throttle.succeeded(unit, buckets)
        return unit.second_factors.begin(caller.account_id, salt, now)

    if not ctx.metadata.write(work):
        raise ServiceError(codes.SECOND_FACTOR_ON)
    key = login_codes.authenticator_key(secret, account.account_key, salt)
    uri = totp.otpauth_uri(key, _ISSUER, account.email)
    return SecondFactorSetup(secret=totp.in_base32(key), otpauth_uri=uri, qr_code=_qr_code(uri))


def _qr_code(text: str) -> list[str]:
    import segno  # here, because it is rarely needed and the server should start quickly

    drawn = segno.make(text, error="m", micro=False)
    return ["".join("1" if module else "0" for module in row) for row in drawn.matrix]


def confirm(ctx: ServiceContext, caller: Caller, request: SecondFactorConfirmRequest, address: str) -> RecoveryCodes:
    """Turn it on with a code that proves that the authenticator has the secret. No session ends."""
    now, secret = ctx.clock.now(), get_or_create_secret(ctx, login_codes.SETTING)
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
        factor = unit.second_factors.of_account(caller.account_id)
    if factor is None:
        raise ServiceError(codes.SECOND_FACTOR_OFF)
    if factor.is_on:
        raise ServiceError(codes.SECOND_FACTOR_ON)
    buckets = login_throttle.LoginBuckets(account.email, address, caller.device_key)
    login_throttle.admit_code(ctx, buckets)
    key = login_codes.authenticator_key(secret, account.account_key, factor.salt)
    step = totp.matching_step(key, recovery_codes.plain(request.code), now, after=factor.last_step)
    if step is None:
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.FACTOR_FAILED, caller, address=address))
        raise ServiceError(codes.CODE_WRONG)
    new, hashes = _new_codes(ctx, account)

    def work(unit: Unit) -> None:
        if not unit.second_factors.confirm(caller.account_id, factor.salt, step, now):
            # Another call started over or confirmed it at the same moment.
            raise ServiceError(codes.CODE_WRONG)
        unit.second_factors.replace_codes(caller.account_id, hashes)
        login_throttle.code_succeeded(unit, buckets)

    recorded(ctx, work, new_event(ctx, kinds.FACTOR_ON, caller))
    return RecoveryCodes(recovery_codes=new)


def turn_on_by_passkey(
    ctx: ServiceContext, caller: Caller, request: SecondFactorPasskeyRequest, address: str, origin: str
) -> RecoveryCodes:
    """Turn it on without an authenticator app: logins ask for a passkey after the password. No session ends."""
    account, buckets = verify_password(ctx, caller, request.password, address)
    with ctx.metadata.read() as unit:
        if login_codes.is_required(unit, caller.account_id):
            raise ServiceError(codes.SECOND_FACTOR_ON)
    given = given_passkey(ctx, caller, request.passkey, buckets, address=address, origin=origin, is_alone=False)
    new, hashes = _new_codes(ctx, account)
    salt, now = ctx.randomness.bytes(_SALT_BYTES), ctx.clock.now()

    def work(unit: Unit) -> None:
        check_password_unchanged(unit, account)
        if not given.accept(unit):
            raise ServiceError(codes.PASSKEY_REFUSED)
        if not unit.second_factors.begin(caller.account_id, salt, now):
            raise ServiceError(codes.SECOND_FACTOR_ON)
        # No step of time: nobody knows the secret, so no code is ever right.
        unit.second_factors.confirm(caller.account_id, salt, 0, now)
        unit.second_factors.replace_codes(caller.account_id, hashes)
        login_throttle.succeeded(unit, buckets)

    recorded(ctx, work, new_event(ctx, kinds.FACTOR_ON, caller, by="passkey"))
    return RecoveryCodes(recovery_codes=new)


def turn_off(ctx: ServiceContext, caller: Caller, request: SecondFactorProofRequest, address: str, origin: str) -> None:
    """Turn it off: the password alone is enough again. No session ends."""
    confirmation = _both_factors(ctx, caller, request, address, origin)
    confirmation.change(
        lambda unit: unit.second_factors.remove(caller.account_id), new_event(ctx, kinds.FACTOR_OFF, caller)
    )


def renew_codes(
    ctx: ServiceContext, caller: Caller, request: SecondFactorProofRequest, address: str, origin: str
) -> RecoveryCodes:
    """Create new recovery codes; the old ones stop working."""
    confirmation = _both_factors(ctx, caller, request, address, origin)
    new, hashes = _new_codes(ctx, confirmation.account)
    confirmation.change(
        lambda unit: unit.second_factors.replace_codes(caller.account_id, hashes),
        new_event(ctx, kinds.FACTOR_CODES, caller),
    )
    return RecoveryCodes(recovery_codes=new)


def _both_factors(
    ctx: ServiceContext, caller: Caller, request: SecondFactorProofRequest, address: str, origin: str
) -> Confirmation:
    confirmation = confirmed(ctx, caller, request, address, origin)
    with ctx.metadata.read() as unit:
        if not login_codes.is_required(unit, caller.account_id):
            raise ServiceError(codes.SECOND_FACTOR_OFF)
    return confirmation


def _new_codes(ctx: ServiceContext, account: Account) -> tuple[list[str], list[bytes]]:
    new, secret = recovery_codes.new_codes(ctx.randomness), get_or_create_secret(ctx, login_codes.SETTING)
    return new, [recovery_codes.digest(secret, account.account_key, code) for code in new]


def reset_second_factor(ctx: ServiceContext, account: Account) -> bool:
    """Turn it off for the operator, for someone who lost phone and codes; false where it was off."""

    def work(unit: Unit) -> bool:
        was_on = login_codes.is_required(unit, account.account_id)
        unit.second_factors.remove(account.account_id)
        return was_on

    return recorded(ctx, work, new_event(ctx, kinds.FACTOR_RESET, account))
