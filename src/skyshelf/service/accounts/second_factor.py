"""The second factor: setting up an authenticator, turning the factor on and off, and recovery codes."""

from typing import Final

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.own_account import accept_password, attempt, verify_password
from skyshelf.service.accounts.passkeys.confirmation import Confirmation, confirmed, given_passkey
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources import credentials as wire

_ISSUER: Final = "Skyshelf"


def status(ctx: ServiceContext, caller: Caller) -> wire.SecondFactorStatus:
    """Return whether logins require a code; never anything that would help to generate one."""
    with ctx.metadata.read() as unit:
        factor = unit.second_factors.of_account(caller.account_id)
    if factor is None or not factor.is_on:
        return wire.SecondFactorStatus(is_on=False)
    return wire.SecondFactorStatus(
        is_on=True, has_app=factor.has_app, on_since_date=factor.confirmed_at, recovery_codes_left=factor.codes_left
    )


def begin(
    ctx: ServiceContext, caller: Caller, request: wire.SecondFactorBeginRequest, address: str
) -> wire.SecondFactorSetup:
    """Create the authenticator's secret. Logins stay as they are until a code confirms it."""
    account, buckets = verify_password(ctx, caller, request.password, address)
    salt, now = ctx.randomness.bytes(login_codes.SALT_BYTES), ctx.clock.now()
    secret = ctx.generations(login_codes.SETTING)

    def work(unit: Unit) -> bool:
        accept_password(unit, account, buckets)
        return unit.second_factors.begin(caller.account_id, salt, now, generation=secret.current)

    if not ctx.metadata.write(work):
        raise ServiceError(codes.SECOND_FACTOR_ON)
    key = login_codes.authenticator_key(secret.value, account.account_key, salt)
    uri = login_codes.otpauth_uri(key, _ISSUER, account.email)
    return wire.SecondFactorSetup(secret=login_codes.in_base32(key), otpauth_uri=uri, qr_code=_qr_code(uri))


def _qr_code(text: str) -> list[str]:
    import segno  # imported here because it is rarely needed, and the server should start quickly

    drawn = segno.make(text, error="m", micro=False)
    return ["".join("1" if module else "0" for module in row) for row in drawn.matrix]


def confirm(
    ctx: ServiceContext, caller: Caller, request: wire.SecondFactorConfirmRequest, address: str
) -> wire.RecoveryCodes:
    """Turn it on with a code, which proves that the authenticator has the secret. No session ends."""
    now, secret = ctx.clock.now(), ctx.generations(login_codes.SETTING)
    account, buckets = attempt(ctx, caller, address)
    with ctx.metadata.read() as unit:
        factor = unit.second_factors.of_account(caller.account_id)
    if factor is None:
        raise ServiceError(codes.SECOND_FACTOR_OFF)
    if factor.is_on:
        raise ServiceError(codes.SECOND_FACTOR_ON)
    login_throttle.admit_code(ctx, buckets)
    begun_with = secret.values.get(factor.generation)
    if begun_with is None:
        # The secret was replaced for good in the meantime: set it up again.
        raise ServiceError(codes.SECOND_FACTOR_OFF)
    key = login_codes.authenticator_key(begun_with, account.account_key, factor.salt, factor.mask)
    step = login_codes.matching_step(key, login_codes.plain_code(request.code), now, after=factor.last_step)
    if step is None:
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.FACTOR_FAILED, caller, address=address))
        raise ServiceError(codes.CODE_WRONG)
    new, hashes, generation = _new_codes(ctx, account)

    def work(unit: Unit) -> None:
        if not unit.second_factors.confirm(caller.account_id, factor.salt, step, now):
            # Another call started over or confirmed it at the same moment.
            raise ServiceError(codes.CODE_WRONG)
        unit.second_factors.replace_codes(caller.account_id, hashes, generation=generation)
        login_throttle.code_succeeded(unit, buckets)

    recorded(ctx, work, new_event(ctx, kinds.FACTOR_ON, caller))
    return wire.RecoveryCodes(recovery_codes=new)


