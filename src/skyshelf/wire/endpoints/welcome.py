"""One-time links, for people who cannot log in yet."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.welcome import PasswordMailRequest, Welcome, Welcomed, WelcomeHeaders, WelcomeRequest

WELCOME: Final = Endpoint(
    name="welcome",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/welcome",
    summary="Whether the server has no accounts yet; with a one-time link's token, what the link does.",
    headers=WelcomeHeaders,
    answers={200: json_answer(Welcome)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.LINK_USED,),
    origin=Origin.COMPLETIONS,
)
USE_LINK: Final = Endpoint(
    name="use_link",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/welcome",
    summary="Uses a one-time link: creates the first account, or sets an account's password and ends its sessions.",
    body=WelcomeRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Welcomed)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.LINK_USED, errors.EMAIL_TAKEN),
    origin=Origin.COMPLETIONS,
)
REQUEST_PASSWORD_MAIL: Final = Endpoint(
    name="request_password_mail",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/password-mail",
    summary="Sends a one-time link for a new password by email, if there is an account with that address.",
    body=PasswordMailRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.MAIL_OFF,),
    origin=Origin.COMPLETIONS,
)
