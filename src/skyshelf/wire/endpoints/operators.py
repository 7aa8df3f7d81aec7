"""Operators manage the server: accounts, sessions, banners, health. To everybody else these paths do not exist."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Access, Group, Host, Origin
from skyshelf.wire.resources import account, operators

_ADMIN: Final = Group(host=Host.ACCOUNT, path="/x/v1/admin", origin=Origin.COMPLETIONS, access=Access.OPERATOR)

ADMIN_ACCOUNTS: Final = _ADMIN.call(
    "GET /accounts",
    "The server's accounts, for its operators.",
    query=operators.AccountsQuery,
    answer=operators.ManagedAccounts,
    must_have="accounts",
)
ADMIN_ADD_ACCOUNT: Final = _ADMIN.call(
    "POST /accounts",
    "Adds an account; its one-time link invites the person to set a password.",
    body=operators.NewAccountRequest,
    created=operators.PasswordLink,
    must_have="linkUrl",
    errors=(errors.EMAIL_TAKEN,),
)
ADMIN_EDIT_ACCOUNT: Final = _ADMIN.call(
    "PUT /accounts/{account_key}",
    "Disables or enables an account, or changes its quota. A disabled account's sessions end.",
    body=operators.AccountEditRequest,
    answer=operators.ManagedAccount,
    must_have="userId",
    errors=(errors.LAST_OPERATOR,),
)
ADMIN_PASSWORD_LINK: Final = _ADMIN.call(
    "POST /accounts/{account_key}/link",
    "Creates a one-time link that sets the account's password; an earlier one stops working.",
    body=operators.ConfirmedRequest,
    created=operators.PasswordLink,
    must_have="linkUrl",
    errors=(errors.PASSWORD_WRONG,),
)
ADMIN_OPERATOR_ROLE: Final = _ADMIN.call(
    "PUT /accounts/{account_key}/operator",
    "Makes an account an operator, or revokes that.",
    body=operators.OperatorRoleRequest,
    answer=operators.ManagedAccount,
    must_have="userId",
    errors=(errors.PASSWORD_WRONG, errors.LAST_OPERATOR),
)
ADMIN_RESET_SECOND_FACTOR: Final = _ADMIN.call(
    "POST /accounts/{account_key}/second-factor/reset",
    "Turns off an account's second factor and, if asked to, removes its passkeys.",
    body=operators.SecondFactorResetRequest,
    answer=operators.ManagedAccount,
    must_have="userId",
    errors=(errors.PASSWORD_WRONG,),
    repeats_safely=True,
)
ADMIN_DELETE_ACCOUNT: Final = _ADMIN.call(
    "POST /accounts/{account_key}/deletion",
    "Schedules an account for permanent deletion after a grace period.",
    body=operators.ConfirmedRequest,
    answer=operators.ManagedAccount,
    must_have="userId",
    errors=(errors.PASSWORD_WRONG, errors.LAST_OPERATOR),
    repeats_safely=True,
)
ADMIN_KEEP_ACCOUNT: Final = _ADMIN.call(
    "POST /accounts/{account_key}/deletion/cancel",
    "Cancels the pending deletion of an account.",
    answer=operators.ManagedAccount,
    must_have="userId",
    repeats_safely=True,
)
ADMIN_SESSIONS: Final = _ADMIN.call(
    "GET /sessions",
    "The sessions that were used last, of all accounts.",
    query=operators.SessionsQuery,
    answer=operators.OpenSessions,
    must_have="sessions",
)
ADMIN_ACCOUNT_SESSIONS: Final = _ADMIN.call(
    "GET /accounts/{account_key}/sessions",
    "The sessions of one account.",
    query=operators.SessionsQuery,
    answer=operators.OpenSessions,
    must_have="sessions",
)
ADMIN_ALARMS: Final = _ADMIN.call(
    "GET /alarms",
    "Devices of all accounts that are paused, because they changed unusually much.",
    query=operators.AlarmsQuery,
    answer=operators.ManagedAlarms,
    must_have="alarms",
)
ADMIN_END_SESSIONS: Final = _ADMIN.call(
    "POST /accounts/{account_key}/sessions/end",
    "Logs out one device of an account, or all of them.",
    body=operators.SessionsEndRequest,
    answer=account.EndedSessions,
    must_have="endedSessions",
    errors=(errors.DEVICE_NOT_FOUND,),
)
ADMIN_BANNERS: Final = _ADMIN.call(
    "GET /banners", "All banners: current, past and future.", answer=account.BannerList, must_have="cards"
)
ADMIN_ADD_BANNER: Final = _ADMIN.call(
    "POST /banners",
    "Adds a banner, which clients show to everybody.",
    body=operators.BannerRequest,
    created=account.BannerCard,
    must_have="cardId",
)
ADMIN_EDIT_BANNER: Final = _ADMIN.call(
    "PUT /banners/{banner_key}",
    "Changes a banner.",
    body=operators.BannerEditRequest,
    answer=account.BannerCard,
    must_have="cardId",
)
ADMIN_REMOVE_BANNER: Final = _ADMIN.call("DELETE /banners/{banner_key}", "Removes a banner.")
ADMIN_HEALTH: Final = _ADMIN.call(
    "GET /health",
    "The state of the server, its stores and its background jobs.",
    answer=operators.ServerHealth,
    must_have="version",
)
ADMIN_RELEASE_BRAKE: Final = _ADMIN.call(
    "POST /brakes/release",
    "Lets a background job that a brake has stopped run for a day; other jobs are not affected.",
    body=operators.BrakeReleaseRequest,
    answer=operators.ServerHealth,
    must_have="version",
    errors=(errors.PASSWORD_WRONG,),
    repeats_safely=True,
)
