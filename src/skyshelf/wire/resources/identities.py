"""Identities at login providers (OpenID Connect), and the providers themselves."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.limits import ISSUER_CHARS_MAX, PASSWORD_CHARS_MAX, PROVIDER_CHARS_MAX
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, RequestModel

ProviderId = Annotated[str, Meta(min_length=1, max_length=PROVIDER_CHARS_MAX, pattern=PLAIN_TEXT)]


class LoginProvider(AnswerModel, frozen=True, kw_only=True):
    """A provider that people may log in through; `label` is what its button says, where that is not its name."""

    id: str | None = None
    name: str | None = None
    label: str | None = None


class OwnIdentity(AnswerModel, frozen=True, kw_only=True):
    """One of the account's identities; without a name, the server no longer has the provider."""

    issuer: str | None = None
    provider_name: str | None = None
    email_id: str | None = None
    linked_date: int | None = None
    last_used_date: int | None = None


class OwnIdentities(AnswerModel, frozen=True, kw_only=True):
    """The account's identities, the providers that could be linked, and whether a password opens the account, too."""

    has_password: bool | None = None
    identities: list[OwnIdentity] | None = None
    providers: list[LoginProvider] | None = None


class LinkIdentityRequest(RequestModel, frozen=True, kw_only=True):
    """The provider, and the account's password; of an account without one it is not looked at."""

    provider: ProviderId
    password: Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]

    def __repr__(self) -> str:
        return f"LinkIdentityRequest(provider={self.provider!r}, password=<hidden>)"


class IdentityDeparture(AnswerModel, frozen=True, kw_only=True):
    """The provider's page, to which the browser has to go."""

    url: str | None = None


class UnlinkIdentityRequest(RequestModel, frozen=True, kw_only=True):
    """The issuer of the identity that is no longer to open the account."""

    issuer: Annotated[str, Meta(min_length=1, max_length=ISSUER_CHARS_MAX, pattern=PLAIN_TEXT)]
