"""Where a call comes from: the address, the session, or the command that an operator runs.

The server sets it for each request, `skyshelf admin` for each command. Events are recorded with it, so that no function
has to pass it on.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Protocol


class Acting(Protocol):
    """The account that calls, and the device it uses."""

    @property
    def account_id(self) -> int: ...
    @property
    def account_key(self) -> str: ...
    @property
    def device_key(self) -> str: ...


class Origin:
    """The origin of a call; its address is found when it is needed, which most requests never do."""

    __slots__ = ("_address", "actor", "caller")

    def __init__(self, address: Callable[[], str] | None = None, *, actor: str = "") -> None:
        self._address = address
        self.actor = actor
        """Who acts besides an account: `command:` and the user who runs it."""
        self.caller: Acting | None = None
        """The account and device, once they are known."""

    @property
    def address(self) -> str:
        return "" if self._address is None else self._address()


NOWHERE = Origin()
"""That of background jobs, and of programs that use the service directly."""
current_origin: ContextVar[Origin] = ContextVar("current_origin", default=NOWHERE)


def note_caller(caller: Acting) -> None:
    """The current request is this caller's."""
    origin = current_origin.get()
    if origin is not NOWHERE:
        origin.caller = caller
