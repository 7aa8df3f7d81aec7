"""The texts of messages, in English and German."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import Final, NamedTuple

from skyshelf.service.mail_settings import Language, MessageKind
from skyshelf.wire.times import from_epoch_ms


class Text(NamedTuple):
    subject: str
    body: str


TEXTS: Final[dict[MessageKind, dict[Language, Text]]] = {
    "invitation": {
        "en": Text(
            "Your account at {host}",
            "Hello {name},\n\n"
            "there is an account for you at {host}. Choose a password here:\n\n"
            "{link}\n\n"
            "The link works once, until {until}. If it has ended, ask for another.\n",
        ),
        "de": Text(
            "Dein Konto bei {host}",
            "Hallo {name},\n\n"
            "bei {host} gibt es ein Konto für dich. Wähle hier ein Passwort:\n\n"
            "{link}\n\n"
            "Der Link gilt einmal, bis {until}. Ist er abgelaufen, bitte um einen neuen.\n",
        ),
    },
    "new-password": {
        "en": Text(
            "A new password for {host}",
            "Hello {name},\n\n"
            "somebody, probably you, asked for a new password for your account at {host}. Choose one here:\n\n"
            "{link}\n\n"
            "The link works once, until {until}. Your old password works until you have chosen another.\n"
            "If you did not ask for this, there is nothing to do: nobody else has this link.\n",
        ),
        "de": Text(
            "Ein neues Passwort für {host}",
            "Hallo {name},\n\n"
            "jemand, wahrscheinlich du, möchte ein neues Passwort für dein Konto bei {host}. Wähle es hier:\n\n"
            "{link}\n\n"
            "Der Link gilt einmal, bis {until}. Bis dahin gilt dein altes Passwort. Hast du nicht darum gebeten, ist\n"
            "nichts zu tun: Niemand sonst hat diesen Link.\n",
        ),
    },
    "alarm": {
        "en": Text(
            "A device was paused at {host}",
            "Hello {name},\n\n"
            "a device has changed unusually much in your account at {host}, and is paused until you decide:\n\n"
            "{devices}\n\n"
            "Nothing is lost: everything that it did can be undone. Look at it here, and allow the device,\n"
            "log it out, or undo what it did:\n\n"
            "{link}\n",
        ),
        "de": Text(
            "Ein Gerät wurde angehalten bei {host}",
            "Hallo {name},\n\n"
            "ein Gerät hat ungewöhnlich viel in deinem Konto bei {host} geändert.\n"
            "Es ist angehalten, bis du entscheidest:\n\n"
            "{devices}\n\n"
            "Nichts ist verloren: Alles lässt sich rückgängig machen. Sieh es dir hier an: Erlaube es,\n"
            "melde das Gerät ab, oder mache rückgängig, was es getan hat:\n\n"
            "{link}\n",
        ),
    },
    "test": {
        "en": Text("A test from {host}", "Messages from {host} arrive.\n"),
        "de": Text("Ein Test von {host}", "Nachrichten von {host} kommen an.\n"),
    },
}


class Facts(NamedTuple):
    """What a message says beside its text."""

    host: str
    name: str = ""
    link: str = ""
    expires_at: int = 0
    devices: str = ""


def write_message(
    kind: MessageKind, language: Language | None, facts: Facts, *, sender: str, to: str, now: int
) -> EmailMessage:
    """A message that can be sent; in both languages, if the person's is not known."""
    texts = TEXTS[kind].values() if language is None else [TEXTS[kind][language]]
    until = f"{from_epoch_ms(facts.expires_at):%Y-%m-%d %H:%M} UTC"
    said = {"host": facts.host, "name": facts.name, "link": facts.link, "until": until, "devices": facts.devices}
    message = EmailMessage(SMTP)
    message["From"] = sender
    message["To"] = Address(addr_spec=to)
    message["Subject"] = " / ".join(text.subject for text in texts).format(**said)
    message["Date"] = format_datetime(from_epoch_ms(now))
    message["Message-ID"] = make_msgid(domain=facts.host)
    # No automatic answer comes back.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(text.body for text in texts).format(**said))
    return message
