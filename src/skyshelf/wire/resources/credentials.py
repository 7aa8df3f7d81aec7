"""What lets people and apps in: logins and their second factor, app passwords, identities at login providers (OpenID
Connect), and one-time links: the first account of a server, an invitation, a new password.

No request or response shows its secrets in a log or a traceback.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from skyshelf.wire import models
from skyshelf.wire.keys import Key
from skyshelf.wire.limits import ISSUER_CHARS_MAX, PASSWORD_CHARS_MAX, PROVIDER_CHARS_MAX, TIME_MS_MAX, TOKEN_CHARS_MAX
from skyshelf.wire.models import AnswerModel, HeaderModel, RequestModel, hiding
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.passkeys import ConfirmationRequest, PasskeyAssertion

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

    device_name: models.Label | None = None
    platform_type: models.Label | None = None
    device_key: DeviceKey | None = None
    in_cookie: Annotated[
        bool | None, Meta(description="for browsers: return the token as an HttpOnly cookie, not in the body")
    ] = None


class LoginRequest(DeviceLoginRequest, frozen=True, kw_only=True):
    """The login; naming a registered device ends its previous session.

    Where the second factor is on, `code` is needed, or `passkey`: the answer to the challenge in the error body.
    """

    email_id: models.Email
    password: models.Password
    code: models.LoginCode | None = None
    passkey: PasskeyAssertion | None = None

    __repr__ = hiding("password", shown=("email_id",))


class ProviderLoginRequest(DeviceLoginRequest, frozen=True, kw_only=True):
    """The last step of a login through a provider. A cookie, set when the provider responded, identifies the person;
    the token is always in a cookie."""

    code: models.LoginCode | None = None
    passkey: PasskeyAssertion | None = None

    __repr__ = hiding()


class PasskeyLoginRequest(DeviceLoginRequest, frozen=True, kw_only=True):
    """A login with a passkey that verifies its user, instead of email address, password and code."""

    passkey: PasskeyAssertion

    __repr__ = hiding()


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

    __repr__ = hiding("auth_token", "refresh_token", "jwt", shown=("user_id",))


class LogoutRequest(RequestModel, frozen=True, kw_only=True):
    """Sessions to end in addition to the calling one, in the form of other people's clients; the body may be absent."""

    may_be_absent: ClassVar[bool] = True

    revoke_all: Literal["Y", "N", "y", "n"] | bool | None = None
    device_key: DeviceKey | None = None

    @property
    def revokes_all(self) -> bool:
        """Whether every session of the account ends."""
        return self.revoke_all in ("Y", "y", True)


# The second factor.


class SecondFactorStatus(AnswerModel, frozen=True, kw_only=True):
    """Whether the second factor is on, and if so, since when, how many recovery codes are left, and whether there is an
    authenticator app: without one, logins need a passkey."""

    is_on: bool | None = None
    has_app: bool | None = None
    on_since_date: int | None = None
    recovery_codes_left: int | None = None


class SecondFactorBeginRequest(RequestModel, frozen=True, kw_only=True):
    """The password: an open session alone cannot lock the owner out."""

    password: models.Password

    __repr__ = hiding()


class SecondFactorSetup(AnswerModel, frozen=True, kw_only=True):
    """The secret for an authenticator app; the second factor is off until a code from the app is confirmed.

    `secret` is base32, to be typed in; `otpauthUri` contains the same for apps; `qrCode` is that URI as rows of `1`
    (dark) and `0` (light), without a quiet zone.
    """

    secret: str | None = None
    otpauth_uri: str | None = None
    qr_code: list[str] | None = None

    __repr__ = hiding()


class SecondFactorConfirmRequest(RequestModel, frozen=True, kw_only=True):
    """The first code from the authenticator app."""

    code: models.LoginCode

    __repr__ = hiding()


class SecondFactorPasskeyRequest(RequestModel, frozen=True, kw_only=True):
    """The password, and the passkey that logins will need from now on."""

    password: models.Password
    passkey: PasskeyAssertion

    __repr__ = hiding()


