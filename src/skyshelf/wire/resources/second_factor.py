"""The second factor of a login. No request or response shows its secrets in a log or a traceback."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.limits import LOGIN_CODE_CHARS_MAX, PASSWORD_CHARS_MAX
from skyshelf.wire.models import AnswerModel, RequestModel

LoginCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LOGIN_CODE_CHARS_MAX,
        description="six digits from the authenticator app, or a recovery code; spaces, hyphens and case are ignored",
    ),
]
_Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]


class SecondFactorStatus(AnswerModel, frozen=True, kw_only=True):
    """Whether the second factor is on; if so, since when and with how many recovery codes left."""

    is_on: bool | None = None
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


class SecondFactorProofRequest(RequestModel, frozen=True, kw_only=True):
    """Both factors: the password, and a code from the authenticator app or a recovery code."""

    password: _Password
    code: LoginCode

    def __repr__(self) -> str:
        return "SecondFactorProofRequest(<hidden>)"


class RecoveryCodes(AnswerModel, frozen=True, kw_only=True):
    """Codes to use if the authenticator is lost, each valid once; they are never shown again."""

    recovery_codes: list[str] | None = None

    def __repr__(self) -> str:
        return "RecoveryCodes(<hidden>)"
