"""The second factor of a login, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.second_factor import (
    RecoveryCodes,
    SecondFactorBeginRequest,
    SecondFactorConfirmRequest,
    SecondFactorProofRequest,
    SecondFactorSetup,
    SecondFactorStatus,
)

SECOND_FACTOR: Final = Endpoint(
    name="second_factor",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/account/second-factor",
    summary="Whether the second factor is on, since when, and how many recovery codes are left.",
    answers={200: json_answer(SecondFactorStatus)},
    origin=Origin.COMPLETIONS,
)
BEGIN_SECOND_FACTOR: Final = Endpoint(
    name="begin_second_factor",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/second-factor/begin",
    summary="Creates a secret for an authenticator app. The second factor stays off until it is confirmed; another"
    " call replaces the secret.",
    body=SecondFactorBeginRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(SecondFactorSetup)},
    errors=(errors.PASSWORD_WRONG, errors.SECOND_FACTOR_ON),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
CONFIRM_SECOND_FACTOR: Final = Endpoint(
    name="confirm_second_factor",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/second-factor/confirm",
    summary="Turns the second factor on with a code from the authenticator app, and returns the recovery codes once.",
    body=SecondFactorConfirmRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(RecoveryCodes)},
    errors=(errors.CODE_WRONG, errors.SECOND_FACTOR_ON, errors.SECOND_FACTOR_OFF),
    origin=Origin.COMPLETIONS,
)
TURN_OFF_SECOND_FACTOR: Final = Endpoint(
    name="turn_off_second_factor",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/second-factor/off",
    summary="Turns the second factor off with the password and a code, or with a passkey. No session ends.",
    body=SecondFactorProofRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    errors=(*errors.OF_CONFIRMATIONS, errors.SECOND_FACTOR_OFF),
    origin=Origin.COMPLETIONS,
)
RENEW_RECOVERY_CODES: Final = Endpoint(
    name="renew_recovery_codes",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/second-factor/codes",
    summary="Creates new recovery codes with the password and a code, or with a passkey; the old ones stop working.",
    body=SecondFactorProofRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(RecoveryCodes)},
    errors=(*errors.OF_CONFIRMATIONS, errors.SECOND_FACTOR_OFF),
    origin=Origin.COMPLETIONS,
)
