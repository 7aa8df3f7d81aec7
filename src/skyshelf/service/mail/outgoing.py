"""Messages to be sent: jobs of the outbox, which are tried again until the mail server takes them.

A job holds no secret. The link in a message is made when it is sent, so its token is in the message alone; a message
that is tried again has another link.
"""

import logging
from collections.abc import Iterator
from typing import Final, get_args
from urllib.parse import urlsplit

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.password_links import create_link
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.mail.alarm_mail import send_about_alarms
from skyshelf.service.mail_settings import Language, MailDelayed, MailRefused, MailSettings, MessageKind
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.welcome import PasswordMailRequest

_log = logging.getLogger("skyshelf.background")

SEND_MAIL: Final = "send-mail"
_DAY_MS: Final = 24 * 60 * 60 * 1000
_TRIED_DAYS: Final = 2


def request_password_mail(ctx: ServiceContext, request: PasswordMailRequest, address: str) -> None:
    """For somebody who has forgotten the password; what happens does not depend on whether there is an account."""
    if ctx.mail is None:
        raise ServiceError(codes.MAIL_OFF)
    email = request.email_id.strip()
    buckets = login_throttle.MailBuckets(email, address)

    def work(unit: Unit, now: int) -> None:
        put_mail(unit, "new-password", request.language or "en", email, now)

    login_throttle.admit_mail(ctx, buckets, work)
    ctx.job_notifier.notify()


def put_mail(unit: Unit, kind: MessageKind, language: Language, email: str, now: int) -> None:
    """Ask for a message; one that waits already is sent once."""
    unit.outbox.put(SEND_MAIL, f"{kind} {language} {now // _DAY_MS} {email}", b"", now)


def tell_owner(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """The job after an alarm: ask for a message, if this server sends any. The person's language is not known."""
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
    """The job: one message."""
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
        else:
            _send_link(ctx, ctx.mail, kind, language, account)
    except MailRefused as refused:
        _log.error("a message (%s) was not sent, and is not tried again: %s", kind, refused)
    yield


def _parse(subject: str) -> tuple[MessageKind, Language, int, str]:
    given_kind, given_language, day, email = subject.split(" ", 3)
    kinds: dict[str, MessageKind] = {one: one for one in get_args(MessageKind)}
    languages: dict[str, Language] = {one: one for one in get_args(Language)}
    return kinds[given_kind], languages[given_language], int(day), email


def _account(ctx: ServiceContext, kind: MessageKind, email: str) -> Account | None:
    """The account, if messages may go to it."""
    try:
        with ctx.metadata.read() as unit:
            account = unit.accounts.by_email(email)
            # Who comes in through a provider alone gets no second way in, which would outlast the provider's.
            is_way_in = kind != "alarm" and not account.password_hash
            if is_way_in and unit.identities.linked_among([account.account_id]):
                return None
    except AccountMissing:
        return None
    return account if account.status == "A" else None


def _send_link(
    ctx: ServiceContext, settings: MailSettings, kind: MessageKind, language: Language, account: Account
) -> None:
    # Most servers send no messages, and none needs them at its start.
    from skyshelf.service.mail.delivery import deliver
    from skyshelf.service.mail.messages import Facts, write_message

    link = create_link(ctx, account)
    said: MessageKind = "new-password" if account.password_hash else "invitation"
    facts = Facts(
        host=urlsplit(settings.public_url).hostname or "localhost",
        name=account.first_name,
        link=link.url(settings.public_url),
        expires_at=link.expires_at,
    )
    message = write_message(said, language, facts, sender=settings.sender, to=account.email, now=ctx.clock.now())
    deliver(settings, message)
    _log.info("sent a message (%s) to account %s", kind, account.account_key)
