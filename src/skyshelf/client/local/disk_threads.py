"""File operations off the event loop. An operation that has started is always waited for, even when cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class DiskThreads:
    """Runs functions in threads: the event loop's, or those of a given pool."""

    def __init__(self, pool: Executor | None = None) -> None:
        self._pool = pool

    async def run(self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs) -> _Result:
        return await finished(asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args, **named)))


class DiskBatches:
    """Runs short functions in one thread: those that arrive while it is busy are run together.

    Waking a thread, and then the event loop, takes longer than writing a small file.
    """

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._waiting: list[_Short] = []
        self._is_busy = False

    async def run(self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs) -> _Result:
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Short(future, partial(work, *args, **named)))
        if not self._is_busy:
            self._begin()
        return await finished(future)

    def _begin(self) -> None:
        batch, self._waiting = self._waiting, []
        running = asyncio.get_running_loop().run_in_executor(self._pool, _run_all, batch)
        self._is_busy = True
        running.add_done_callback(lambda ended: self._ended(batch, ended))

    def _ended(self, batch: "list[_Short]", ended: "asyncio.Future[list[_Outcome]]") -> None:
        self._is_busy = False
        if self._waiting:
            self._begin()
        for entry, (result, error) in zip(batch, ended.result(), strict=True):
            if error is None:
                entry.future.set_result(result)
            else:
                entry.future.set_exception(error)


_Outcome = tuple[object, BaseException | None]


class _Short(NamedTuple):
    """A function that is waiting to be run."""

    future: "asyncio.Future[Any]"
    work: Callable[[], object]


def _run_all(batch: list[_Short]) -> list[_Outcome]:
    return [_outcome(entry.work) for entry in batch]


def _outcome(work: Callable[[], object]) -> _Outcome:
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 - raised to the waiting task
        return None, error


async def finished(future: "asyncio.Future[_Result]") -> _Result:
    """Return the result, once the thread has ended.

    A thread cannot be cancelled, so a cancelled task still waits for it: the task closes files next, and the thread
    must not find another file under the same descriptor.
    """
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        # Not the future itself: it would be cancelled together with the waiting task.
        ended = asyncio.get_running_loop().create_future()
        wake = partial(_wake, ended)
        future.add_done_callback(wake)
        try:
            await ended
        except asyncio.CancelledError as stop:
            cancelled = stop
            future.remove_done_callback(wake)
    if cancelled is not None:
        raise cancelled
    return future.result()


async def await_future(work: "Future[_Result]") -> _Result:
    """Wait like `finished` for work that was submitted to a thread; the event loop is only woken if it waits."""
    if not work.done():
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        work.add_done_callback(lambda _: loop.call_soon_threadsafe(_wake, ended, None))
        await finished(ended)
    return work.result()


def _wake(ended: "asyncio.Future[None]", _: object) -> None:
    if not ended.done():
        ended.set_result(None)


def is_not_cancelled() -> bool:
    """Whether this task may continue: an `except` along the way may have swallowed its cancellation."""
    task = asyncio.current_task()
    return task is None or not task.cancelling()
