"""Login. Neither request nor response shows its secrets in a log or a traceback."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from skyshelf.wire.limits import EMAIL_CHARS_MAX, PASSWORD_CHARS_MAX
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, HeaderModel, Label, LoginCode, RequestModel
from skyshelf.wire.resources.passkeys import PasskeyAssertion

DeviceKey = Annotated[
    str,
    Meta(
        min_length=36,
        max_length=36,
        pattern="^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
        description="a UUID",
    ),
]


class DeviceLoginRequest(RequestModel, frozen=True, kw_only=True):
    """The device that logs in; naming a registered one ends its previous session."""

    device_name: Label | None = None
    platform_type: Label | None = None
    device_key: DeviceKey | None = None
    in_cookie: Annotated[
        bool | None,
        Meta(description="for browsers: return the token as an HttpOnly cookie, not in the body"),
    ] = None


class LoginRequest(DeviceLoginRequest, frozen=True, kw_only=True):
    """The login; naming a registered device ends its previous session.

    Where the second factor is on, `code` is needed, or `passkey`: the answer to the challenge in the error body.
    """

    email_id: Annotated[str, Meta(min_length=1, max_length=EMAIL_CHARS_MAX, pattern=PLAIN_TEXT)]
    password: Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]
    code: LoginCode | None = None
    passkey: PasskeyAssertion | None = None

    def __repr__(self) -> str:
        return f"LoginRequest(email_id={self.email_id!r}, password=<hidden>)"


class ProviderLoginRequest(DeviceLoginRequest, frozen=True, kw_only=True):
    """The last step of a login through a provider; who it is, is in the cookie that the provider's answer was
    exchanged for. The token is always in a cookie."""

    code: LoginCode | None = None
    passkey: PasskeyAssertion | None = None

    def __repr__(self) -> str:
        return "ProviderLoginRequest(<hidden>)"


class PasskeyLoginRequest(DeviceLoginRequest, frozen=True, kw_only=True):
    """A login with a passkey that verifies who uses it, instead of email address, password and code."""

    passkey: PasskeyAssertion

    def __repr__(self) -> str:
        return "PasskeyLoginRequest(<hidden>)"


class LoginHeaders(HeaderModel, frozen=True, kw_only=True):
    """What a browser reports about the page that logs in."""

    fetch_site: str | None = field(default=None, name="Sec-Fetch-Site")


class LoginAnswer(AnswerModel, frozen=True, kw_only=True):
    """The session; `authToken` follows `Basic ` in the Authorization header, and only a login returns it.

    `expiresIn` counts the seconds after the last use.
    """

    user_id: str
    device_key: str | None = None
    root_folder_key: str | None = None
    auth_token: str | None = None
    jwt: str | None = None
    refresh_token: str | None = None
    expires_in: int | None = None

    def __repr__(self) -> str:
        return f"LoginAnswer(user_id={self.user_id!r}, auth_token=<hidden>, refresh_token=<hidden>, jwt=<hidden>)"


class LogoutRequest(RequestModel, frozen=True, kw_only=True):
    """What to end besides the calling session, as other people's clients ask for it; the body may be absent."""

    may_be_absent: ClassVar[bool] = True

    revoke_all: Literal["Y", "N", "y", "n"] | bool | None = None
    device_key: DeviceKey | None = None

    @property
    def revokes_all(self) -> bool:
        """Whether every session of the account ends."""
        return self.revoke_all in ("Y", "y", True)
