"""Work on files, off the event loop. What has begun always ends before anybody goes on, also when all is cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class DiskThreads:
    """Runs functions in threads: those of the event loop, or a pool of its own."""

    def __init__(self, pool: Executor | None = None) -> None:
        self._pool = pool

    def begin(
        self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs
    ) -> "asyncio.Future[_Result]":
        """Start it; wait for it with `finished`."""
        return asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(*args, **named))

    async def run(self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs) -> _Result:
        """Run it and wait for it."""
        return await finished(self.begin(work, *args, **named))


class DiskBatches:
    """Runs short functions in one thread: those that come while it is busy are run together, in one go.

    To wake a thread, and the event loop after it, takes longer than to write a small file.
    """

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._waiting: list[_Short] = []
        self._is_busy = False

    async def run(self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs) -> _Result:
        """Run it and wait for it."""
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
        for one, (result, wrong) in zip(batch, ended.result(), strict=True):
            if wrong is None:
                one.future.set_result(result)
            else:
                one.future.set_exception(wrong)


_Outcome = tuple[object, BaseException | None]


class _Short(NamedTuple):
    """A function that waits for its turn."""

    future: "asyncio.Future[Any]"
    work: Callable[[], object]


def _run_all(batch: list[_Short]) -> list[_Outcome]:
    return [_outcome(one.work) for one in batch]


def _outcome(work: Callable[[], object]) -> _Outcome:
    try:
        return work(), None
    except Exception as wrong:  # noqa: BLE001 - whoever waits for it is told
        return None, wrong


async def finished(future: "asyncio.Future[_Result]") -> _Result:
    """The result, once the thread has really ended.

    A thread cannot be cancelled. Whoever is cancelled here waits for it all the same, because the next thing to
    happen is that files are closed, and a thread must not find another file under its number.
    """
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        # Not the future itself: that would be cancelled with whoever waits for it.
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
    """As `finished`, for work that was given to a thread directly: the event loop hears of it only if it waits."""
    if not work.done():
        loop = asyncio.get_running_loop()
        translate_os_errors = loop.create_future()
        work.add_done_callback(lambda _: loop.call_soon_threadsafe(_wake, translate_os_errors, None))
        await finished(translate_os_errors)
    return work.result()


def _wake(ended: "asyncio.Future[None]", _: object) -> None:
    if not ended.done():
        ended.set_result(None)


def may_go_on() -> bool:
    """Whether nobody has asked this task to end: what catches errors on the way could have caught that wish, too."""
    task = asyncio.current_task()
    return task is None or not task.cancelling()
