"""Alarms, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.safety.alarms import AlarmChoice, AlarmList, AlarmSettings, AllowRequest

ALARMS: Final = Endpoint(
    name="alarms",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/alarms",
    summary="Devices that changed unusually much at once, and what was decided about them.",
    answers={200: json_answer(AlarmList)},
    origin=Origin.COMPLETIONS,
)
ALLOW_DEVICE: Final = Endpoint(
    name="allow_device",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/alarms/{device_key}/allow",
    summary="Lets a paused device go on. From a device that is paused itself, it takes what a login takes.",
    body=AllowRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(AlarmList)},
    errors=(errors.DEVICE_NOT_FOUND, *errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    origin=Origin.COMPLETIONS,
)
END_PAUSED_SESSION: Final = Endpoint(
    name="end_paused_session",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/alarms/{device_key}/end",
    summary="Logs out a paused device; of an app, its password is revoked.",
    answers={200: json_answer(AlarmList)},
    errors=(errors.DEVICE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
ALARM_SETTINGS: Final = Endpoint(
    name="alarm_settings",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/alarms/settings",
    summary="The limit at which a device is paused.",
    answers={200: json_answer(AlarmSettings)},
    origin=Origin.COMPLETIONS,
)
SET_ALARM_LIMIT: Final = Endpoint(
    name="set_alarm_limit",
    host=Host.METADATA,
    method="PUT",
    path="/x/v1/alarms/settings",
    summary="Chooses the limit at which a device is paused, or turns the alarm off.",
    body=AlarmChoice,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(AlarmSettings)},
    errors=(*errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    origin=Origin.COMPLETIONS,
)