class SecondFactorProofRequest(ConfirmationRequest, frozen=True, kw_only=True):
    """Both factors: the password, and a code from the authenticator app, a recovery code or a passkey. A passkey that
    verifies its user is sufficient."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.code is None and self.passkey is None:
            raise InvalidRequest("code is missing, and there is no passkey instead")


class RecoveryCodes(AnswerModel, frozen=True, kw_only=True):
    """Codes to use if the authenticator is lost, each valid once; they are never shown again."""

    recovery_codes: list[str] | None = None

    __repr__ = hiding()


# App passwords: for programs that support only an address and a password, such as WebDAV clients.


class AppPassword(AnswerModel, frozen=True, kw_only=True):
    """The access of one app. Without `folderKey` it opens the whole drive.

    `folderName` is absent if the folder is in the trash or deleted; then the app sees nothing.
    """

    device_key: str
    name: str | None = None
    can_write: bool | None = None
    folder_key: str | None = None
    folder_name: str | None = None
    webdav_only: bool | None = None
    expires_date: int | None = None
    """Absent if it lasts until it is revoked."""
    created_date: int | None = None
    last_used_date: int | None = None
    """Absent before the first use; updated every few minutes."""


class AppPasswords(AnswerModel, frozen=True, kw_only=True):
    """The account's app passwords, the newest first."""

    app_passwords: list[AppPassword] | None = None


class NewAppPassword(ConfirmationRequest, frozen=True, kw_only=True):
    """A name to recognise the app by, what it may do, and what a login needs.

    The account's password, and a code or a passkey if logins need one: an open session alone cannot create permanent
    access. A passkey that verifies its user is sufficient.
    """

    name: models.Label
    can_write: bool = True
    folder_key: Key | None = None
    webdav_only: bool = False
    expires_date: Annotated[int, Meta(ge=1, le=TIME_MS_MAX, description="epoch milliseconds, UTC")] | None = None


class MadeAppPassword(AnswerModel, frozen=True, kw_only=True):
    """The new app password, which is never shown again, with the name to log in with and the address for WebDAV."""

    device_key: str
    password: str | None = None
    user_name: str | None = None
    webdav_url: str | None = None

    __repr__ = hiding()


ProviderId = Annotated[str, Meta(min_length=1, max_length=PROVIDER_CHARS_MAX, pattern=models.PLAIN_TEXT)]


class LoginProvider(AnswerModel, frozen=True, kw_only=True):
    """A provider that people may log in through; `label` is its button's text, if that is not its name."""

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
    """The provider, and the account's password, which is ignored if the account has none."""

    provider: ProviderId
    password: models.Password

    __repr__ = hiding("password", shown=("provider",))


class IdentityDeparture(AnswerModel, frozen=True, kw_only=True):
    """The provider's page, which the browser must open."""

    url: str | None = None


class UnlinkIdentityRequest(RequestModel, frozen=True, kw_only=True):
    """The issuer of the identity to unlink."""

    issuer: Annotated[str, Meta(min_length=1, max_length=ISSUER_CHARS_MAX, pattern=models.PLAIN_TEXT)]


Token = Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX)]


class WelcomeHeaders(HeaderModel, frozen=True, kw_only=True):
    """The token of a link; in a header, because addresses are written to logs."""

    token: Token | None = field(default=None, name="X-Welcome-Token")

    __repr__ = hiding()


class Welcome(AnswerModel, frozen=True, kw_only=True):
    """Whether the server has no accounts yet, and with a token, what its link does and for whom."""

    is_new_server: bool | None = None
    can_mail_password: bool | None = None
    """Whether people who have forgotten their password can request a link by email."""
    providers: list[LoginProvider] | None = None
    """The providers through which people may log in."""
    kind: Literal["first-account", "invitation", "new-password"] | None = None
    email_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    expires_date: int | None = None


class WelcomeRequest(RequestModel, frozen=True, kw_only=True):
    """The link's token and the password to set. The first account needs an address and names as well."""

    token: Token
    password: Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX, description="at least 8 characters")]
    email_id: models.Email | None = None
    first_name: models.Label | None = None
    last_name: models.Label | None = None

    __repr__ = hiding()


class WelcomeAnswer(AnswerModel, frozen=True, kw_only=True):
    """The address to log in with."""

    email_id: str | None = None


class PasswordMailRequest(RequestModel, frozen=True, kw_only=True):
    """The address of an account whose password is forgotten, and the language of the message."""

    email_id: models.Email
    language: Literal["en", "de"] | None = None
