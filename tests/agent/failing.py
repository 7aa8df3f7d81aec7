"""Clients whose calls do something else, for tools that meet errors."""

from collections.abc import Awaitable, Callable
from typing import Any

from skyshelf.client.async_client import AsyncClient


class ProfileClient(AsyncClient):
    """A client whose `account.profile` is replaced."""

    def __init__(self, profile: Callable[[], Awaitable[Any]], **settings: Any) -> None:
        super().__init__(**settings)
        self.account.profile = profile  # type: ignore[method-assign, assignment]


def raising(error: Exception) -> Callable[[], Awaitable[Any]]:
    """A call that raises an error."""

    async def call() -> Any:
        raise error

    return call
