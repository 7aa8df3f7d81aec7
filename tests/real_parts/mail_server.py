"""A real mail server on this machine that keeps what it takes: aiosmtpd, with STARTTLS, TLS, logins and refusals."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Condition

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


class MailServer:
    """What it took, and what it answers instead of taking a message."""

    def __init__(self, login: tuple[str, str] | None) -> None:
        self.login = login
        self.refusal: str | None = None
        self.received: list[EmailMessage] = []
        self.attempts = 0
        self._changed = Condition()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - theirs
        with self._changed:
            self.attempts += 1
            if self.refusal is None:
                assert isinstance(envelope.content, bytes)
                message = message_from_bytes(envelope.content, policy=policy.default)
                assert isinstance(message, EmailMessage)
                self.received.append(message)
            self._changed.notify_all()
        return self.refusal or "250 taken"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        given = (data.login.decode(), data.password.decode())
        return AuthResult(success=given == self.login, handled=False)

    def wait_for(self, count: int, seconds: float = 60) -> list[EmailMessage]:
        """What it has taken, once there is that much."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.received) >= count, seconds), "no message came"
            return list(self.received)


class Running:
    def __init__(self, server: MailServer, port: int, scheme: str) -> None:
        self.server = server
        self.url = f"{scheme}://{f'{server.login[0]}@' if server.login else ''}localhost:{port}"


@contextmanager
def running_mail_server(
    *, tls: ssl.SSLContext | None = None, from_start: bool = False, login: tuple[str, str] | None = None
) -> Iterator[Running]:
    """At a free port, until the end."""
    server = MailServer(login)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    controller = Controller(
        server,
        hostname="127.0.0.1",
        port=port,
        ssl_context=tls if from_start else None,
        tls_context=None if from_start else tls,
        authenticator=server.authenticate if login else None,
        auth_required=login is not None,
        auth_require_tls=not from_start and login is not None,
    )
    controller.start()
    try:
        yield Running(server, port, "smtps" if from_start else "smtp")
    finally:
        controller.stop()
