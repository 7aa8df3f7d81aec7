"""Messages: their texts in English and German, which are in messages.json, and their delivery to the mail server."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from skyshelf.service.process.mail_settings import Language, MailDelayed, MailRefused, MailSettings, MessageKind
from skyshelf.storage.watching import noted
from skyshelf.wire.times import from_epoch_ms


class Text(msgspec.Struct, frozen=True):
    subject: str
    body: list[str]
    """The lines."""


_TEXTS: Final = msgspec.json.decode(
    Path(__file__).with_name("messages.json").read_bytes(), type=dict[MessageKind, dict[Language, Text]]
)


class Facts(NamedTuple):
    """The values that fill a message's text."""

    host: str
    name: str = ""
    link: str = ""
    expires_at: int = 0
    devices: str = ""
    since: int = 0


def write_message(
    kind: MessageKind, language: Language | None, facts: Facts, *, sender: str, to: str, now: int
) -> EmailMessage:
    """Write a message; in both languages if the person's is not known."""
    texts = _TEXTS[kind].values() if language is None else [_TEXTS[kind][language]]
    said = {
        "host": facts.host,
        "name": facts.name,
        "link": facts.link,
        "until": _moment(facts.expires_at),
        "devices": facts.devices,
        "since": _moment(facts.since),
    }
    message = EmailMessage(SMTP)
    message["From"] = sender
    message["To"] = Address(addr_spec=to)
    message["Subject"] = " / ".join(text.subject for text in texts).format(**said)
    message["Date"] = format_datetime(from_epoch_ms(now))
    message["Message-ID"] = make_msgid(domain=facts.host)
    # Prevents automatic replies.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join("\n".join((*text.body, "")) for text in texts).format(**said))
    return message


def _moment(at: int) -> str:
    return f"{from_epoch_ms(at):%Y-%m-%d %H:%M} UTC"


# Delivery

_SECONDS: Final = 30
_PERMANENT: Final = 500


def deliver(settings: MailSettings, message: EmailMessage) -> None:
    """Deliver a message; returns once the mail server has accepted it."""
    with _our_errors(settings), noted("mail", "send"), _connected(settings) as server:
        if not settings.is_tls:
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=_tls(settings))
            elif not settings.may_be_plain:
                raise MailRefused(f"the mail server {settings.host} offers no TLS: nothing was sent")
        if settings.user is not None and settings.password is not None:
            server.login(settings.user, settings.password)
        server.send_message(message)


def _connected(settings: MailSettings) -> smtplib.SMTP:
    if settings.is_tls:
        return smtplib.SMTP_SSL(settings.host, settings.port, timeout=_SECONDS, context=_tls(settings))
    return smtplib.SMTP(settings.host, settings.port, timeout=_SECONDS)


def _tls(settings: MailSettings) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if settings.may_be_plain:
        # A program on this machine rarely has a certificate, and may be reached without TLS anyway.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


@contextmanager
def _our_errors(settings: MailSettings) -> Iterator[None]:
    """Translate errors to sentences that contain no address and no password."""
    where = f"the mail server {settings.host}"
    try:
        yield
    except smtplib.SMTPAuthenticationError as error:
        # An operator corrects the password, and the message goes out.
        raise MailDelayed(f"{where} refuses the user or the password (code {error.smtp_code})") from None
    except smtplib.SMTPRecipientsRefused as error:
        code = min(code for code, _ in error.recipients.values())
        raise _refusal(code)(f"{where} refuses the recipient (code {code})") from None
    except smtplib.SMTPResponseException as error:
        raise _refusal(error.smtp_code)(f"{where} refuses the message (code {error.smtp_code})") from None
    except smtplib.SMTPNotSupportedError:
        raise MailRefused(f"{where} cannot send to this address, or offers no login") from None
    except ssl.SSLCertVerificationError as error:
        raise MailDelayed(f"the certificate of {where} is not valid: {error.verify_message}") from None
    except (smtplib.SMTPException, OSError) as error:
        raise MailDelayed(f"{where} cannot be reached: {type(error).__name__}") from None


def _refusal(code: int) -> type[Exception]:
    return MailRefused if code >= _PERMANENT else MailDelayed
