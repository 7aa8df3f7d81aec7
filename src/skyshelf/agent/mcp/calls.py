"""What all handlers of the protocol's requests share."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

_Result = TypeVar("_Result")


async def cancel_once(work: "Coroutine[Any, Any, _Result]") -> "_Result":
    """Run the work in its own task, so a cancelled call is cancelled once and can then clean up.

    The library would cancel it again at every await.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([task])
        raise
