"""Passkeys, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.passkeys import (
    ConfirmationRequest,
    NewPasskeyRequest,
    Passkey,
    PasskeyChallenge,
    PasskeyCreation,
    PasskeyNameRequest,
    Passkeys,
)
from skyshelf.wire.resources.second_factor import RecoveryCodes, SecondFactorPasskeyRequest
from skyshelf.wire.resources.session import LoginAnswer, LoginHeaders, PasskeyLoginRequest

BEGIN_PASSKEY_LOGIN: Final = Endpoint(
    name="begin_passkey_login",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/login/passkey/begin",
    summary="A challenge for a login with any passkey of this host. Nothing is stored.",
    answers={200: json_answer(PasskeyChallenge)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.PASSKEYS_NEED_HTTPS,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
PASSKEY_LOGIN: Final = Endpoint(
    name="passkey_login",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/login/passkey",
    summary="Logs in with a passkey, without a password. It counts as both factors.",
    headers=LoginHeaders,
    body=PasskeyLoginRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(LoginAnswer)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(
        errors.PASSKEYS_NEED_HTTPS,
        errors.PASSKEY_REFUSED,
        errors.PASSKEY_UNVERIFIED,
        errors.PASSKEY_COUNTER,
    ),
    origin=Origin.COMPLETIONS,
)
PASSKEYS: Final = Endpoint(
    name="passkeys",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/account/passkeys",
    summary="The account's passkeys: their names, what each can do, and when it was last used.",
    answers={200: json_answer(Passkeys)},
    origin=Origin.COMPLETIONS,
)
BEGIN_PASSKEY: Final = Endpoint(
    name="begin_passkey",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/passkeys/begin",
    summary="What a browser needs to create a passkey. It takes what a login takes.",
    body=ConfirmationRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(PasskeyCreation)},
    errors=(*errors.OF_CONFIRMATIONS, errors.ACCOUNT_LIMIT),
    origin=Origin.COMPLETIONS,
)
ADD_PASSKEY: Final = Endpoint(
    name="add_passkey",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/passkeys",
    summary="Adds the passkey that a browser has created, in the session that has begun it.",
    body=NewPasskeyRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(Passkey)},
    errors=(errors.PASSKEY_REFUSED, errors.PASSKEY_KNOWN, errors.PASSKEYS_NEED_HTTPS, errors.ACCOUNT_LIMIT),
    needs_space=True,
    origin=Origin.COMPLETIONS,
)
PASSKEY_CHALLENGE: Final = Endpoint(
    name="passkey_challenge",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/passkeys/challenge",
    summary="A challenge for one of the account's passkeys, to confirm a change in this session. Nothing is stored.",
    answers={200: json_answer(PasskeyChallenge)},
    errors=(errors.PASSKEYS_NEED_HTTPS, errors.PASSKEY_NOT_FOUND),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
RENAME_PASSKEY: Final = Endpoint(
    name="rename_passkey",
    host=Host.ACCOUNT,
    method="PUT",
    path="/x/v1/account/passkeys/{passkey_key}",
    summary="Names a passkey.",
    body=PasskeyNameRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    errors=(errors.PASSKEY_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_PASSKEY: Final = Endpoint(
    name="remove_passkey",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/passkeys/{passkey_key}/removal",
    summary="Removes a passkey. It takes what a login takes, and no session ends.",
    body=ConfirmationRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    errors=(*errors.OF_CONFIRMATIONS, errors.PASSKEY_NOT_FOUND, errors.PASSKEY_NEEDED, errors.LAST_WAY_IN),
    origin=Origin.COMPLETIONS,
)
SECOND_FACTOR_BY_PASSKEY: Final = Endpoint(
    name="second_factor_by_passkey",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/second-factor/passkey",
    summary="Turns the second factor on with a passkey instead of an authenticator app, and returns the recovery codes"
    " once.",
    body=SecondFactorPasskeyRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(RecoveryCodes)},
    errors=(
        errors.PASSWORD_WRONG,
        errors.PASSKEY_REFUSED,
        errors.PASSKEY_COUNTER,
        errors.PASSKEYS_NEED_HTTPS,
        errors.SECOND_FACTOR_ON,
    ),
    origin=Origin.COMPLETIONS,
)
