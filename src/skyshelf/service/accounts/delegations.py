"""Delegations: tokens that may do less than the session that made them, and can be narrowed without the server.

A delegation is a session of a device with its purpose as its name, so it is listed, ended and removed like any other.
The server keeps a digest of a token's seed, keyed with its own secret, and derives the key of the chain from both:
so neither the database alone nor a token alone is enough to make a wider one (wire/delegation_tokens.py).
"""

import hashlib
import hmac
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from skyshelf.service.accounts import sessions
from skyshelf.service.accounts.accounts import clean_label
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import projected
from skyshelf.service.secret_table import DELEGATIONS
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts import leave as stored
from skyshelf.storage.metadata.contracts.accounts import NewDevice
from skyshelf.storage.metadata.contracts.sessions import AppScope, DelegationSession, NewSession, Session
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import delegation_tokens as tokens
from skyshelf.wire.leave import ALL_KINDS, CallKind
from skyshelf.wire.limits import DELEGATION_DAYS_MAX
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources import delegations as wire

PLATFORM: Final = "Delegation"
UNLIMITED: Final = stored.Most()
_DAY: Final = 24 * 60 * 60 * 1000
_ROW, _CHAIN = b"row ", b"chain "
_LINK_BYTES: Final = 16
_NUMBERS: Final = ("reads", "read_bytes", "writes", "written_bytes", "deletions")


class Delegate(msgspec.Struct, frozen=True):
    """Who calls with a delegation."""

    caller: Caller
    """With the leave, and the delegation's folder as its root."""
    email: str
    purpose: str
    expires_at: int


class NewToken(NamedTuple):
    device_key: str
    token: str


def make(
    ctx: ServiceContext,
    owner: Caller,
    *,
    purpose: str,
    kinds_allowed: frozenset[CallKind],
    expires_at: int,
    terms: stored.Most = UNLIMITED,
    folder_key: str | None = None,
) -> NewToken:
    """Make a delegation of an account, and return its token, which cannot be shown again."""
    name, now = clean_label(purpose, "A purpose"), ctx.clock.now()
    if not now < expires_at <= now + DELEGATION_DAYS_MAX * _DAY:
        raise ServiceError(
            codes.INVALID_REQUEST, f"A delegation ends within {DELEGATION_DAYS_MAX} days: name a time before that"
        )
    secret, seed = ctx.generations(DELEGATIONS), ctx.randomness.bytes(tokens.SEED_BYTES)
    hashed, device_key = _digest(secret.value, _ROW, seed), ctx.new_uuid()
    new = stored.NewDelegation(
        maker=owner.device_key,
        purpose=name,
        kinds=" ".join(sorted(kinds_allowed)),
        folder_key=folder_key,
        **msgspec.structs.asdict(terms),
    )

    def work(unit: Unit) -> None:
        unit.locks.hold_account(owner.account_id)
        # Who ends every session holds the account: nothing is made by one of them after that.
        if owner.session_hash and unit.sessions.find(owner.session_hash, now) is None:
            raise ServiceError(codes.SESSION_INVALID)
        if folder_key is not None:
            unit.tree.visible_folder(owner.account_id, folder_key)
        device = NewDevice(device_key=device_key, device_name=name, platform_type=PLATFORM)
        unit.devices.register(owner.account_id, device, now)
        opened = NewSession(secret_hash=hashed, device_key=device_key, expires_at=expires_at)
        unit.sessions.open(owner.account_id, opened, now)
        unit.delegations.add(owner.account_id, hashed, new, generation=secret.current)

    recorded(ctx, work, new_event(ctx, kinds.DELEGATION_MADE, owner, purpose=name, device=device_key))
    return NewToken(device_key, tokens.first_token(seed, _digest(secret.value, _CHAIN, seed)).text)


