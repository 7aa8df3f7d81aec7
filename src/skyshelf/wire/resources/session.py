"""Login. Neither request nor response shows its secrets in a log or a traceback."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from skyshelf.wire.limits import EMAIL_CHARS_MAX, PASSWORD_CHARS_MAX
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, HeaderModel, Label, RequestModel
from skyshelf.wire.resources.second_factor import LoginCode

DeviceKey = Annotated[
    str,
    Meta(
        min_length=36,
        max_length=36,
        pattern="^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
        description="a UUID",
    ),
]


class LoginRequest(RequestModel, frozen=True, kw_only=True):
    """The login; naming a registered device ends its previous session."""

    email_id: Annotated[str, Meta(min_length=1, max_length=EMAIL_CHARS_MAX, pattern=PLAIN_TEXT)]
    password: Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]
    code: LoginCode | None = None
    device_name: Label | None = None
    platform_type: Label | None = None
    device_key: DeviceKey | None = None
    in_cookie: Annotated[
        bool | None,
        Meta(description="for browsers: return the token as an HttpOnly cookie, not in the body"),
    ] = None

    def __repr__(self) -> str:
        return f"LoginRequest(email_id={self.email_id!r}, password=<hidden>)"


class ProviderLoginRequest(RequestModel, frozen=True, kw_only=True):
    """The last step of a login through a provider; who it is, is in the cookie that the provider's answer was
    exchanged for."""

    code: LoginCode | None = None
    device_name: Label | None = None
    platform_type: Label | None = None
    device_key: DeviceKey | None = None

    def __repr__(self) -> str:
        return "ProviderLoginRequest(<hidden>)"


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
