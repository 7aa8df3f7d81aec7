"""Logins through providers, and identities of an account there; an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.identities import (
    IdentityDeparture,
    LinkIdentityRequest,
    OwnIdentities,
    UnlinkIdentityRequest,
)
from skyshelf.wire.resources.passkeys import SecondFactorMissing
from skyshelf.wire.resources.session import LoginAnswer, LoginHeaders, ProviderLoginRequest

LOGIN_BY_PROVIDER: Final = Endpoint(
    name="login_by_provider",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/login/provider",
    summary="Ends a login through a provider: opens the session, as a cookie, of the person that the provider named.",
    headers=LoginHeaders,
    body=ProviderLoginRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(LoginAnswer)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(
        errors.PROVIDER_LOGIN_ENDED,
        errors.PROVIDER_NOT_FOUND,
        errors.ACCOUNT_NOT_LINKED,
        errors.EMAIL_UNVERIFIED,
        errors.EMAIL_NOT_LINKED,
        errors.IDENTITY_TAKEN,
        errors.ACCOUNT_DISABLED,
        errors.SECOND_FACTOR_REQUIRED,
        errors.LOGIN_CODE_REFUSED,
        errors.PASSKEY_REFUSED,
        errors.PASSKEY_COUNTER,
        errors.PASSKEYS_NEED_HTTPS,
    ),
    error_bodies={401: SecondFactorMissing},
    origin=Origin.COMPLETIONS,
)
IDENTITIES: Final = Endpoint(
    name="identities",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/identities",
    summary="The account's identities at login providers, and the providers that could be linked.",
    answers={200: json_answer(OwnIdentities)},
    origin=Origin.COMPLETIONS,
)
BEGIN_LINK: Final = Endpoint(
    name="begin_link",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/identities/begin",
    summary="Begins to link an identity, with the account's password: the page of the provider to go to.",
    body=LinkIdentityRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(IdentityDeparture)},
    errors=(
        errors.PASSWORD_WRONG,
        errors.LOGIN_TOO_OLD,
        errors.PROVIDER_NOT_FOUND,
        errors.PROVIDER_UNAVAILABLE,
    ),
    origin=Origin.COMPLETIONS,
)
FINISH_LINK: Final = Endpoint(
    name="finish_link",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/identities",
    summary="Links the identity that the provider has named to the account that began it.",
    answers={200: json_answer(OwnIdentities)},
    errors=(errors.PROVIDER_LOGIN_ENDED, errors.IDENTITY_TAKEN),
    needs_space=True,
    origin=Origin.COMPLETIONS,
)
UNLINK_IDENTITY: Final = Endpoint(
    name="unlink_identity",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/identities/unlink",
    summary="Unlinks an identity; not the last way into the account. No session ends.",
    body=UnlinkIdentityRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(OwnIdentities)},
    errors=(errors.IDENTITY_NOT_FOUND, errors.LAST_WAY_IN),
    origin=Origin.COMPLETIONS,
)
