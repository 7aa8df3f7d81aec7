"""The synchronous client behind asynchronous methods, so one suite tests both."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, get_origin

from skyshelf.client.sync_client import Client

_END = object()


class AsyncFacade:
    """Has the methods of AsyncClient and its groups; each runs the method of Client in a thread."""

    def __init__(self, client: object) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        found: Any = getattr(self._client, name)
        if type(found).__module__ == Client.__module__:
            return AsyncFacade(found)
        if not inspect.ismethod(found):
            return found
        method: Callable[..., Any] = found
        returned = inspect.signature(method).return_annotation
        if getattr(returned, "__module__", "") == Client.__module__:
            return lambda *args, **named: AsyncFacade(method(*args, **named))
        if get_origin(returned) is Iterator:
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
