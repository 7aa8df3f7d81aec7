"""The settings of the mail server, the kinds of messages, and errors of delivery."""

from typing import Final, Literal
from urllib.parse import unquote, urlsplit

import msgspec

from skyshelf.wire.public_url import is_loopback

Language = Literal["en", "de"]
MessageKind = Literal[
    "invitation",
    "new-password",
    "alarm",
    "export",
    "rewound",
    "backup-failed",
    "backup-overdue",
    "backup-well",
    "devices-paused",
    "devices-decided",
    "test",
]

_PORTS: Final = {"smtp": 587, "smtps": 465}


class MailSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The mail server. `smtps` uses TLS from the first byte; `smtp` starts TLS before anything else."""

    host: str
    port: int
    is_tls: bool
    sender: str
    """The From header: `Skyshelf <drive@example.org>`."""
    public_url: str
    """The service's public address, with which links in messages begin."""
    user: str | None = None
    password: str | None = None
    tells_operators: bool = True
    """Whether operators get messages about backups and alarms."""

    def __repr__(self) -> str:
        return f"MailSettings({self.host}:{self.port})"

    @property
    def may_be_plain(self) -> bool:
        """Whether TLS may be missing: only for a program on this machine, and without a password."""
        return self.password is None and is_loopback(self.host)


def mail_settings(url: str, *, sender: str | None, password: str | None, public_url: str | None) -> MailSettings:
    """Parse the operator's options; ValueError, with a sentence, for what cannot be used."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("--mail is the mail server's URL: smtps://user@mail.example.org or smtp://localhost:25")
    if parts.password is not None:
        raise ValueError(
            "the URL of --mail must not contain the password: write it into a file for --mail-password-file"
        )
    if public_url is None:
        raise ValueError("--mail needs --public-url: the links in messages begin with it")
    user = unquote(parts.username) if parts.username else None
    if (user is None) != (password is None):
        raise ValueError("a user in --mail and --mail-password-file belong together: name both, or neither")
    try:
        port = parts.port
    except ValueError as wrong:
        raise ValueError(f"the port in --mail is not one: {wrong}") from wrong
    return MailSettings(
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        is_tls=parts.scheme == "smtps",
        sender=_sender(sender, public_url),
        public_url=public_url,
        user=user,
        password=password,
    )


def _sender(text: str | None, public_url: str) -> str:
    # Imported here because only the process that reads the settings needs them.
    from email.errors import HeaderParseError
    from email.headerregistry import Address
    from email.utils import parseaddr

    host = urlsplit(public_url).hostname or "localhost"
    name, address = parseaddr(text or f"Skyshelf <skyshelf@{host}>")
    try:
        if (text or "").isprintable() and address.isascii() and "@" in address:
            return str(Address(display_name=name, addr_spec=address))
    except (ValueError, IndexError, HeaderParseError):
        # Reported below.
        pass
    raise ValueError("--mail-from is an address: drive@example.org, or 'Our drive <drive@example.org>'")


class MailRefused(Exception):
    """The mail server rejects this message permanently."""


class MailDelayed(Exception):
    """The mail server cannot be reached or is busy: retry later."""
