"""One-time links: the first account of a new server, an invitation, a new password.

A link holds a random token behind `#`, which browsers do not send, so no log contains it. Only the token's digest is
stored. Each instance that starts without accounts prints a link to the first one; any instance accepts it.
"""

from typing import Final

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.accounts import add_first_account, clean_person_name, has_accounts
from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.oidc.relying_party import wire_provider
from skyshelf.service.secrets import to_base64url, token_hash
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.credentials import Welcome, WelcomeAnswer, WelcomeHeaders, WelcomeRequest

PATH: Final = "/drive/welcome"
LIFETIME_MS: Final = 7 * 24 * 60 * 60 * 1000
_TOKEN_BYTES: Final = 24
_FIRST: Final = "first-account.links"
"""Digests of the tokens that open the first account, with the times at which they were made."""
_FIRST_KEPT: Final = 100


class NewLink(msgspec.Struct, frozen=True):
    """A link that was just created: its token exists only here."""

    token: str
    expires_at: int

    def url(self, origin: str) -> str:
        return link_url(origin, self.token)


def link_url(origin: str, token: str) -> str:
    """Return the URL of the page that uses the token."""
    return f"{origin}{PATH}#{token}"


def create_link(ctx: ServiceContext, account: Account) -> NewLink:
    """Create a link that sets the account's password. An earlier link stops working; the password does not."""
    now = ctx.clock.now()
    token = to_base64url(ctx.randomness.bytes(_TOKEN_BYTES))
    link = NewLink(token, now + LIFETIME_MS)
    event = new_event(ctx, kinds.PASSWORD_LINK, account)
    recorded(
        ctx, lambda unit: unit.password_links.put(account.account_id, token_hash(token), now, link.expires_at), event
    )
    return link


def create_first_link(ctx: ServiceContext) -> str:
    """Create a link that opens the first account; return its token. Earlier ones stay valid for a week."""
    token = to_base64url(ctx.randomness.bytes(_TOKEN_BYTES))
    keep_first(ctx, token)
    return token


def keep_first(ctx: ServiceContext, token: str) -> None:
    """Have a token open the first account."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        known = unit.settings.load(_FIRST, dict[str, int]) or {}
        newest = sorted(known.items(), key=lambda one: one[1])[1 - _FIRST_KEPT :]
        unit.settings.store(_FIRST, {**dict(newest), token_hash(token).hex(): now})

    ctx.metadata.write(work)


# For people with a link


def welcome(ctx: ServiceContext, headers: WelcomeHeaders) -> Welcome:
    """Describe what the link does; without a token, only whether the server is new."""
    is_new = not has_accounts(ctx)
    if headers.token is None:
        return Welcome(
            is_new_server=is_new,
            can_mail_password=ctx.mail is not None,
            providers=[wire_provider(party.provider) for party in ctx.providers.values()],
        )
    if is_new and _is_first(ctx, headers.token):
        return Welcome(is_new_server=True, kind="first-account")
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        account_id = unit.password_links.find(token_hash(headers.token), now)
        found = unit.operators.accounts(now, limit=1, account_id=account_id) if account_id else []
    if not found:
        raise ServiceError(codes.LINK_USED)
    account = found[0].account
    return Welcome(
        is_new_server=False,
        kind="new-password" if account.password_hash else "invitation",
        email_id=account.email,
        first_name=account.first_name,
        last_name=account.last_name,
        expires_date=found[0].link_expires_at,
    )


def check_link(ctx: ServiceContext, request: WelcomeRequest) -> None:
    """ServiceError if the link would be refused with any password."""
    welcome(ctx, WelcomeHeaders(token=request.token))


def use_link(ctx: ServiceContext, request: WelcomeRequest, address: str) -> WelcomeAnswer:
    """Create the first account as an operator, or set the account's password and end its sessions."""
    if _is_first(ctx, request.token) and not has_accounts(ctx):
        return _use_first(ctx, request)
    check_new_password(request.password)
    first = None if request.first_name is None else clean_person_name(request.first_name, "first")
    last = None if request.last_name is None else clean_person_name(request.last_name, "last")
    hashed, now = hash_password(request.password), ctx.clock.now()
    event = new_event(ctx, kinds.PASSWORD_SET, address=address)

    def work(unit: Unit) -> Account:
        account_id = unit.password_links.use(token_hash(request.token), now)
        if account_id is None:
            raise ServiceError(codes.LINK_USED)
        account = unit.accounts.by_id(account_id)
        unit.accounts.set_password(account_id, hashed, now)
        unit.accounts.set_names(
            account_id, first_name=first or account.first_name, last_name=last or account.last_name, now=now
        )
        unit.sessions.revoke_all(account_id)
        unit.audit.add([msgspec.structs.replace(event, account_id=account_id)])
        login_throttle.succeeded(unit, login_throttle.LoginBuckets(account.email, address, None))
        return account

    return WelcomeAnswer(email_id=ctx.metadata.write(work).email)


def _use_first(ctx: ServiceContext, request: WelcomeRequest) -> WelcomeAnswer:
    account = add_first_account(
        ctx, request.email_id or "", request.first_name or "", request.last_name or "", request.password
    )
    if account is None:
        raise ServiceError(codes.LINK_USED)
    ctx.metadata.write(lambda unit: unit.settings.delete(_FIRST))
    return WelcomeAnswer(email_id=account.email)


def _is_first(ctx: ServiceContext, token: str) -> bool:
    with ctx.metadata.read() as unit:
        known = unit.settings.load(_FIRST, dict[str, int]) or {}
    made = known.get(token_hash(token).hex())
    return made is not None and ctx.clock.now() < made + LIFETIME_MS
