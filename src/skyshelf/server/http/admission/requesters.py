"""Whose request it is, before and after its session is checked.

A request is admitted before anything is known about its sender but the address and a credential that may be invented.
So credentials which have proved valid are remembered for a while by their digest: requests with one of them count for
the account, all others for the address, and inventing credentials earns nobody a further share.
"""

import threading
from contextvars import ContextVar
from hashlib import blake2b
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from skyshelf.server.http.admission.gate import Lease
from skyshelf.server.http.admission.kinds import Key
from skyshelf.server.http.proxies import Proxies
from skyshelf.service.audit.origins import Origin, current_origin
from skyshelf.service.networks import network_of
from skyshelf.storage.metadata.turns import current_turn

CREDENTIALS_KEPT: Final = 8192
THE_SERVER: Final = 0
"""The key of what the server does on its own; no account has this id."""
_CREDENTIAL_HEADERS: Final = {b"authorization", b"cookie"}
_NONCE: Final = b"nonce="


class Requester:
    """Whose request it is, and what the request holds until it ends."""

    __slots__ = ("_leases", "credential", "key")

    def __init__(self, key: Key, credential: bytes | None = None) -> None:
        self.key = key
        self.credential = credential
        self._leases: list[Lease] = []

    def hold(self, lease: Lease) -> None:
        """Hold it until the request ends."""
        if self.key != THE_SERVER:
            self._leases.append(lease)

    def hand_over(self, lease: Lease) -> None:
        """Somebody else gives it back."""
        if lease in self._leases:
            self._leases.remove(lease)

    def leave(self) -> None:
        while self._leases:
            self._leases.pop().release()


current_requester: ContextVar[Requester] = ContextVar("current_requester", default=Requester(THE_SERVER))  # noqa: B039


class Requesters:
    """Finds the requester of a request."""

    def __init__(self, proxies: Proxies) -> None:
        self._proxies = proxies
        self._accounts: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def requester_of(self, scope: Scope) -> Requester:
        credential = _credential_in(scope)
        account = self._accounts.get(credential) if credential is not None else None
        if account is not None:
            return Requester(account, credential)
        return Requester(network_of(self.address_of(scope)), credential)

    def address_of(self, scope: Scope) -> str:
        return self._proxies.address(Request(scope))

    def recognize(self, account_id: int) -> None:
        """The current request's credential is valid: this and further requests with it count for the account."""
        requester = current_requester.get()
        if requester.key in (account_id, THE_SERVER):
            return
        requester.key = account_id
        if requester.credential is not None:
            with self._lock:
                self._accounts[requester.credential] = account_id
                if len(self._accounts) > CREDENTIALS_KEPT:
                    del self._accounts[next(iter(self._accounts))]

    def forget(self) -> None:
        """The current request's credential is not valid, or no longer."""
        requester = current_requester.get()
        if isinstance(requester.key, int) and requester.credential is not None:
            with self._lock:
                self._accounts.pop(requester.credential, None)


class RequesterLayer:
    """A layer around the application: knows each request's requester, and gives back what the request still holds."""

    def __init__(self, app: ASGIApp, requesters: Requesters) -> None:
        self._app = app
        self._requesters = requesters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        requester = self._requesters.requester_of(scope)
        token = current_requester.set(requester)
        turn = current_turn.set(requester)
        origin = current_origin.set(Origin(lambda: self._requesters.address_of(scope)))
        try:
            await self._app(scope, receive, send)
        finally:
            current_origin.reset(origin)
            current_turn.reset(turn)
            current_requester.reset(token)
            requester.leave()


def _credential_in(scope: Scope) -> bytes | None:
    """A digest of the headers, or of the nonce in the query, that can prove a session."""
    given = [value for name, value in scope["headers"] if name in _CREDENTIAL_HEADERS]
    if not given:
        query: bytes = scope["query_string"]
        at = query.find(_NONCE)
        if at < 0:
            return None
        given = [query[at:].partition(b"&")[0]]
    return blake2b(b"\n".join(given), digest_size=16).digest()
