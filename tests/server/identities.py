"""Identities at a login provider that nobody asks anything, for tests that begin where its answer was understood."""

from typing import Any

from tests.server.api import Api

from skyshelf.server.oidc.routes import TICKET
from skyshelf.service.context import ServiceContext
from skyshelf.service.identity.logins import Purpose, Ticket, new_random, seal
from skyshelf.service.oidc.relying_party import Parties
from skyshelf.service.oidc.settings import Provider
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import NewIdentity

COMPANY = Provider(id="company", name="Company", issuer="https://login.example.org", client_id="skyshelf")
OFFERED = Parties([COMPANY])


def a_ticket(ctx: ServiceContext, account: Account, purpose: Purpose = "login", **values: Any) -> str:
    """What a browser has when it comes back from the provider."""
    given: dict[str, Any] = {
        "provider": COMPANY.id,
        "purpose": purpose,
        "account_key": account.account_key if purpose == "link" else "",
        "issuer": COMPANY.issuer,
        "subject": f"subject of {account.account_key}",
        "sid": "",
        "email": account.email,
        "is_email_verified": True,
        "first_name": account.first_name,
        "last_name": account.last_name,
        "is_operator": None,
        "quota": None,
        "has_used_mfa": False,
        "made_at": ctx.clock.now(),
        "random": new_random(ctx),
    }
    return seal(ctx, Ticket(**{**given, **values}))


def linked(api: Api) -> Api:
    """The account, with an identity at the provider."""
    identity = NewIdentity(
        issuer=COMPANY.issuer, subject=f"subject of {api.account.account_key}", email=api.account.email
    )
    now = api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.identities.add(api.account.account_id, identity, now))
    return api


def not_linked(api: Api) -> Api:
    api.ctx.metadata.write(lambda unit: unit.identities.remove(api.account.account_id, COMPANY.issuer))
    return api


def with_ticket(ticket: str) -> dict[str, str]:
    """The header of a browser that has it."""
    return {"cookie": f"{TICKET}={ticket}"}


def issuer_of(api: Api) -> str:
    """Return the issuer of the account's only identity."""
    with api.ctx.metadata.read() as unit:
        (identity,) = unit.identities.of_account(api.account.account_id)
    return identity.issuer
