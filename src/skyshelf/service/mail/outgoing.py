"""Outgoing messages: jobs of the outbox, which are retried until the mail server accepts them.

A job holds no secret. The link in a message is created when it is sent, so its token exists only in the message; a
retried message has another link.
"""

import logging
from collections.abc import Iterator
from typing import Any, Final, get_args
from urllib.parse import urljoin, urlsplit

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.password_links import create_link
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.mail import incidents
from skyshelf.service.process.mail_settings import Language, MailDelayed, MailRefused, MailSettings, MessageKind
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.alarms import OPEN
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.credentials import PasswordMailRequest

_log = logging.getLogger("skyshelf.background")

SEND_MAIL: Final = "send-mail"
_DAY_MS: Final = 24 * 60 * 60 * 1000
_TRIED_DAYS: Final = 2
_NOTICES: Final = frozenset({"alarm", "export", "rewound"}) | incidents.KINDS
"""Messages without a way into the account."""
_NAME_CHARS_MAX: Final = 60
_DEVICES_MAX: Final = 10


def request_password_mail(ctx: ServiceContext, request: PasswordMailRequest, address: str) -> None:
    """Request a message for a forgotten password; the response does not depend on whether the account exists."""
    if ctx.mail is None:
        raise ServiceError(codes.MAIL_OFF)
    email = request.email_id.strip()
    buckets = login_throttle.mail_buckets(email, address)

    def work(unit: Unit, now: int) -> None:
        put_mail(unit, "new-password", request.language or "en", email, now)

    login_throttle.admit_mail(ctx, buckets, work)
    ctx.job_notifier.notify()


def put_mail(unit: Unit, kind: MessageKind, language: Language, email: str, now: int) -> None:
    """Enqueue a message; one that is already waiting is sent once."""
    unit.outbox.put(SEND_MAIL, f"{kind} {language} {now // _DAY_MS} {email}", b"", now)


def tell_owner(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Enqueue a message after an alarm, if this server sends any. The person's language is not known."""
    if ctx.mail is None:
        return
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        try:
            put_mail(unit, "alarm", "en", unit.accounts.by_id(account_id).email, now)
        except AccountMissing:
            return

    ctx.metadata.write(work)
    ctx.job_notifier.notify()
    yield


def send_mail(ctx: ServiceContext, subject: str) -> Iterator[None]:
    """Send one message, as a job."""
    kind, language, day, email = _parse(subject)
    if ctx.clock.now() // _DAY_MS - day > _TRIED_DAYS:
        _log.error("gave up on a message (%s) that could not be sent for %d days", kind, _TRIED_DAYS)
        return
    if ctx.mail is None:
        raise MailDelayed("this server has no mail server: name one with --mail")
    account = _account(ctx, kind, email)
    if account is None:
        return
    yield
    try:
        if kind == "alarm":
            send_about_alarms(ctx, ctx.mail, account)
        elif kind in incidents.KINDS:
            send_to_operator(ctx, ctx.mail, kind, account)
        elif kind == "export":
            _send(ctx, ctx.mail, kind, None, account, link=urljoin(ctx.mail.public_url, "/drive/settings"))
        elif kind == "rewound":
            _send(ctx, ctx.mail, kind, None, account, link=urljoin(ctx.mail.public_url, "/drive/"))
        else:
            link = create_link(ctx, account)
            said: MessageKind = "new-password" if account.password_hash else "invitation"
            url = link.url(ctx.mail.public_url)
            _send(ctx, ctx.mail, said, language, account, link=url, expires_at=link.expires_at)
    except MailRefused as refused:
        _log.error("a message (%s) was not sent, and is not tried again: %s", kind, refused)
    yield


def _parse(subject: str) -> tuple[MessageKind, Language, int, str]:
    given_kind, given_language, day, email = subject.split(" ", 3)
    kinds: dict[str, MessageKind] = {one: one for one in get_args(MessageKind)}
    languages: dict[str, Language] = {one: one for one in get_args(Language)}
    return kinds[given_kind], languages[given_language], int(day), email


def _account(ctx: ServiceContext, kind: MessageKind, email: str) -> Account | None:
    """Return the account, if messages may go to it."""
    try:
        with ctx.metadata.read() as unit:
            account = unit.accounts.by_email(email)
            # Someone who logs in only through a provider gets no second way in, which would outlast the provider's.
            is_way_in = kind not in _NOTICES and not account.password_hash
            if is_way_in and unit.identities.linked_among([account.account_id]):
                return None
    except AccountMissing:
        return None
    return account if account.status == "A" else None


def _send(
    ctx: ServiceContext,
    settings: MailSettings,
    kind: MessageKind,
    language: Language | None,
    account: Account,
    **facts: Any,
) -> None:
    # Imported here because most servers send no messages, and the server should start quickly.
    from skyshelf.service.mail.messages import Facts, deliver, write_message

    filled = Facts(host=urlsplit(settings.public_url).hostname or "localhost", name=account.first_name, **facts)
    message = write_message(kind, language, filled, sender=settings.sender, to=account.email, now=ctx.clock.now())
    deliver(settings, message)
    _log.info("sent a message (%s) to account %s", kind, account.account_key)


def send_about_alarms(ctx: ServiceContext, settings: MailSettings, account: Account) -> None:
    """Send the devices that wait for a decision; nothing if all have been decided in the meantime."""
    with ctx.metadata.snapshot() as unit:
        waiting = [one for one in unit.alarms.of_account(account.account_id) if one.state == OPEN]
        names = {device.device_key: device.device_name for device in unit.devices.of_account(account.account_id)}
    if not waiting:
        return
    devices = "\n".join(f"    {_name(names.get(one.device_key))}" for one in waiting[:_DEVICES_MAX])
    _send(ctx, settings, "alarm", None, account, link=urljoin(settings.public_url, "/drive/"), devices=devices)


def send_to_operator(ctx: ServiceContext, settings: MailSettings, kind: MessageKind, account: Account) -> None:
    """Send what has begun or ended; nothing if it is no longer true, or the account is no longer an operator's."""
    with ctx.metadata.read() as unit:
        since = incidents.moment_of(incidents.incidents_in(unit), kind)
    if since is None or not account.is_operator:
        return
    tab = "server" if kind.startswith("backup") else "alarms"
    link = urljoin(settings.public_url, f"/drive/admin/{tab}")
    _send(ctx, settings, kind, None, account, link=link, since=since)


def _name(name: str | None) -> str:
    """Clean a device's name: one line, without anything that a mail program would turn into a link."""
    text = "".join(char if char.isalnum() or char in "-'()" else " " for char in name or "")
    return text.strip()[:_NAME_CHARS_MAX] or "?"
