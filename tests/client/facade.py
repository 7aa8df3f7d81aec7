"""The synchronous client behind asynchronous methods, so that one suite holds both."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from typing import Any

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client

_END = object()


class AsyncFacade:
    """Has the methods of AsyncClient; each runs the method of Client in a thread."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        original = inspect.getattr_static(AsyncClient, name)
        if isinstance(original, property):
            return getattr(self._client, name)
        method: Callable[..., Any] = getattr(self._client, name)
        if inspect.isasyncgenfunction(original):
            return _iterated(method)

        async def awaited(*args: Any, **named: Any) -> Any:
            return await asyncio.to_thread(method, *args, **named)

        return awaited


def _iterated(method: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
    async def iterate(*args: Any, **named: Any) -> AsyncIterator[Any]:
        items = method(*args, **named)
        try:
            while (item := await asyncio.to_thread(next, items, _END)) is not _END:
                yield item
        finally:
            await asyncio.to_thread(items.close)

    return iterate
