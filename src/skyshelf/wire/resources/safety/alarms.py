"""Alarms: devices that changed unusually much at once, and are paused until their owner decides."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.limits import ALARM_ALLOWED_HOURS, ALARM_LIMIT_MAX, ALARM_LIMIT_MIN
from skyshelf.wire.models import AnswerModel, RequestModel
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.passkeys import ConfirmationRequest


class Alarm(AnswerModel, frozen=True, kw_only=True):
    """A device reached the limit. `state` is `open` while it is paused, then `allowed` or `ended`.

    The counts are those of the ten minutes before `raisedDate`; `sinceDate` is when the device began. `scrambled`
    counts files whose content or name no longer had the type that they had.
    """

    device_key: str | None = None
    device_name: str | None = None
    is_app_password: bool | None = None
    is_current: bool | None = None
    raised_date: int | None = None
    since_date: int | None = None
    deleted: int | None = None
    overwritten: int | None = None
    moved: int | None = None
    scrambled: int | None = None
    state: str | None = None
    decided_date: int | None = None


class AlarmList(AnswerModel, frozen=True, kw_only=True):
    """The latest alarms, newest first. `isPaused` says whether the calling device waits for a decision."""

    alarms: list[Alarm] | None = None
    is_paused: bool | None = None


class AllowRequest(RequestModel, frozen=True, kw_only=True):
    """For how long nothing of the device counts. A device that is paused itself needs `confirmation`."""

    hours: Annotated[int, Meta(ge=1, le=720)] = ALARM_ALLOWED_HOURS
    confirmation: ConfirmationRequest | None = None


class AlarmSettings(AnswerModel, frozen=True, kw_only=True):
    """The limit of points within ten minutes, 0 for no alarm; `isOwn` if the account has chosen it."""

    limit: int | None = None
    is_own: bool | None = None


class AlarmChoice(RequestModel, frozen=True, kw_only=True):
    """A limit, 0 for no alarm, or null for the operator's. Only a stricter one needs no `confirmation`."""

    limit: Annotated[int, Meta(ge=0, le=ALARM_LIMIT_MAX)] | None
    confirmation: ConfirmationRequest | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and 0 < self.limit < ALARM_LIMIT_MIN:
            raise InvalidRequest(f"limit is 0 or at least {ALARM_LIMIT_MIN}")