def turn_on_by_passkey(
    ctx: ServiceContext, caller: Caller, request: wire.SecondFactorPasskeyRequest, address: str, origin: str
) -> wire.RecoveryCodes:
    """Turn it on without an authenticator app: logins require a passkey after the password. No session ends."""
    account, buckets = verify_password(ctx, caller, request.password, address)
    with ctx.metadata.read() as unit:
        if login_codes.is_required(unit, caller.account_id):
            raise ServiceError(codes.SECOND_FACTOR_ON)
    given = given_passkey(ctx, caller, request.passkey, buckets, address=address, origin=origin, is_alone=False)
    new, hashes, generation = _new_codes(ctx, account)
    salt, now = ctx.randomness.bytes(login_codes.SALT_BYTES), ctx.clock.now()

    def work(unit: Unit) -> None:
        accept_password(unit, account, buckets)
        if not given.accept(unit):
            raise ServiceError(codes.PASSKEY_REFUSED)
        if not unit.second_factors.begin(caller.account_id, salt, now, generation=generation):
            raise ServiceError(codes.SECOND_FACTOR_ON)
        # Step 0: nobody knows the secret, so no code is ever right.
        unit.second_factors.confirm(caller.account_id, salt, 0, now)
        unit.second_factors.replace_codes(caller.account_id, hashes, generation=generation)

    recorded(ctx, work, new_event(ctx, kinds.FACTOR_ON, caller, by="passkey"))
    return wire.RecoveryCodes(recovery_codes=new)


def turn_off(
    ctx: ServiceContext, caller: Caller, request: wire.SecondFactorProofRequest, address: str, origin: str
) -> None:
    """Turn it off: the password alone is enough again. No session ends."""
    confirmation = _both_factors(ctx, caller, request, address, origin)
    event = new_event(ctx, kinds.FACTOR_OFF, caller)
    confirmation.change(lambda unit: unit.second_factors.remove(caller.account_id), event)


def renew_codes(
    ctx: ServiceContext, caller: Caller, request: wire.SecondFactorProofRequest, address: str, origin: str
) -> wire.RecoveryCodes:
    """Create new recovery codes; the old ones stop working."""
    confirmation = _both_factors(ctx, caller, request, address, origin)
    new, hashes, generation = _new_codes(ctx, confirmation.account)
    event = new_event(ctx, kinds.FACTOR_CODES, caller)
    confirmation.change(
        lambda unit: unit.second_factors.replace_codes(caller.account_id, hashes, generation=generation), event
    )
    return wire.RecoveryCodes(recovery_codes=new)


def _both_factors(
    ctx: ServiceContext, caller: Caller, request: wire.SecondFactorProofRequest, address: str, origin: str
) -> Confirmation:
    confirmation = confirmed(ctx, caller, request, address, origin)
    with ctx.metadata.read() as unit:
        if not login_codes.is_required(unit, caller.account_id):
            raise ServiceError(codes.SECOND_FACTOR_OFF)
    return confirmation


def _new_codes(ctx: ServiceContext, account: Account) -> tuple[list[str], list[bytes], int]:
    """Return new codes, what is stored of them, and the generation of the secret that hides them."""
    new, secret = login_codes.new_recovery_codes(ctx.randomness), ctx.generations(login_codes.SETTING)
    hashes = [login_codes.recovery_digest(secret.value, account.account_key, code) for code in new]
    return new, hashes, secret.current


def reset_second_factor(ctx: ServiceContext, account: Account) -> bool:
    """Turn it off, as an operator, for someone who lost phone and codes; false if it was off."""

    def work(unit: Unit) -> bool:
        was_on = login_codes.is_required(unit, account.account_id)
        unit.second_factors.remove(account.account_id)
        return was_on

    return recorded(ctx, work, new_event(ctx, kinds.FACTOR_RESET, account))
