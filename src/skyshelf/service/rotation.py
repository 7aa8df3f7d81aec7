"""Rotation: replacing the server's secrets (secret_table.py) without locking people out.

Every instance reads a secret when it needs it, so one commit replaces it for all. Where something stored depends on the
earlier value, that stays beside the new one until nothing does; with force, everything moves at once, in small
transactions that may be interrupted and repeated.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from skyshelf.service.accounts import login_codes
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.boards.invitations import link_token
from skyshelf.service.context import ServiceContext
from skyshelf.service.history import logs
from skyshelf.service.secret_table import (
    ALBUM_LINKS,
    APP_PASSWORDS,
    DELEGATIONS,
    SECOND_FACTOR,
    SHARE_LINKS,
    TABLE,
    Secret,
)
from skyshelf.service.secrets import token_hash
from skyshelf.service.sharing.links import token_with
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.secrets import Generations, OlderFactor
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")
_SECRET_BYTES: Final = 32
_STEP: Final = 200
_SETTLED_MS: Final = 60 * 60 * 1000
"""An earlier value stays for an hour: a request that has read it may not have stored what depends on it."""


class SecretState(msgspec.Struct, frozen=True):
    """A secret without its value."""

    secret: Secret
    since: int
    """When its value was made; 0 if that is not known, or there is none yet."""
    generation: int
    """0 for one that does not exist yet, or has no generations."""
    depending: int
    """How many accounts, apps and links depend on earlier values."""


def states(ctx: ServiceContext) -> list[SecretState]:
    """List all secrets, without their values."""
    found = []
    with ctx.metadata.snapshot() as unit:
        for one in TABLE:
            if one.setting:
                age = unit.secrets.age(one.setting)
                state = (age.begun_at, age.current, age.depending) if age is not None else (0, 0, 0)
            elif one.name == "history":
                key = unit.history_keys.current()
                state = (0, 0, 0) if key is None else (key.created_at, key.number, 0)
            else:
                state = (0, 0, 0)
            found.append(SecretState(one, *state))
    return found


def rotate(ctx: ServiceContext, secret: Secret, *, force: bool = False) -> Iterator[None]:
    """Replace a secret, in steps; the first one replaces it, and the others move what depends on its earlier values."""
    if secret.setting:
        _replace(ctx, secret, force=force)
        yield
        if force and secret.setting in _MOVERS:
            yield from _MOVERS[secret.setting](ctx)
        ctx.metadata.write(lambda unit: unit.secrets.forget_unneeded(ctx.clock.now() + 1 if force else _settled(ctx)))
    elif secret.name == "history":
        logs.rotate(ctx)
    else:
        event = new_event(ctx, kinds.SECRET_ROTATED, secret=secret.name)
        ctx.metadata.write(lambda unit: unit.audit.add([event]))
        yield from _ENDERS[secret.name](ctx)
    _log.info("an operator replaced the secret %s", secret.name)


def forget_unneeded(ctx: ServiceContext) -> None:
    """Destroy earlier values on which nothing depends any longer."""
    ctx.metadata.write(lambda unit: unit.secrets.forget_unneeded(_settled(ctx)))


def _settled(ctx: ServiceContext) -> int:
    return ctx.clock.now() - _SETTLED_MS


def _replace(ctx: ServiceContext, secret: Secret, *, force: bool) -> None:
    kept = ctx.secret(secret.setting)[: secret.kept_bytes]
    value, now = kept + ctx.randomness.bytes(_SECRET_BYTES - len(kept)), ctx.clock.now()
    event = new_event(ctx, kinds.SECRET_ROTATED, secret=secret.name, forced=int(force))

    def work(unit: Unit) -> None:
        unit.secrets.rotate(secret.setting, value, now)
        unit.audit.add([event])

    ctx.metadata.write(work)


# What moves to the new value


def _move_factors(ctx: ServiceContext) -> Iterator[None]:
    """Derive what authenticators know from the new value; recovery codes hide what they are, so older ones end."""
    secret = ctx.generations(SECOND_FACTOR)
    while True:
        with ctx.metadata.read() as unit:
            older = unit.secrets.factors_before(secret.current, _STEP)
        for one in older:
            _move_factor(ctx, secret, one)
            yield
        if not older:
            break
    ctx.metadata.write(lambda unit: unit.secrets.end_recovery_codes(secret.current))
    yield


def _move_factor(ctx: ServiceContext, secret: Generations, one: OlderFactor) -> None:
    key = login_codes.authenticator_key(secret.values[one.generation], one.account_key, one.salt, one.mask)
    salt = ctx.randomness.bytes(login_codes.SALT_BYTES)
    mask = login_codes.mask_of(key, secret.value, one.account_key, salt)
    ctx.metadata.write(
        lambda unit: unit.second_factors.move(one.account_id, one.salt, salt=salt, mask=mask, generation=secret.current)
    )


def _move_links(ctx: ServiceContext, table: str, setting: str, token: Callable[[bytes, str], str]) -> Iterator[None]:
    secret = ctx.generations(setting)

    def step(unit: Unit) -> int:
        older = unit.secrets.links_before(table, secret.current, _STEP)
        tokens = {key: token_hash(token(secret.value, key)) for key in older}
        unit.secrets.move_links(table, secret.current, tokens)
        return len(older)

    while ctx.metadata.write(step):
        yield


def _end_app_passwords(ctx: ServiceContext) -> Iterator[None]:
    current = ctx.generations(APP_PASSWORDS).current
    ctx.metadata.write(lambda unit: unit.secrets.end_app_passwords(current))
    yield


def _end_delegations(ctx: ServiceContext) -> Iterator[None]:
    current = ctx.generations(DELEGATIONS).current
    ctx.metadata.write(lambda unit: unit.secrets.end_delegations(current))
    yield


_MOVERS: Final[Mapping[str, Callable[[ServiceContext], Iterator[None]]]] = {
    SECOND_FACTOR: _move_factors,
    APP_PASSWORDS: _end_app_passwords,
    DELEGATIONS: _end_delegations,
    SHARE_LINKS: lambda ctx: _move_links(ctx, "shares", SHARE_LINKS, token_with),
    ALBUM_LINKS: lambda ctx: _move_links(ctx, "board_links", ALBUM_LINKS, link_token),
}


# Secrets that are many rows


def _end_sessions(ctx: ServiceContext) -> Iterator[None]:
    """Log everybody out, account by account; app passwords stay."""
    after = 0
    while True:
        with ctx.metadata.read() as unit:
            page = unit.accounts.list(after_id=after, limit=_STEP)
        for account in page:
            event = new_event(ctx, kinds.SESSIONS_ENDED, account, device="all")
            after = account.account_id
            _end_logins(ctx, account.account_id, event)
            yield
        if len(page) < _STEP:
            return


def _end_logins(ctx: ServiceContext, account_id: int, event: AuditEvent) -> None:
    def work(unit: Unit) -> None:
        if unit.sessions.end_logins(account_id):
            unit.audit.add([event])

    with suppress(AccountMissing):
        ctx.metadata.write(work)


def _end_password_links(ctx: ServiceContext) -> Iterator[None]:
    ctx.metadata.write(lambda unit: unit.secrets.end_password_links())
    yield


_ENDERS: Final[Mapping[str, Callable[[ServiceContext], Iterator[None]]]] = {
    "sessions": _end_sessions,
    "password-links": _end_password_links,
}
