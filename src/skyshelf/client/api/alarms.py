"""Alarms of the account."""

from skyshelf.client.api.calls import Calls, confirmation
from skyshelf.client.engine.requests import checked
from skyshelf.wire.endpoints.history import ALARM_SETTINGS, ALARMS, ALLOW_DEVICE, END_PAUSED_SESSION, SET_ALARM_LIMIT
from skyshelf.wire.limits import ALARM_ALLOWED_HOURS
from skyshelf.wire.resources.history import Alarm, AlarmChoice, AlarmSettings, AllowRequest


class AsyncAlarms(Calls):
    """Devices that are paused because they deleted, replaced or moved an unusual number of files.

    An extension: see `NotOfferedError`.

    Example:
        ```python
        for alarm in client.alarms.list():
            if alarm.state == "open":
                client.alarms.end(alarm.device_key)
        ```
    """

    _feature = "pause devices that change unusually much"

    async def list(self) -> list[Alarm]:
        """List the latest alarms, newest first; those that are `open` pause their device."""
        return (await self._call(ALARMS)).alarms or []

    async def allow(
        self, device_key: str, *, hours: int = ALARM_ALLOWED_HOURS, password: str | None = None, code: str | None = None
    ) -> None:
        """Let a paused device continue.

        Args:
            device_key: The device.
            hours: How long its changes do not count towards the limit.
            password: The account's password, if this device itself is paused.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: This device is paused itself, and the password is missing or wrong.
            ObjectNotFoundError: The device is not paused.
        """
        body = checked(AllowRequest, hours=hours, confirmation=confirmation(password, code))
        await self._call(ALLOW_DEVICE, body=body, keys={"device_key": device_key})

    async def end(self, device_key: str) -> None:
        """Log out a paused device; the password of an app is revoked.

        Args:
            device_key: The device.

        Raises:
            ObjectNotFoundError: The device is not paused.
        """
        await self._call(END_PAUSED_SESSION, keys={"device_key": device_key})

    async def settings(self) -> AlarmSettings:
        """Get the limit at which a device is paused."""
        return await self._call(ALARM_SETTINGS)

    async def set_limit(
        self, limit: int | None, *, password: str | None = None, code: str | None = None
    ) -> AlarmSettings:
        """Choose the limit at which a device is paused.

        Args:
            limit: Points within ten minutes; 0 turns the alarm off, and None uses the operator's default.
            password: The account's password, unless the limit becomes stricter.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is missing or wrong.
        """
        body = checked(AlarmChoice, limit=limit, confirmation=confirmation(password, code))
        return await self._call(SET_ALARM_LIMIT, body=body)
