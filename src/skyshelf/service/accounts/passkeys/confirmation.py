"""Confirmation: changes that could let somebody in, or lock the owner out, require what a login requires.

That is the password and, where the second factor is on, a code or a passkey as well; or a passkey alone, if it verifies
its user.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.own_account import accept_password, attempt, verify_password
from skyshelf.service.accounts.passkeys.assertions import PasskeyProof, verified
from skyshelf.service.accounts.passkeys.party import Terms, party_of
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.passkeys import ConfirmationRequest, PasskeyAssertion

T = TypeVar("T")
_NEEDED = "A code of the second factor, or a passkey, is needed as well"


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """A verified confirmation; it is accepted once, together with the change."""

    ctx: ServiceContext
    caller: Caller
    account: Account
    buckets: login_throttle.LoginBuckets
    given: login_codes.Proof | None
    has_password: bool
    address: str

    def change(self, work: Callable[[Unit], T], *events: AuditEvent) -> T:
        """Accept it and run the change, with its events, in one transaction. A failure counts and is recorded."""
        refusal = codes.CODE_WRONG if self.given is None else self.given.own_refusal or codes.CODE_WRONG

        def accepted(unit: Unit) -> T:
            if self.has_password:
                accept_password(unit, self.account, self.buckets)
            if self.given is not None:
                if not self.given.accept(unit):
                    raise _NotAccepted
            elif login_codes.is_required(unit, self.caller.account_id):
                # The second factor was turned on while the password was verified.
                raise _NotAccepted
            return work(unit)

        try:
            return recorded(self.ctx, accepted, *events)
        except _NotAccepted:
            kind = kinds.PASSKEY_FAILED if isinstance(self.given, PasskeyProof) else kinds.FACTOR_FAILED
            event = new_event(self.ctx, kind, self.caller, address=self.address)
            login_throttle.failed(self.ctx, self.buckets, event)
            raise ServiceError(refusal) from None


class _NotAccepted(Exception):
    """The code or passkey is wrong, or no longer valid."""


def confirmed(
    ctx: ServiceContext, caller: Caller, request: ConfirmationRequest, address: str, origin: str
) -> Confirmation:
    """Verify a confirmation; attempts are throttled like logins."""
    has_password = request.password is not None
    if request.password is None:
        account, buckets = attempt(ctx, caller, address)
    else:
        account, buckets = verify_password(ctx, caller, request.password, address)
    given: login_codes.Proof | None = None
    with ctx.metadata.read() as unit:
        has_second_factor = login_codes.is_required(unit, caller.account_id)
    if has_second_factor or not has_password:
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
    is_needed: bool = True,
) -> T:
    """Run a change, with a confirmation if a session alone is not enough for it."""
    if not is_needed:
        return recorded(ctx, work, event)
    if given is None:
        raise ServiceError(codes.CONFIRMATION_NEEDED)
    return confirmed(ctx, caller, given, address, origin).change(work, event)


def given_passkey(
    ctx: ServiceContext,
    caller: Caller,
    assertion: PasskeyAssertion,
    buckets: login_throttle.LoginBuckets,
    *,
    address: str,
    origin: str,
    is_alone: bool,
) -> PasskeyProof:
    """Verify a passkey of the caller's own account that signed a challenge of this session."""
    terms = confirmation_terms(caller, origin)
    login_throttle.admit_code(ctx, buckets)
    return verified(ctx, assertion, terms, buckets, address, account_id=caller.account_id, is_alone=is_alone)


def confirmation_terms(caller: Caller, origin: str) -> Terms:
    """Return the terms of a challenge that confirms changes in this session, and nothing else."""
    return Terms(party_of(origin), "confirmation", caller.session_hash.hex())
