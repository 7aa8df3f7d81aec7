"""Account and session."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.account import (
    AppSettings,
    AppSettingsQuery,
    CookieNonce,
    CookieNonceRequest,
    Promotions,
    UserProfile,
)
from skyshelf.wire.endpoint import EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.session import LoginAnswer, LoginHeaders, LoginRequest

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

ENDPOINTS: Final = (
    PROFILE,
    PROMOTIONS,
    APP_SETTINGS,
    COOKIE_NONCE,
    LOGIN,
    SESSION,
    LOGOUT,
)
