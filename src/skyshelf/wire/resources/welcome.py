"""One-time links: the first account of a server, an invitation, a new password.

No request shows its secrets in a log.
"""

from typing import Annotated, Literal

from msgspec import Meta, field

from skyshelf.wire.limits import EMAIL_CHARS_MAX, PASSWORD_CHARS_MAX, TOKEN_CHARS_MAX
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, HeaderModel, Label, RequestModel
from skyshelf.wire.resources.identities import LoginProvider

Token = Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX)]


class WelcomeHeaders(HeaderModel, frozen=True, kw_only=True):
    """The token of a link; in a header, because addresses are written to logs."""

    token: Token | None = field(default=None, name="X-Welcome-Token")

    def __repr__(self) -> str:
        return "WelcomeHeaders(<hidden>)"


class Welcome(AnswerModel, frozen=True, kw_only=True):
    """Whether the server has no accounts yet, and with a token, what its link does and for whom."""

    is_new_server: bool | None = None
    can_mail_password: bool | None = None
    """Whether somebody who has forgotten the password can have a link sent by email."""
    providers: list[LoginProvider] | None = None
    """Where people may log in besides here."""
    kind: Literal["first-account", "invitation", "new-password"] | None = None
    email_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    expires_date: int | None = None


class WelcomeRequest(RequestModel, frozen=True, kw_only=True):
    """The link's token and the password to set. The first account needs an address and names as well."""

    token: Token
    password: Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX, description="at least 8 characters")]
    email_id: Annotated[str, Meta(min_length=1, max_length=EMAIL_CHARS_MAX, pattern=PLAIN_TEXT)] | None = None
    first_name: Label | None = None
    last_name: Label | None = None

    def __repr__(self) -> str:
        return "WelcomeRequest(<hidden>)"


class Welcomed(AnswerModel, frozen=True, kw_only=True):
    """The address to log in with."""

    email_id: str | None = None


class PasswordMailRequest(RequestModel, frozen=True, kw_only=True):
    """The address of an account whose password is forgotten, and the language of the message."""

    email_id: Annotated[str, Meta(min_length=1, max_length=EMAIL_CHARS_MAX, pattern=PLAIN_TEXT)]
    language: Literal["en", "de"] | None = None
