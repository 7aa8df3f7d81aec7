"""Confirmation: changes that could let somebody in, or keep the owner out, take what a login takes.

That is the password and, where the second factor is on, a code or a passkey as well; or a passkey alone, if it verifies
who uses it.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.own_account import check_password_unchanged, verify_password
from skyshelf.service.accounts.passkeys.assertions import Expected, GivenPasskey, verified
from skyshelf.service.accounts.passkeys.challenges import Terms
from skyshelf.service.accounts.passkeys.party import party_of
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.passkeys import ConfirmationRequest, PasskeyAssertion

T = TypeVar("T")
_NEEDED = "A code of the second factor, or a passkey, is needed as well"


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """What was given and is right so far; it is accepted once, together with the change."""

    ctx: ServiceContext
    caller: Caller
    account: Account
    buckets: login_throttle.LoginBuckets
    given: login_codes.GivenProof | None
    has_password: bool
    address: str

    def change(self, work: Callable[[Unit], T], *events: AuditEvent) -> T:
        """Accept it and run the change, with its events, in one transaction. A failure counts, and is recorded."""
        refusal = codes.CODE_WRONG if self.given is None else self.given.own_refusal or codes.CODE_WRONG

        def accepted(unit: Unit) -> T:
            if self.has_password:
                check_password_unchanged(unit, self.account)
            if self.given is not None:
                if not self.given.accept(unit):
                    raise _NotAccepted
            elif login_codes.is_required(unit, self.caller.account_id):
                # The second factor was turned on while the password was verified.
                raise _NotAccepted
            if self.has_password:
                login_throttle.succeeded(unit, self.buckets)
            return work(unit)

        try:
            return recorded(self.ctx, accepted, *events)
        except _NotAccepted:
            kind = kinds.PASSKEY_FAILED if isinstance(self.given, GivenPasskey) else kinds.FACTOR_FAILED
            event = new_event(self.ctx, kind, self.caller, address=self.address)
            login_throttle.failed(self.ctx, self.buckets, event)
            raise ServiceError(refusal) from None


class _NotAccepted(Exception):
    """What was given does not count, or counts no more."""


def confirmed(
    ctx: ServiceContext, caller: Caller, request: ConfirmationRequest, address: str, origin: str
) -> Confirmation:
    """Verify what was given; attempts are throttled like logins."""
    if request.password is None:
        with ctx.metadata.read() as unit:
            account = unit.accounts.by_id(caller.account_id)
        buckets = login_throttle.LoginBuckets(account.email, address, caller.device_key)
    else:
        account, buckets = verify_password(ctx, caller, request.password, address)
    has_password = request.password is not None
    given: login_codes.GivenProof | None = None
    if _has_second_factor(ctx, caller) or not has_password:
        if request.passkey is not None:
            given = given_passkey(
                ctx, caller, request.passkey, buckets, address=address, origin=origin, is_alone=not has_password
            )
        elif request.code is not None:
            given = login_codes.admit(ctx, account, request.code, buckets)
        else:
            raise ServiceError(codes.CODE_WRONG, _NEEDED)
    return Confirmation(
        ctx=ctx,
        caller=caller,
        account=account,
        buckets=buckets,
        given=given,
        has_password=has_password,
        address=address,
    )


def change_confirmed(
    ctx: ServiceContext,
    caller: Caller,
    given: ConfirmationRequest | None,
    work: Callable[[Unit], T],
    event: AuditEvent,
    *,
    address: str,
    origin: str,
) -> T:
    """Run a change that a session alone is not enough for."""
    if given is None:
        raise ServiceError(codes.CONFIRMATION_NEEDED)
    return confirmed(ctx, caller, given, address, origin).change(work, event)


def _has_second_factor(ctx: ServiceContext, caller: Caller) -> bool:
    with ctx.metadata.read() as unit:
        return login_codes.is_required(unit, caller.account_id)


def given_passkey(
    ctx: ServiceContext,
    caller: Caller,
    assertion: PasskeyAssertion,
    buckets: login_throttle.LoginBuckets,
    *,
    address: str,
    origin: str,
    is_alone: bool,
) -> GivenPasskey:
    """A passkey of the caller's own account that has signed a challenge of this session."""
    terms = confirmation_terms(caller, origin)
    login_throttle.admit_code(ctx, buckets)
    expected = Expected(terms=terms, account_id=caller.account_id, is_alone=is_alone)
    return verified(ctx, assertion, expected, buckets, address)


def confirmation_terms(caller: Caller, origin: str) -> Terms:
    """What such a challenge is for: changes in this session, and nothing else."""
    return Terms(party_of(origin), "confirmation", caller.session_hash.hex())
