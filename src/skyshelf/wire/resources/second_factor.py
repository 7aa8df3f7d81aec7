"""The second factor of a login. No request or response shows its secrets in a log or a traceback."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.limits import PASSWORD_CHARS_MAX
from skyshelf.wire.models import AnswerModel, LoginCode, RequestModel
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.passkeys import ConfirmationRequest, PasskeyAssertion

_Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]


class SecondFactorStatus(AnswerModel, frozen=True, kw_only=True):
    """Whether the second factor is on; if so, since when, with how many recovery codes left, and whether an
    authenticator app gives codes for it: without one, logins ask for a passkey."""

    is_on: bool | None = None
    has_app: bool | None = None
    on_since_date: int | None = None
    recovery_codes_left: int | None = None


class SecondFactorBeginRequest(RequestModel, frozen=True, kw_only=True):
    """The password: an open session alone cannot lock the owner out."""

    password: _Password

    def __repr__(self) -> str:
        return "SecondFactorBeginRequest(<hidden>)"


class SecondFactorSetup(AnswerModel, frozen=True, kw_only=True):
    """The secret for an authenticator app; the second factor is off until a code from the app is confirmed.

    `secret` is base32, to be typed in; `otpauthUri` contains the same for apps; `qrCode` is that URI as rows of `1`
    (dark) and `0` (light), without a quiet zone.
    """

    secret: str | None = None
    otpauth_uri: str | None = None
    qr_code: list[str] | None = None

    def __repr__(self) -> str:
        return "SecondFactorSetup(<hidden>)"


class SecondFactorConfirmRequest(RequestModel, frozen=True, kw_only=True):
    """The first code from the authenticator app."""

    code: LoginCode

    def __repr__(self) -> str:
        return "SecondFactorConfirmRequest(<hidden>)"


class SecondFactorPasskeyRequest(RequestModel, frozen=True, kw_only=True):
    """The password, and a passkey to be asked for from now on."""

    password: _Password
    passkey: PasskeyAssertion

    def __repr__(self) -> str:
        return "SecondFactorPasskeyRequest(<hidden>)"


class SecondFactorProofRequest(ConfirmationRequest, frozen=True, kw_only=True):
    """Both factors: the password, and a code from the authenticator app, a recovery code or a passkey. A passkey that
    verifies who uses it is enough alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.code is None and self.passkey is None:
            raise InvalidRequest("code is missing, and there is no passkey instead")


class RecoveryCodes(AnswerModel, frozen=True, kw_only=True):
    """Codes to use if the authenticator is lost, each valid once; they are never shown again."""

    recovery_codes: list[str] | None = None

    def __repr__(self) -> str:
        return "RecoveryCodes(<hidden>)"
