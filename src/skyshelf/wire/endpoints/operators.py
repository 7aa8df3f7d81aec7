"""Operators manage the server: accounts, sessions, banners, health. To everybody else these paths do not exist."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.account import EndedSessions
from skyshelf.wire.resources.banners import BannerCard, BannerList
from skyshelf.wire.resources.operators import (
    AccountEditRequest,
    AccountsQuery,
    BannerEditRequest,
    BannerRequest,
    BrakeReleaseRequest,
    ConfirmedRequest,
    ManagedAccount,
    ManagedAccounts,
    NewAccountRequest,
    OpenSessions,
    OperatorRoleRequest,
    PasswordLink,
    SecondFactorResetRequest,
    ServerHealth,
    SessionsEndRequest,
    SessionsQuery,
)

ADMIN_ACCOUNTS: Final = Endpoint(
    name="admin_accounts",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/admin/accounts",
    summary="The server's accounts, for its operators.",
    query=AccountsQuery,
    answers={200: json_answer(ManagedAccounts)},
    access=Access.OPERATOR,
    origin=Origin.COMPLETIONS,
)
ADMIN_ADD_ACCOUNT: Final = Endpoint(
    name="admin_add_account",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/accounts",
    summary="Adds an account; its one-time link invites the person to set a password.",
    body=NewAccountRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(PasswordLink)},
    access=Access.OPERATOR,
    errors=(errors.EMAIL_TAKEN,),
    origin=Origin.COMPLETIONS,
)
ADMIN_EDIT_ACCOUNT: Final = Endpoint(
    name="admin_edit_account",
    host=Host.ACCOUNT,
    method="PUT",
    path="/x/v1/admin/accounts/{account_key}",
    summary="Disables or enables an account, or changes its quota. A disabled account's sessions end.",
    body=AccountEditRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ManagedAccount)},
    access=Access.OPERATOR,
    errors=(
        errors.ACCOUNT_NOT_FOUND,
        errors.LAST_OPERATOR,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
ADMIN_PASSWORD_LINK: Final = Endpoint(
    name="admin_password_link",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/accounts/{account_key}/link",
    summary="Creates a one-time link that sets the account's password; an earlier one stops working.",
    body=ConfirmedRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(PasswordLink)},
    access=Access.OPERATOR,
    errors=(
        errors.ACCOUNT_NOT_FOUND,
        errors.PASSWORD_WRONG,
    ),
    origin=Origin.COMPLETIONS,
)
ADMIN_OPERATOR_ROLE: Final = Endpoint(
    name="admin_operator_role",
    host=Host.ACCOUNT,
    method="PUT",
    path="/x/v1/admin/accounts/{account_key}/operator",
    summary="Makes an account an operator, or revokes that.",
    body=OperatorRoleRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ManagedAccount)},
    access=Access.OPERATOR,
    errors=(
        errors.ACCOUNT_NOT_FOUND,
        errors.PASSWORD_WRONG,
        errors.LAST_OPERATOR,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
ADMIN_RESET_SECOND_FACTOR: Final = Endpoint(
    name="admin_reset_second_factor",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/accounts/{account_key}/second-factor/reset",
    summary="Turns off an account's second factor and, if asked to, removes its passkeys.",
    body=SecondFactorResetRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ManagedAccount)},
    access=Access.OPERATOR,
    errors=(
        errors.ACCOUNT_NOT_FOUND,
        errors.PASSWORD_WRONG,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
ADMIN_DELETE_ACCOUNT: Final = Endpoint(
    name="admin_delete_account",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/accounts/{account_key}/deletion",
    summary="Schedules an account for permanent deletion after a grace period.",
    body=ConfirmedRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ManagedAccount)},
    access=Access.OPERATOR,
    errors=(
        errors.ACCOUNT_NOT_FOUND,
        errors.PASSWORD_WRONG,
        errors.LAST_OPERATOR,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
ADMIN_KEEP_ACCOUNT: Final = Endpoint(
    name="admin_keep_account",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/accounts/{account_key}/deletion/cancel",
    summary="Cancels the pending deletion of an account.",
    answers={200: json_answer(ManagedAccount)},
    access=Access.OPERATOR,
    errors=(errors.ACCOUNT_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
ADMIN_SESSIONS: Final = Endpoint(
    name="admin_sessions",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/admin/sessions",
    summary="The sessions that were used last, of all accounts.",
    query=SessionsQuery,
    answers={200: json_answer(OpenSessions)},
    access=Access.OPERATOR,
    origin=Origin.COMPLETIONS,
)
ADMIN_ACCOUNT_SESSIONS: Final = Endpoint(
    name="admin_account_sessions",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/admin/accounts/{account_key}/sessions",
    summary="The sessions of one account.",
    query=SessionsQuery,
    answers={200: json_answer(OpenSessions)},
    access=Access.OPERATOR,
    errors=(errors.ACCOUNT_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
ADMIN_END_SESSIONS: Final = Endpoint(
    name="admin_end_sessions",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/accounts/{account_key}/sessions/end",
    summary="Logs out one device of an account, or all of them.",
    body=SessionsEndRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(EndedSessions)},
    access=Access.OPERATOR,
    errors=(
        errors.ACCOUNT_NOT_FOUND,
        errors.DEVICE_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)
ADMIN_BANNERS: Final = Endpoint(
    name="admin_banners",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/admin/banners",
    summary="All banners: current, past and future.",
    answers={200: json_answer(BannerList)},
    access=Access.OPERATOR,
    origin=Origin.COMPLETIONS,
)
ADMIN_ADD_BANNER: Final = Endpoint(
    name="admin_add_banner",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/banners",
    summary="Adds a banner, which clients show to everybody.",
    body=BannerRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(BannerCard)},
    access=Access.OPERATOR,
    origin=Origin.COMPLETIONS,
)
ADMIN_EDIT_BANNER: Final = Endpoint(
    name="admin_edit_banner",
    host=Host.ACCOUNT,
    method="PUT",
    path="/x/v1/admin/banners/{banner_key}",
    summary="Changes a banner.",
    body=BannerEditRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(BannerCard)},
    access=Access.OPERATOR,
    errors=(errors.BANNER_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
ADMIN_REMOVE_BANNER: Final = Endpoint(
    name="admin_remove_banner",
    host=Host.ACCOUNT,
    method="DELETE",
    path="/x/v1/admin/banners/{banner_key}",
    summary="Removes a banner.",
    answers={204: EMPTY},
    access=Access.OPERATOR,
    errors=(errors.BANNER_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
ADMIN_HEALTH: Final = Endpoint(
    name="admin_health",
    host=Host.ACCOUNT,
    method="GET",
    path="/x/v1/admin/health",
    summary="The state of the server, its stores and its background jobs.",
    answers={200: json_answer(ServerHealth)},
    access=Access.OPERATOR,
    origin=Origin.COMPLETIONS,
)
ADMIN_RELEASE_BRAKE: Final = Endpoint(
    name="admin_release_brake",
    host=Host.ACCOUNT,
    method="POST",
    path="/x/v1/admin/brakes/release",
    summary="Lets a background job that a brake stopped run for a day; one that is not stopped stays as it is.",
    body=BrakeReleaseRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ServerHealth)},
    access=Access.OPERATOR,
    errors=(errors.PASSWORD_WRONG,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
