"""Beyond the interface: what people change about their own account."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.account import UserProfile
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.own_account import (
    AccountDeletion,
    AccountDeletionRequest,
    DeviceRequest,
    EndedSessions,
    OwnDevices,
    PasswordChangeRequest,
    ProfileEditRequest,
)

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

ENDPOINTS: Final = (
    CHANGE_PASSWORD,
    EDIT_PROFILE,
    OWN_DEVICES,
    END_SESSION,
    END_OTHER_SESSIONS,
    REMOVE_DEVICE,
    DELETE_ACCOUNT,
    KEEP_ACCOUNT,
)
