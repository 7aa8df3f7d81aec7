"""App passwords, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.app_passwords import AppPasswords, MadeAppPassword, NewAppPassword

APP_PASSWORDS: Final = Endpoint(
    name="app_passwords",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/app-passwords",
    summary="The account's app passwords: what each may do, and when it was last used.",
    answers={200: json_answer(AppPasswords)},
    origin=Origin.COMPLETIONS,
)
ADD_APP_PASSWORD: Final = Endpoint(
    name="add_app_password",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/app-passwords",
    summary="Makes an app password, with what a login takes: the password, or a passkey.",
    body=NewAppPassword,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(MadeAppPassword)},
    errors=(*errors.OF_CONFIRMATIONS, errors.OBJECT_NOT_FOUND, errors.ACCOUNT_LIMIT),
    needs_space=True,
    origin=Origin.COMPLETIONS,
)
REVOKE_APP_PASSWORD: Final = Endpoint(
    name="revoke_app_password",
    host=Host.ACCOUNT,
    method="DELETE",
    path="/x/v1/app-passwords/{device_key}",
    summary="Revokes an app password; the app is refused from its next request on.",
    answers={204: EMPTY},
    errors=(errors.DEVICE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