def add(ctx: ServiceContext, caller: Caller, request: wire.NewDelegation) -> wire.MadeDelegation:
    """Make a delegation for a session. It needs no password: it can do nothing that the session could not, and ends."""
    made = make(
        ctx,
        caller,
        purpose=request.purpose,
        kinds_allowed=frozenset(request.kinds),
        expires_at=request.expires_date,
        terms=_most(request),
        folder_key=request.folder_key,
    )
    return wire.MadeDelegation(device_key=made.device_key, token=made.token)


def listed(ctx: ServiceContext, caller: Caller) -> wire.Delegations:
    """List the account's delegations, newest first."""
    with ctx.metadata.snapshot() as unit:
        found = unit.delegations.of_account(caller.account_id, ctx.clock.now())
        keys = [one.terms.folder_key for one in found if one.terms.folder_key is not None]
        folders = unit.tree.visible_many(caller.account_id, keys) if keys else {}
    return wire.Delegations(
        delegations=[
            projected(
                wire.Delegation,
                one.terms,
                device_key=one.device.device_key,
                purpose=one.device.device_name,
                kinds=[CallKind(kind) for kind in one.terms.kinds.split()],
                folder_name=folder.name if (folder := folders.get(one.terms.folder_key or "")) else None,
                calls_per_minute=one.terms.calls,
                used=_used(ctx, one),
                narrowed=one.narrowed,
                created_date=one.created_at,
                last_used_date=one.last_used_at if one.last_used_at > one.created_at else None,
                expires_date=one.expires_at,
            )
            for one in found
        ]
    )


def _used(ctx: ServiceContext, one: stored.StoredDelegation) -> wire.DelegationUse:
    """Return what is used up, without what this process has set aside."""
    spare, used = ctx.allowances.unused(one.secret_hash), one.used
    return projected(
        wire.DelegationUse, used, reads=used.reads - spare.reads, read_bytes=used.read_bytes - spare.read_bytes
    )


def end(ctx: ServiceContext, caller: Caller, device_key: str) -> None:
    """End a delegation with all tokens that were made from it, and forget its device."""
    now = ctx.clock.now()

    def work(unit: Unit) -> bool:
        mine = unit.delegations.of_account(caller.account_id, now)
        is_known = any(one.device.device_key == device_key for one in mine)
        return is_known and unit.devices.remove(caller.account_id, device_key)

    if not recorded(ctx, work, new_event(ctx, kinds.DELEGATION_ENDED, caller, device=device_key)):
        raise ServiceError(codes.DEVICE_NOT_FOUND, "No such delegation: it may have ended")


def own(ctx: ServiceContext, caller: Caller) -> wire.OwnDelegation:
    """Describe the calling delegation."""
    leave, now = caller.leave, ctx.clock.now()
    if leave is None or leave.delegation is None:
        raise ServiceError(codes.DEVICE_NOT_FOUND, "This session is no delegation: it may do everything")
    with ctx.metadata.read() as unit:
        left = unit.delegations.left(leave, minute_of(now))
        found = unit.delegations.find(leave.delegation, now)
    return wire.OwnDelegation(
        device_key=caller.device_key,
        purpose=None if found is None else found.terms.purpose,
        kinds=sorted(leave.kinds),
        folder_key=leave.folders[-1] if leave.folders else None,
        left=wire.DelegationUse(**{name: left[name] for name in _NUMBERS if name in left}),
        expires_date=leave.until,
    )


def by_token(ctx: ServiceContext, text: str) -> Delegate:
    """Return who calls with this token. Every fault of it gives the same error."""
    found = _verified(ctx, text)
    now, session = ctx.clock.now(), found.session
    if now - session.last_used_at >= sessions.TOUCHED_EVERY or session.last_used_at == session.created_at < now:
        # A store that cannot be written to right now can still serve reads.
        with suppress(StorageError):
            ctx.metadata.write(lambda unit: unit.sessions.touch(session.secret_hash, now))
    return found.delegate


