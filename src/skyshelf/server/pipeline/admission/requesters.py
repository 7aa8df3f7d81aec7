"""Whose request it is, before and after its session is checked.

A request is admitted when nothing is known about its sender but the address and a credential that may be invented.
So credentials that have proved valid are remembered for a while by their digest: requests with one of them count for
the account, all others for the address, and inventing credentials earns nobody a further share.
"""

import threading
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from skyshelf.server.pipeline.admission.fair_queue import Lease
from skyshelf.server.pipeline.admission.kinds import Key
from skyshelf.server.pipeline.request import ServerRequest

CREDENTIALS_KEPT: Final = 8192
THE_SERVER: Final = 0
"""The key of the server's own work; no account has this id."""
_NONCE: Final = b"nonce="


@dataclass(slots=True, eq=False)
class Requester:
    """Whose request it is, and what the request holds until it ends."""

    key: Key
    credential: bytes | None = None
    leases: list[Lease] = field(default_factory=list, init=False)

    def hold(self, lease: Lease) -> None:
        if self.key != THE_SERVER:
            self.leases.append(lease)

    def hand_over(self, lease: Lease) -> None:
        """Leave the release of a lease to somebody else."""
        if lease in self.leases:
            self.leases.remove(lease)

    def leave(self) -> None:
        while self.leases:
            self.leases.pop().release()


current_requester: ContextVar[Requester] = ContextVar("current_requester", default=Requester(THE_SERVER))  # noqa: B039


class Requesters:
    def __init__(self) -> None:
        self._accounts: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of credentials that are remembered."""
        return len(self._accounts)

    def requester_of(self, request: ServerRequest) -> Requester:
        """Return the request's account, if known or its credential has proved valid before; else its network."""
        if request.identity is not None:
            return Requester(request.identity.caller.account_id)
        credential = _credential_of(request)
        account = self._accounts.get(credential) if credential is not None else None
        return Requester(request.head.network if account is None else account, credential)

    def remember(self, request: ServerRequest, account_id: int) -> None:
        """Remember a valid credential: further requests with it count for the account from the start."""
        credential = self._credential(request)
        if credential is not None and self._accounts.get(credential) != account_id:
            with self._lock:
                self._accounts[credential] = account_id
                if len(self._accounts) > CREDENTIALS_KEPT:
                    del self._accounts[next(iter(self._accounts))]

    def forget(self, request: ServerRequest) -> None:
        """Forget a credential that is not, or no longer, valid."""
        credential = self._credential(request)
        if credential in self._accounts:
            with self._lock:
                self._accounts.pop(credential, None)

    @staticmethod
    def _credential(request: ServerRequest) -> bytes | None:
        known = request.requester.credential if request.requester is not None else None
        return known or _credential_of(request)


def _credential_of(request: ServerRequest) -> bytes | None:
    """Return a digest of the headers, or of the nonce in the query, that can prove who the caller is."""
    if request.head.credential is not None:
        return request.head.credential
    query: bytes = request.scope["query_string"]
    at = query.find(_NONCE)
    return None if at < 0 else blake2b(query[at:].partition(b"&")[0], digest_size=16).digest()
