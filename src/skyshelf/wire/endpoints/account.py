"""Account and session, and the operator's banners."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Access, Group, Host, Origin
from skyshelf.wire.resources import account, credentials, passkeys

_INTERFACE: Final = Group(host=Host.ACCOUNT)
_LOGIN: Final = Group(
    host=Host.ACCOUNT, path="/x/v1/login", origin=Origin.COMPLETIONS, access=Access.PUBLIC, required_headers=()
)
_SESSION: Final = Group(host=Host.ACCOUNT, origin=Origin.COMPLETIONS)
_ACCOUNT: Final = Group(host=Host.ACCOUNT, path="/x/v1/account", origin=Origin.COMPLETIONS)
_MESSAGING: Final = Group(host=Host.MESSAGING)

PROFILE: Final = _INTERFACE.call(
    "GET /security/users",
    "The user's profile, quota and devices; 200 means that the session is valid.",
    answer=account.UserProfile,
    must_have="userId",
)
PROMOTIONS: Final = _INTERFACE.call(
    "GET /security/users/promotions",
    "Active and expired storage promotions.",
    answer=account.Promotions,
    must_have="activePromotions expiredPromotions",
)
APP_SETTINGS: Final = _INTERFACE.call(
    "GET /app/settings",
    "The backup policy and the server's settings for clients.",
    query=account.AppSettingsQuery,
    answer=account.AppSettings,
    must_have="maxFileSize chunkSize backup trashRetentionDays versionsKept",
)
BANNERS: Final = _MESSAGING.call(
    "GET /promo/banner/list", "The promotional banners to show now.", answer=account.BannerList, must_have="cards"
)
COOKIE_NONCE: Final = _INTERFACE.call(
    "POST /security/getokenforcookie",
    "A nonce that authorises downloads for ten minutes, in the body and as a cookie.",
    body=account.CookieNonceRequest,
    answer=account.CookieNonce,
    must_have="nonce",
    errors=(errors.JWT_REFUSED,),
    repeats_safely=True,
    while_paused=True,
    while_full=True,
)
LOGIN: Final = _LOGIN.call(
    "POST",
    "Logs in with an email address and a password.",
    headers=credentials.LoginHeaders,
    body=credentials.LoginRequest,
    answer=credentials.LoginAnswer,
    must_have="userId",
    errors=(errors.LOGIN_REFUSED, *errors.OF_SECOND_FACTORS, errors.WRONG_CONTENT_TYPE),
    error_bodies={401: passkeys.SecondFactorMissing},
)
SESSION: Final = _SESSION.call(
    "GET /x/v1/session",
    "The current session without its token, for pages that are reloaded.",
    answer=credentials.LoginAnswer,
    must_have="userId",
)
LOGOUT: Final = _SESSION.call(
    "PUT /security/users/logout",
    "Ends the session; its token stops working. With a body: all sessions, or that of another device.",
    body=credentials.LogoutRequest,
    errors=(errors.DEVICE_NOT_FOUND, errors.SESSION_PAUSED),
    while_paused=True,
    repeats_safely=False,
    while_full=True,
)


# Extensions: managing one's own account.

CHANGE_PASSWORD: Final = _ACCOUNT.call(
    "POST /password",
    "Changes the password and ends all other sessions.",
    body=account.PasswordChangeRequest,
    answer=account.EndedSessions,
    must_have="endedSessions",
    errors=(errors.PASSWORD_WRONG,),
    while_paused=True,
    while_full=True,
)
EDIT_PROFILE: Final = _ACCOUNT.call(
    "PUT /profile",
    "Changes the user's names.",
    body=account.ProfileEditRequest,
    answer=account.UserProfile,
    must_have="userId",
)
OWN_DEVICES: Final = _ACCOUNT.call(
    "GET /devices",
    "The account's devices, and which of them are logged in.",
    answer=account.OwnDevices,
    must_have="devices",
)
ACCOUNT_EVENTS: Final = _ACCOUNT.call(
    "GET /events",
    "What happened in the account: logins, failures, shares, downloads by link, deletions; newest first.",
    query=account.AccountEventsQuery,
    answer=account.AccountEvents,
    must_have="events",
)
END_SESSION: Final = _ACCOUNT.call(
    "POST /sessions/end",
    "Logs out one device.",
    body=account.DeviceRequest,
    errors=(errors.DEVICE_NOT_FOUND,),
    while_full=True,
)
END_OTHER_SESSIONS: Final = _ACCOUNT.call(
    "POST /sessions/end-others",
    "Logs out every device except the calling one.",
    answer=account.EndedSessions,
    must_have="endedSessions",
    repeats_safely=True,
    while_full=True,
)
RENAME_DEVICE: Final = _ACCOUNT.call(
    "PUT /devices/{device_key}",
    "Names a device; it keeps the name when it logs in again.",
    body=account.DeviceNameRequest,
)
REMOVE_DEVICE: Final = _ACCOUNT.call("DELETE /devices/{device_key}", "Removes a device and logs it out.")
DELETE_ACCOUNT: Final = _ACCOUNT.call(
    "POST /deletion",
    "Schedules the account for permanent deletion after a grace period.",
    body=account.AccountDeletionRequest,
    answer=account.AccountDeletion,
    must_have="deletionDate",
    errors=(errors.PASSWORD_WRONG,),
    repeats_safely=True,
    while_full=True,
)
KEEP_ACCOUNT: Final = _ACCOUNT.call(
    "POST /deletion/cancel", "Cancels the pending deletion of the account.", repeats_safely=True, while_full=True
)
