"""Account and session."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.account import (
    AccountDeletion,
    AccountDeletionRequest,
    AppSettings,
    AppSettingsQuery,
    CookieNonce,
    CookieNonceRequest,
    DeviceRequest,
    EndedSessions,
    OwnDevices,
    PasswordChangeRequest,
    ProfileEditRequest,
    Promotions,
    UserProfile,
)
from skyshelf.wire.resources.session import LoginAnswer, LoginHeaders, LoginRequest

PROFILE: Final = Endpoint(
    name="profile",
    host=Host.ACCOUNT,
    method="GET",
    path="/security/users",
    summary="The profile of the user, with quota and devices; 200 means that the session is valid.",
    answers={200: json_answer(UserProfile)},
)
PROMOTIONS: Final = Endpoint(
    name="promotions",
    host=Host.ACCOUNT,
    method="GET",
    path="/security/users/promotions",
    summary="Active and expired storage promotions.",
    answers={200: json_answer(Promotions)},
)
APP_SETTINGS: Final = Endpoint(
    name="app_settings",
    host=Host.ACCOUNT,
    method="GET",
    path="/app/settings",
    summary="The backup policy, and what clients should know about the server.",
    query=AppSettingsQuery,
    answers={200: json_answer(AppSettings)},
)
COOKIE_NONCE: Final = Endpoint(
    name="cookie_nonce",
    host=Host.ACCOUNT,
    method="POST",
    path="/security/getokenforcookie",
    summary="A nonce that opens downloads for ten minutes, in the body and as a cookie.",
    body=CookieNonceRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(CookieNonce)},
    repeats_safely=True,
    errors=(errors.JWT_REFUSED,),
)
LOGIN: Final = Endpoint(
    name="login",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/login",
    summary="Opens a session with e-mail address and password.",
    headers=LoginHeaders,
    body=LoginRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(LoginAnswer)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.LOGIN_REFUSED, errors.SECOND_FACTOR_REQUIRED, errors.LOGIN_CODE_REFUSED),
    origin=Origin.COMPLETIONS,
)
SESSION: Final = Endpoint(
    name="session",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/session",
    summary="The session that calls, without its token: what a page needs to know after it was loaded anew.",
    answers={200: json_answer(LoginAnswer)},
    origin=Origin.COMPLETIONS,
)
LOGOUT: Final = Endpoint(
    name="logout",
    host=Host.ACCOUNT,
    method="PUT",
    path="/security/users/logout",
    summary="Ends the session; its token stops working.",
    answers={204: EMPTY},
    origin=Origin.COMPLETIONS,
)


# Beyond the interface: what people change about their own account.

CHANGE_PASSWORD: Final = Endpoint(
    name="change_password",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/password",
    summary="Changes the password; every other session ends, and this one stays.",
    body=PasswordChangeRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(EndedSessions)},
    errors=(errors.PASSWORD_WRONG,),
    origin=Origin.COMPLETIONS,
)
EDIT_PROFILE: Final = Endpoint(
    name="edit_profile",
    host=Host.ACCOUNT,
    method="PUT",
    path="/x/v1/account/profile",
    summary="Changes the names that others see.",
    body=ProfileEditRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(UserProfile)},
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
OWN_DEVICES: Final = Endpoint(
    name="own_devices",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/account/devices",
    summary="The devices of the account, and which of them are logged in.",
    answers={200: json_answer(OwnDevices)},
    origin=Origin.COMPLETIONS,
)
END_SESSION: Final = Endpoint(
    name="end_session",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/sessions/end",
    summary="Logs one device out.",
    body=DeviceRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    errors=(errors.DEVICE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
END_OTHER_SESSIONS: Final = Endpoint(
    name="end_other_sessions",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/sessions/end-others",
    summary="Logs out every device but the one that calls.",
    answers={200: json_answer(EndedSessions)},
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_DEVICE: Final = Endpoint(
    name="remove_device",
    host=Host.ACCOUNT,
    method="DELETE",
    path="/x/v1/account/devices/{device_key}",
    summary="Forgets a device, which is logged out.",
    answers={204: EMPTY},
    errors=(errors.DEVICE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
DELETE_ACCOUNT: Final = Endpoint(
    name="delete_account",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/deletion",
    summary="Announces that the account is to go for good, when a time of grace is over.",
    body=AccountDeletionRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(AccountDeletion)},
    errors=(errors.PASSWORD_WRONG,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
KEEP_ACCOUNT: Final = Endpoint(
    name="keep_account",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/deletion/cancel",
    summary="Takes back that the account is to go.",
    answers={204: EMPTY},
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
