"""The bridge for code that is not asynchronous: the dispatcher, run by a private event loop."""

from collections.abc import Coroutine
from types import TracebackType
from typing import Self

from msgspec import json

from skyshelf.agent.dispatcher import Dispatcher, Envelope, failure
from skyshelf.agent.errors import INTERNAL_ERROR, INTERRUPTED
from skyshelf.agent.tool import Call
from skyshelf.client.engine.loop_thread import LoopThread


class Bridge:
    """Makes calls and gives envelopes; it raises nothing, not even when Ctrl-C ends a call."""

    def __init__(self, dispatcher: Dispatcher | None = None) -> None:
        self._dispatcher = dispatcher or Dispatcher()
        self._loop = LoopThread("skyshelf-agent")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(self, request: object) -> Envelope:
        """The envelope for a call, `{"tool": …, "arguments": {…}}`."""
        return self._run(self._dispatcher.call(request))

    def call_text(self, text: str | bytes) -> Envelope:
        """The envelope for a call as JSON text."""
        return self._run(self._dispatcher.call_text(text))

    def take_back(self, call: Call) -> Envelope:
        """The envelope for a call that undoes something."""
        return self._run(self._dispatcher.take_back(call))

    def account(self) -> str:
        """What tells this account apart in the journal; unlike a call, it raises what is wrong with the settings."""
        return self._loop.run(self._dispatcher.account())

    def close(self) -> None:
        """Close the connections and the loop."""
        if not self._loop.is_closed:
            self._loop.run(self._dispatcher.close())
            self._loop.close()

    def _run(self, call: "Coroutine[object, object, Envelope]") -> Envelope:
        try:
            return self._loop.run(call)
        except KeyboardInterrupt:
            return failure(INTERRUPTED, "the call was interrupted; what it had begun may be done in part")
        except BaseException as wrong:  # noqa: BLE001 - never raises, by its promise
            return failure(INTERNAL_ERROR, f"the bridge cannot run the call ({type(wrong).__name__})")


def encoded(envelope: Envelope) -> bytes:
    """The envelope as one line of JSON, without the line break."""
    return json.encode(envelope)
