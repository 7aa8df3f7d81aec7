"""What the connections of a process have in common, as they see it."""

import asyncio
from typing import Any, Protocol

from starlette.types import Scope

from skyshelf.server.http1.exchange import Exchange
from skyshelf.server.remembered_answers import Answered


class Process(Protocol):
    """What its connections have in common."""

    loop: asyncio.AbstractEventLoop
    is_stopping: bool

    def date(self) -> bytes:
        """The line with the date."""

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answered | None:
        """The response, if it can be given in this moment."""

    def run(self, exchange: Exchange) -> None:
        """Have a request answered."""

    def lost(self, connection: Any) -> None:
        """A connection has ended."""
