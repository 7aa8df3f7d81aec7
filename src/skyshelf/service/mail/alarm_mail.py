"""The message about devices that are paused, which somebody who is not looking at the drive gets."""

import logging
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urljoin, urlsplit

from skyshelf.service.context import ServiceContext
from skyshelf.service.mail_settings import MailSettings
from skyshelf.storage.metadata.alarms.contract import OPEN, Alarm
from skyshelf.storage.metadata.contracts.accounts import Account

_log = logging.getLogger("skyshelf.background")

_NAME_CHARS_MAX: Final = 60
_DEVICES_MAX: Final = 10


def send_about_alarms(ctx: ServiceContext, settings: MailSettings, account: Account) -> None:
    """Name the devices that wait for a decision. If all are decided about by now, there is nothing to send."""
    # Most servers send no messages, and none needs them at its start.
    from skyshelf.service.mail.delivery import deliver
    from skyshelf.service.mail.messages import Facts, write_message

    with ctx.metadata.snapshot() as unit:
        waiting = [one for one in unit.alarms.of_account(account.account_id) if one.state == OPEN]
        names = {device.device_key: device.device_name for device in unit.devices.of_account(account.account_id)}
    if not waiting:
        return
    facts = Facts(
        host=urlsplit(settings.public_url).hostname or "localhost",
        name=account.first_name,
        link=urljoin(settings.public_url, "/drive/"),
        devices=_lines(waiting, names),
    )
    message = write_message("alarm", None, facts, sender=settings.sender, to=account.email, now=ctx.clock.now())
    deliver(settings, message)
    _log.info("sent a message (alarm) to account %s", account.account_key)


def _lines(waiting: Sequence[Alarm], names: Mapping[str, str]) -> str:
    return "\n".join(f"    {_name(names.get(one.device_key))}" for one in waiting[:_DEVICES_MAX])


def _name(name: str | None) -> str:
    """As a device calls itself, on one line, and without anything that a mail program would turn into a link."""
    text = "".join(char if char.isalnum() or char in "-'()" else " " for char in name or "")
    return text.strip()[:_NAME_CHARS_MAX] or "?"
