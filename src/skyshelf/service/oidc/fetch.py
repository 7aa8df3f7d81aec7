"""Requests to a provider: bounded in time, size and number, over TLS, and without redirects.

Addresses that a provider names come from outside, so each is checked before it is used.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from skyshelf.service.oidc.settings import WrongSetting, check_address
from skyshelf.storage.watching import noted
from skyshelf.wire.version import VERSION

SECONDS_MAX: Final = 10.0
BYTES_MAX: Final = 512 * 1024
AT_ONCE_MAX: Final = 8
"""Maximum per process: a slow provider must not hold all threads."""
_PATIENCE_SECONDS: Final = 1.0
_REDIRECTS: Final = range(300, 400)
_slots = threading.BoundedSemaphore(AT_ONCE_MAX)


class OidcError(Exception):
    """The base of all errors of login providers, each a sentence for the log and for `skyshelf admin oidc test`.

    No sentence contains a token, a code or a secret.
    """


class ProviderUnavailable(OidcError):
    """The provider is unreachable, or its response is unusable: retry later, or correct its settings."""


class ProviderBusy(OidcError):
    """Too many requests of this server already wait for providers."""


class Answer(msgspec.Struct, frozen=True):
    status: int
    body: bytes

    def json(self, what: str) -> dict[str, Any]:
        """Decode the JSON object in the body."""
        try:
            found = msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ProviderUnavailable(f"{what} is not a JSON object")
        return found


def fetch(
    url: str, what: str, *, form: bytes | None = None, headers: Mapping[str, str] = {}, seconds: float = SECONDS_MAX
) -> Answer:
    """GET, or POST a form; `what` is for error messages. ProviderUnavailable if no useful response arrives in time."""
    try:
        check_address(url)
    except WrongSetting as wrong:
        raise ProviderUnavailable(f"the address of {what} {wrong}") from None
    if not _slots.acquire(timeout=_PATIENCE_SECONDS):
        raise ProviderBusy("too many logins wait for providers: try again in a moment")
    try:
        with noted("provider", "fetch"):
            return _fetch(url, what, form, headers, seconds)
    finally:
        _slots.release()


def _fetch(url: str, what: str, form: bytes | None, headers: Mapping[str, str], seconds: float) -> Answer:
    parts = urlsplit(url)
    host = parts.hostname or ""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(host, parts.port, timeout=seconds)
    sent = {"accept": "application/json", "user-agent": f"skyshelf/{VERSION}", "connection": "close", **headers}
    if form is not None:
        sent["content-type"] = "application/x-www-form-urlencoded"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    deadline = _Deadline(seconds)
    try:
        with deadline:
            connection.sock = _connected(host, connection.port, deadline, is_tls=parts.scheme == "https")
            connection.request("GET" if form is None else "POST", target, form, sent)
            with connection.getresponse() as response:
                if response.status in _REDIRECTS:
                    raise ProviderUnavailable(
                        f"{what} at {host} is redirected, which is refused: name the address that it leads to"
                    )
                body = response.read(BYTES_MAX + 1)
    except ssl.SSLCertVerificationError as error:
        raise ProviderUnavailable(f"the certificate of {host} is not valid: {error.verify_message}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        if deadline.is_over or isinstance(error, TimeoutError):
            raise ProviderUnavailable(f"{what} at {host} took longer than {seconds:g} s") from None
        raise ProviderUnavailable(f"{what} at {host} cannot be fetched: {_reason(error)}") from None
    finally:
        connection.close()
    if deadline.is_over:
        raise ProviderUnavailable(f"{what} at {host} took longer than {seconds:g} s")
    if len(body) > BYTES_MAX:
        raise ProviderUnavailable(f"{what} at {host} is larger than {BYTES_MAX // 1024} KiB")
    return Answer(response.status, body)


def _connected(host: str, port: int, deadline: "_Deadline", *, is_tls: bool) -> socket.socket:
    connected = deadline.watched = socket.create_connection((host, port), deadline.seconds)
    if not is_tls:
        return connected
    context = ssl.create_default_context()
    secure = deadline.watched = context.wrap_socket(connected, server_hostname=host, do_handshake_on_connect=False)
    try:
        secure.do_handshake()
    except BaseException:
        secure.close()
        raise
    return secure


def _reason(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return "the name of the host is unknown"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__


class _Deadline:
    """Ends a connection that takes too long in total, however short each wait is."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.watched: socket.socket | None = None
        self.is_over = False
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        if self.watched is not None:
            with suppress(OSError):
                # Wakes the thread that waits for this socket. TLS need not be closed properly.
                socket.socket.shutdown(self.watched, socket.SHUT_RDWR)
