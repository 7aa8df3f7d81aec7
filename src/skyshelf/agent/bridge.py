"""The synchronous bridge: the dispatcher, run on a private event loop."""

from collections.abc import Coroutine
from types import TracebackType
from typing import Self, TypeVar

from msgspec import json

from skyshelf.agent.call import ToolCall
from skyshelf.agent.dispatcher import Dispatcher, Envelope, failure
from skyshelf.agent.errors import INTERNAL_ERROR, INTERRUPTED
from skyshelf.client.engine.loop_thread import LoopThread
from skyshelf.wire.text import escape_in_json

_Answer = TypeVar("_Answer")


class Bridge:
    """Makes calls and returns their envelopes. A call never raises, not even on Ctrl-C.

        with Bridge() as bridge:
            envelope = bridge.call({"tool": "list_files", "arguments": {"limit": 5}})

    Without a dispatcher, the session is that of `skyshelf login` or of the environment.
    """

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
        """Make a call, `{"tool": …, "arguments": {…}}`; returns its envelope."""
        return self._run(self._dispatcher.call(request))

    def call_text(self, text: str | bytes) -> Envelope:
        """Make a call given as JSON text; returns its envelope."""
        return self._run(self._dispatcher.call_text(text))

    def run_undo(self, call: ToolCall) -> Envelope:
        """Make a call recorded in the journal as an undo; returns its envelope."""
        return self._run(self._dispatcher.run_undo(call))

    def rewind_session(self, session: str) -> Envelope | None:
        """Undo on the server what a session has changed there; None if the server has no history of it."""
        return self._run(self._dispatcher.rewind_session(session))

    def account(self) -> str:
        """The account's fingerprint in the journal. Unlike a call, this raises if the settings are invalid."""
        return self._loop.run(self._dispatcher.account())

    def close(self) -> None:
        """Close the connections and the event loop."""
        if not self._loop.is_closed:
            self._loop.run(self._dispatcher.close())
            self._loop.close()

    def _run(self, call: "Coroutine[object, object, _Answer]") -> _Answer | Envelope:
        try:
            return self._loop.run(call)
        except KeyboardInterrupt:
            return failure(INTERRUPTED, "the call was interrupted; it may have been partly carried out")
        except BaseException as error:  # noqa: BLE001 - a call never raises
            return failure(INTERNAL_ERROR, f"the bridge cannot run the call ({type(error).__name__})")


def encode_envelope(envelope: Envelope) -> bytes:
    """The envelope as one line of JSON, without the line break; control and bidi characters are escaped."""
    return escape_in_json(json.encode(envelope).decode()).encode()
