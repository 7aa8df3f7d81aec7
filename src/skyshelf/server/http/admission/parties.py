"""Whose request it is, before and after its session is checked.

A request is admitted before anything is known about its sender but the address and a credential that may be invented.
So credentials which have proved valid are remembered for a while by their digest: requests with one of them count for
the account, all others for the address, and inventing credentials earns nobody a further share.
"""

import threading
from contextvars import ContextVar
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from skyshelf.server.http.admission.gate import Lease
from skyshelf.server.http.admission.kinds import Key
from skyshelf.server.http.proxies import Proxies
from skyshelf.service.accounts.login_throttle import network_of
from skyshelf.storage.metadata.turns import current_turn

CREDENTIALS_KEPT: Final = 8192
THE_SERVER: Final = 0
"""The key of what the server does on its own; no account has this id."""
_CREDENTIAL_HEADERS: Final = {b"authorization", b"cookie"}
_NONCE: Final = b"nonce="

_network_of = lru_cache(4096)(network_of)


class Party:
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


current_party: ContextVar[Party] = ContextVar("current_party", default=Party(THE_SERVER))  # noqa: B039


class Parties:
    """Finds the party of a request."""

    def __init__(self, proxies: Proxies) -> None:
        self._proxies = proxies
        self._accounts: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def party_of(self, scope: Scope) -> Party:
        credential = _credential_in(scope)
        account = self._accounts.get(credential) if credential is not None else None
        if account is not None:
            return Party(account, credential)
        return Party(_network_of(self._proxies.address(Request(scope))), credential)

    def recognize(self, account_id: int) -> None:
        """The current request's credential is valid: this and further requests with it count for the account."""
        party = current_party.get()
        if party.key in (account_id, THE_SERVER):
            return
        party.key = account_id
        if party.credential is not None:
            with self._lock:
                self._accounts[party.credential] = account_id
                if len(self._accounts) > CREDENTIALS_KEPT:
                    del self._accounts[next(iter(self._accounts))]

    def forget(self) -> None:
        """The current request's credential is not valid, or no longer."""
        party = current_party.get()
        if isinstance(party.key, int) and party.credential is not None:
            with self._lock:
                self._accounts.pop(party.credential, None)


class PartyLayer:
    """A layer around the application: knows each request's party, and gives back what the request still holds."""

    def __init__(self, app: ASGIApp, parties: Parties) -> None:
        self._app = app
        self._parties = parties

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        party = self._parties.party_of(scope)
        token = current_party.set(party)
        turn = current_turn.set(party)
        try:
            await self._app(scope, receive, send)
        finally:
            current_turn.reset(turn)
            current_party.reset(token)
            party.leave()


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
