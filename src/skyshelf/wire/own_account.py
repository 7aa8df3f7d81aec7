"""What people change about their own account. No request shows its secrets in a log or a traceback."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.bases import AnswerModel, Label, RequestModel
from skyshelf.wire.limits import PASSWORD_CHARS_MAX
from skyshelf.wire.session import DeviceKey

_Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]


class PasswordChangeRequest(RequestModel, frozen=True, kw_only=True):
    """The password that is, and the one that shall be, of at least 8 characters."""

    old_password: _Password
    new_password: _Password

    def __repr__(self) -> str:
        return "PasswordChangeRequest(<hidden>)"


class EndedSessions(AnswerModel, frozen=True, kw_only=True):
    """How many other sessions have ended."""

    ended_sessions: int | None = None


class ProfileEditRequest(RequestModel, frozen=True, kw_only=True):
    """The names that others see; what is absent stays as it is."""

    first_name: Label | None = None
    last_name: Label | None = None


class OwnDevice(AnswerModel, frozen=True, kw_only=True):
    """A device of the account. It has one session at most; without one, the dates of the session are absent."""

    device_key: str
    device_name: str | None = None
    device_type: str | None = None
    platform_type: str | None = None
    created_date: int | None = None
    last_seen_date: int | None = None
    is_logged_in: bool | None = None
    is_current: bool | None = None
    login_date: int | None = None
    session_end_date: int | None = None


class OwnDevices(AnswerModel, frozen=True, kw_only=True):
    """Every device of the account, the one that was seen last at the front."""

    devices: list[OwnDevice] | None = None


class DeviceRequest(RequestModel, frozen=True, kw_only=True):
    """Which device."""

    device_key: DeviceKey


class AccountDeletionRequest(RequestModel, frozen=True, kw_only=True):
    """The password, so that nobody who finds an open session can delete the account."""

    password: _Password

    def __repr__(self) -> str:
        return "AccountDeletionRequest(<hidden>)"


class AccountDeletion(AnswerModel, frozen=True, kw_only=True):
    """When the account goes for good."""

    deletion_date: int | None = None
