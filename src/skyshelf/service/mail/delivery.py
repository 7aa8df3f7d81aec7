"""Handing a message to the mail server."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Final

from skyshelf.service.mail_settings import MailDelayed, MailRefused, MailSettings
from skyshelf.storage.watching import noted

_SECONDS: Final = 30
_PERMANENT: Final = 500


def deliver(settings: MailSettings, message: EmailMessage) -> None:
    """Return when the mail server has taken the message."""
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
        # A program on this machine rarely has a certificate for it, and may be spoken to without TLS anyway.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


@contextmanager
def _our_errors(settings: MailSettings) -> Iterator[None]:
    """Sentences that hold no address and no password."""
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
