"""Logging in with a passkey: alone, instead of address, password and code, or after the password."""

from typing import Final

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.passkeys.assertions import Expected, challenge_for, verified
from skyshelf.service.accounts.passkeys.challenges import Terms
from skyshelf.service.accounts.passkeys.party import party_of
from skyshelf.service.accounts.session_opening import Opening, device_of, open_session
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.passkeys import PasskeyChallenge
from skyshelf.wire.resources.session import LoginAnswer, PasskeyLoginRequest

_BY: Final = "passkey"


def begin(ctx: ServiceContext, origin: str) -> PasskeyChallenge:
    """A challenge for anybody's passkey; nothing is stored."""
    return challenge_for(ctx, _terms(origin), None, is_alone=True)


def login(ctx: ServiceContext, request: PasskeyLoginRequest, address: str, origin: str) -> LoginAnswer:
    """Open a session for the account whose passkey has signed. It counts as both factors."""
    terms = _terms(origin)
    buckets = login_throttle.PasskeyBuckets(request.passkey.id, address)
    login_throttle.admit(ctx, buckets)
    given = verified(ctx, request.passkey, Expected(terms=terms, is_alone=True), buckets, address)
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(given.passkey.account_id)

    def accept(unit: Unit, current: Account) -> None:
        if current.status != ACTIVE or not given.accept(unit):
            raise ServiceError(codes.PASSKEY_REFUSED)
        login_throttle.succeeded(unit, buckets)

    try:
        opening = Opening(account=account, device=device_of(ctx, request), accept=accept, by=_BY)
        return open_session(ctx, opening, address)
    except ServiceError as error:
        if error.error is codes.PASSKEY_REFUSED:
            event = new_event(ctx, kinds.PASSKEY_FAILED, account, address=address, device_key="")
            login_throttle.failed(ctx, buckets, event)
        raise


def _terms(origin: str) -> Terms:
    return Terms(party_of(origin), "login")
