"""Authentication with an app password: from a Basic header to an app.

On an embedded store, the event loop finds an app without a thread, and remembers it until anything is committed, as it
does with sessions: a revoked password is refused at once, and a client that reads costs no query for that.
"""

import base64
import binascii
from hashlib import blake2b
from typing import Final, NamedTuple

from skyshelf.service.accounts.app_passwords import App, by_password, without_a_write
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
    """That of the store, as the event loop saw it before the app was looked up."""
    since: int


class Apps:
    """Finds the app of a request."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._ctx = ctx
        self._known: dict[bytes, Authenticated] = {}

    def find_now(self, authorization: str | None, version: object | None) -> App | None:
        """The app that a header authenticates, for the event loop alone, which has just read the store's version.

        None where `find` has to decide, and always if the store is asked over a network, which has no version.
        """
        if authorization is None or version is None:
            return None
        mark, now = _mark(authorization), self._ctx.clock.now()
        known = self._known.get(mark)
        if known is not None and known.version == version and known.since <= now < known.app.touched_until:
            return known.app
        try:
            email, password = credentials_in(authorization)
        except ServiceError:
            return None
        app = without_a_write(self._ctx, email, password)
        if app is not None:
            self._remember(mark, Authenticated(app, version, now))
        return app

    def find(self, authorization: str | None, address: str) -> App:
        """The app that a header authenticates; for a worker thread."""
        if authorization is None:
            raise ServiceError(codes.APP_PASSWORD_REFUSED, "An app password is needed")
        email, password = credentials_in(authorization)
        return by_password(self._ctx, email, password, address)

    def _remember(self, mark: bytes, found: Authenticated) -> None:
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
