"""Authentication with an app password: from a Basic header to an app.

An app that was found is remembered until anything is committed, as sessions are: a revoked password is refused at once,
and a client that reads costs no query for that.
"""

import base64
import binascii
import threading
from hashlib import blake2b
from typing import Final, NamedTuple

from skyshelf.service.accounts.app_passwords import App, by_password
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import TOKEN_CHARS_MAX

CHALLENGE: Final = 'Basic realm="Skyshelf", charset="UTF-8"'
_REMEMBERED_MAX: Final = 1024
_SCHEME: Final = "basic "


class Authenticated(NamedTuple):
    app: App
    version: object
    """That of the store before the app was looked up."""
    since: int


class Apps:
    """Finds the app of a request."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._ctx = ctx
        self._known: dict[bytes, Authenticated] = {}
        self._lock = threading.Lock()

    def known(self, authorization: str | None) -> App | None:
        """The app that a header authenticates, if it is remembered; without a query, so that the event loop may ask."""
        if authorization is None:
            return None
        known = self._known.get(_mark(authorization))
        if known is None or known.version != self._ctx.metadata.version():
            return None
        return known.app if known.since <= self._ctx.clock.now() < known.app.touched_until else None

    def find(self, authorization: str | None, address: str) -> App:
        """The app that a header authenticates; for a worker thread."""
        if authorization is None:
            raise ServiceError(codes.APP_PASSWORD_REFUSED, "An app password is needed")
        known = self.known(authorization)
        if known is not None:
            return known
        version, now, mark = self._ctx.metadata.version(), self._ctx.clock.now(), _mark(authorization)
        email, password = credentials_in(authorization)
        app = by_password(self._ctx, email, password, address)
        if version is not None:
            self._remember(mark, Authenticated(app, version, now))
        return app

    def _remember(self, mark: bytes, found: Authenticated) -> None:
        with self._lock:
            self._known.pop(mark, None)
            self._known[mark] = found
            if len(self._known) > _REMEMBERED_MAX:
                del self._known[next(iter(self._known))]


def _mark(authorization: str) -> bytes:
    """Only a digest is kept: no password stays in the memory for longer than its request."""
    return blake2b(authorization.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def credentials_in(authorization: str) -> tuple[str, str]:
    """Name and password in a Basic header; ServiceError where there are none."""
    if len(authorization) <= TOKEN_CHARS_MAX and authorization[: len(_SCHEME)].lower() == _SCHEME:
        try:
            given = base64.b64decode(authorization[len(_SCHEME) :].strip(), validate=True)
        except (binascii.Error, ValueError):
            given = b""
        name, colon, password = _text(given).partition(":")
        if colon:
            return name, password
    raise ServiceError(codes.APP_PASSWORD_REFUSED)


def _text(given: bytes) -> str:
    """UTF-8, as the challenge says; some clients send Latin-1 nevertheless."""
    try:
        return given.decode()
    except UnicodeDecodeError:
        return given.decode("latin-1")