def app_of(delegate: Delegate) -> App:
    """Return the app that a program is which sends a delegation's token as its password."""
    leave = delegate.caller.leave
    assert leave is not None
    can_write = CallKind.WRITE in leave.kinds
    scope = AppScope(folder_key=leave.folders[-1] if leave.folders else None, can_write=can_write)
    return App(delegate.caller, scope, 0, delegate.email)


class _Verification(NamedTuple):
    session: Session
    delegate: Delegate


def _verified(ctx: ServiceContext, text: str) -> _Verification:
    try:
        token = tokens.read_token(text)
        caveats = tokens.caveats_of(token)
    except InvalidRequest:
        raise ServiceError(codes.DELEGATION_ENDED) from None
    now = ctx.clock.now()
    found, key = _find(ctx, token.seed, now)
    chain = token.signatures(key)
    until = min([found.session.expires_at, *(one.expires_date for one in caveats if one.expires_date is not None)])
    if not hmac.compare_digest(chain[-1], token.signature) or until <= now:
        raise ServiceError(codes.DELEGATION_ENDED)
    delegate = _delegate(found, caveats, chain, until)
    folders = delegate.caller.leave.folders if delegate.caller.leave else ()
    if len(folders) > 1:
        # A token can be narrowed to any folder, but sees only what is in all of them.
        with ctx.metadata.read() as unit:
            if unit.delegations.outside(delegate.caller.account_id, folders, [folders[-1]]):
                raise ServiceError(codes.DELEGATION_ENDED)
    return _Verification(found.session, delegate)


def _find(ctx: ServiceContext, seed: bytes, now: int) -> tuple[DelegationSession, bytes]:
    """Return the delegation of a seed, and the key of its chain."""
    with ctx.metadata.read() as unit:
        secret = unit.secrets.get(DELEGATIONS)
        for number, value in (secret.values if secret is not None else {}).items():
            found = unit.delegations.find(_digest(value, _ROW, seed), now)
            if found is not None and found.generation == number:
                return found, _digest(value, _CHAIN, seed)
    raise ServiceError(codes.DELEGATION_ENDED)


def _delegate(found: DelegationSession, caveats: list[wire.Caveat], chain: list[bytes], until: int) -> Delegate:
    terms, session = found.terms, found.session
    allowed, links = frozenset(map(CallKind, terms.kinds.split())), [stored.Link(stored.ROOT_LINK, terms.most)]
    folders = [terms.folder_key] if terms.folder_key is not None else []
    for caveat, signature in zip(caveats, chain[1:], strict=True):
        allowed &= ALL_KINDS if caveat.kinds is None else frozenset(caveat.kinds)
        if caveat.folder_key is not None:
            folders.append(caveat.folder_key.upper())
        most = _most(caveat)
        if most != UNLIMITED:
            # The signature opens the door, so its digest stands for it.
            links.append(stored.Link(hashlib.sha256(signature).digest()[:_LINK_BYTES], most))
    leave = stored.Leave(
        kinds=allowed,
        folders=tuple(dict.fromkeys(folders)),
        delegation=session.secret_hash,
        links=tuple(links),
        maker=terms.maker,
        until=until,
    )
    caller = sessions.caller_of(session)
    # A folder that is named again after one in it gives nothing back.
    root_key = leave.folders[-1] if leave.folders else caller.root_key
    caller = msgspec.structs.replace(caller, leave=leave, root_key=root_key)
    return Delegate(caller, found.email, terms.purpose, until)


def _most(given: wire.Caveat | wire.NewDelegation) -> stored.Most:
    return stored.Most(calls=given.calls_per_minute, **{name: getattr(given, name) for name in _NUMBERS})


def minute_of(now: int) -> int:
    """Return the minute that calls are counted in."""
    return now // 60_000


def _digest(secret: bytes, purpose: bytes, seed: bytes) -> bytes:
    return hmac.digest(secret, purpose + seed, hashlib.sha256)
