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
    DeviceNameRequest,
    DeviceRequest,
    EndedSessions,
    OwnDevices,
    PasswordChangeRequest,
    ProfileEditRequest,
    Promotions,
    UserProfile,
)
from skyshelf.wire.resources.account_events import AccountEvents, AccountEventsQuery
from skyshelf.wire.resources.passkeys import SecondFactorMissing
from skyshelf.wire.resources.session import LoginAnswer, LoginHeaders, LoginRequest, LogoutRequest

PROFILE: Final = Endpoint(
    name="profile",
    host=Host.ACCOUNT,
    method="GET",
    path="/security/users",
    summary="The user's profile, quota and devices; 200 means that the session is valid.",
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
    summary="The backup policy and the server's settings for clients.",
    query=AppSettingsQuery,
    answers={200: json_answer(AppSettings)},
)
COOKIE_NONCE: Final = Endpoint(
    name="cookie_nonce",
    host=Host.ACCOUNT,
    method="POST",
    path="/security/getokenforcookie",
    summary="A nonce that authorises downloads for ten minutes, in the body and as a cookie.",
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
    summary="Logs in with an email address and a password.",
    headers=LoginHeaders,
    body=LoginRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(LoginAnswer)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(
        errors.LOGIN_REFUSED,
        errors.SECOND_FACTOR_REQUIRED,
        errors.LOGIN_CODE_REFUSED,
        errors.PASSKEY_REFUSED,
        errors.PASSKEY_COUNTER,
        errors.PASSKEYS_NEED_HTTPS,
    ),
    error_bodies={401: SecondFactorMissing},
    origin=Origin.COMPLETIONS,
)
SESSION: Final = Endpoint(
    name="session",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/session",
    summary="The current session without its token, for pages that are reloaded.",
    answers={200: json_answer(LoginAnswer)},
    origin=Origin.COMPLETIONS,
)
LOGOUT: Final = Endpoint(
    name="logout",
    host=Host.ACCOUNT,
    method="PUT",
    path="/security/users/logout",
    summary="Ends the session; its token stops working. With a body: all sessions, or that of another device.",
    body=LogoutRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    errors=(errors.DEVICE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)


# Extensions: managing one's own account.

CHANGE_PASSWORD: Final = Endpoint(
    name="change_password",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/password",
    summary="Changes the password and ends all other sessions.",
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
    summary="Changes the user's names.",
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
    summary="The account's devices, and which of them are logged in.",
    answers={200: json_answer(OwnDevices)},
    origin=Origin.COMPLETIONS,
)
ACCOUNT_EVENTS: Final = Endpoint(
    name="account_events",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/account/events",
    summary="What happened in the account: logins, failures, shares, downloads by link, deletions; newest first.",
    query=AccountEventsQuery,
    answers={200: json_answer(AccountEvents)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
END_SESSION: Final = Endpoint(
    name="end_session",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/sessions/end",
    summary="Logs out one device.",
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
    summary="Logs out every device except the calling one.",
    answers={200: json_answer(EndedSessions)},
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
RENAME_DEVICE: Final = Endpoint(
    name="rename_device",
    host=Host.ACCOUNT,
    method="PUT",
    path="/x/v1/account/devices/{device_key}",
    summary="Names a device; it keeps the name when it logs in again.",
    body=DeviceNameRequest,
    body_kind=BodyKind.JSON,
    answers={204: EMPTY},
    errors=(errors.DEVICE_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_DEVICE: Final = Endpoint(
    name="remove_device",
    host=Host.ACCOUNT,
    method="DELETE",
    path="/x/v1/account/devices/{device_key}",
    summary="Removes a device and logs it out.",
    answers={204: EMPTY},
    errors=(errors.DEVICE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
DELETE_ACCOUNT: Final = Endpoint(
    name="delete_account",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/account/deletion",
    summary="Schedules the account for permanent deletion after a grace period.",
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
    summary="Cancels the pending deletion of the account.",
    answers={204: EMPTY},
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
