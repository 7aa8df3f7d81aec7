"""The second factor of a login. No request and no answer shows its secrets in a log or a traceback."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.limits import LOGIN_CODE_CHARS_MAX, PASSWORD_CHARS_MAX
from skyshelf.wire.models import AnswerModel, RequestModel

LoginCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LOGIN_CODE_CHARS_MAX,
        description="six digits of the authenticator, or a recovery code; blanks, hyphens and case do not count",
    ),
]
_Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]


class SecondFactorStatus(AnswerModel, frozen=True, kw_only=True):
    """Whether a login asks for a code too; the date and the number are there while it does."""

    is_on: bool | None = None
    on_since_date: int | None = None
    recovery_codes_left: int | None = None


class SecondFactorBeginRequest(RequestModel, frozen=True, kw_only=True):
    """The password, so that nobody who finds an open session can lock the owner out."""

    password: _Password

    def __repr__(self) -> str:
        return "SecondFactorBeginRequest(<hidden>)"


class SecondFactorSetup(AnswerModel, frozen=True, kw_only=True):
    """What an authenticator needs; nothing is on before a code of it was sent.

    `secret` is in base32, to be typed; `otpauthUri` says the same to an application; `qrCode` is that address as rows
    of `1` (dark) and `0` (light), without the quiet zone around them.
    """

    secret: str | None = None
    otpauth_uri: str | None = None
    qr_code: list[str] | None = None

    def __repr__(self) -> str:
        return "SecondFactorSetup(<hidden>)"


class SecondFactorConfirmRequest(RequestModel, frozen=True, kw_only=True):
    """A first code of the authenticator."""

    code: LoginCode

    def __repr__(self) -> str:
        return "SecondFactorConfirmRequest(<hidden>)"


class SecondFactorProofRequest(RequestModel, frozen=True, kw_only=True):
    """Both factors: the password, and a code of the authenticator or a recovery code."""

    password: _Password
    code: LoginCode

    def __repr__(self) -> str:
        return "SecondFactorProofRequest(<hidden>)"


class RecoveryCodes(AnswerModel, frozen=True, kw_only=True):
    """Codes for the day on which the authenticator is lost, each good for once; nobody is told them again."""

    recovery_codes: list[str] | None = None

    def __repr__(self) -> str:
        return "RecoveryCodes(<hidden>)"
