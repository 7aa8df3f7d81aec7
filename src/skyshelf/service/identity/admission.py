"""Whether somebody may come in, and with which rights, as the operator's settings for the provider say."""

import msgspec

from skyshelf.service.oidc.errors import OidcError
from skyshelf.service.oidc.person import Person
from skyshelf.service.oidc.settings import Provider


class Refused(OidcError):
    """Somebody may not come in; `problem` is the name under which the page explains it."""

    def __init__(self, problem: str, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


class Verdict(msgspec.Struct, frozen=True):
    """Somebody may come in."""

    person: Person
    is_operator: bool | None
    """None where the provider does not decide that."""
    quota: int | None


def verdict_on(provider: Provider, person: Person, *, default_quota: int) -> Verdict:
    """Refused for somebody who is in no allowed group, or has no address in an allowed domain."""
    if provider.allowed_groups and person.groups.isdisjoint(provider.allowed_groups):
        raise Refused("group", "the person is in none of the allowed-groups")
    if provider.allowed_domains:
        if not person.is_email_verified:
            raise Refused("unverified", "the provider does not say that the person's address is verified")
        name, _, domain = person.email.rpartition("@")
        if not name or domain.casefold() not in provider.allowed_domains:
            raise Refused("domain", "the person's address is in none of the allowed-domains")
    is_operator = None
    if provider.admin_groups:
        is_operator = not person.groups.isdisjoint(provider.admin_groups)
    quota = None
    if provider.quotas:
        quota = max((size for group, size in provider.quotas.items() if group in person.groups), default=default_quota)
    return Verdict(person, is_operator, quota)
