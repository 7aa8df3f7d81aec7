"""The synchronous bridge: the dispatcher on a private event loop, and the stdio loop over it."""

from collections.abc import Coroutine, Set
from types import TracebackType
from typing import BinaryIO, Final, Self, TypeVar

from msgspec import Struct, json

from skyshelf.agent.arguments import LINE_BYTES_MAX
from skyshelf.agent.call import ToolCall
from skyshelf.agent.dispatcher import Dispatcher, Envelope, failure
from skyshelf.agent.errors import INTERNAL_ERROR, INTERRUPTED, INVALID_JSON
from skyshelf.agent.schemas import Schema, all_schemas
from skyshelf.client.engine.loop_thread import LoopThread
from skyshelf.wire.client_errors import EXIT_INTERRUPTED, EXIT_OK
from skyshelf.wire.text import escape_in_json

_QUIT: Final = b"quit"
_END_BYTES: Final = 400

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

    def schemas(self) -> list[Schema]:
        """The function-calling schemas of the tools that can be called."""
        return all_schemas(tools=self._dispatcher.listed)

    def run_undo(self, call: ToolCall) -> Envelope:
        """Make a call recorded in the journal as an undo; returns its envelope."""
        return self._run(self._dispatcher.run_undo(call))

    def rewind_session(self, session: str, *, left: Set[str], linked: int | None) -> Envelope | None:
        """Undo on the server what a session has changed there; None if the server has no history of it."""
        return self._run(self._dispatcher.rewind_session(session, left=left, linked=linked))

    def disconnect(self) -> None:
        """Forget the connections and what they remember; the next call opens them again."""
        self._loop.run(self._dispatcher.close())

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


def serve_lines(bridge: Bridge, lines: BinaryIO, output: BinaryIO) -> int:
    """Answer one call per line, in order, until `quit` or the end of input; returns the exit code.

    Only envelopes are written, one per line.
    """
    try:
        while (line := read_line(lines)) != b"":
            command = b"" if isinstance(line, LongLine) else line.strip()
            if command == _QUIT:
                return EXIT_OK
            envelope = _answer(bridge, command, too_long=isinstance(line, LongLine))
            output.write(encode_envelope(envelope) + b"\n")
            output.flush()
            error = envelope.get("error")
            if isinstance(error, dict) and error["type"] == INTERRUPTED:
                return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader has closed its end, which means quit.
        return EXIT_OK
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return EXIT_OK


def _answer(bridge: Bridge, command: bytes, *, too_long: bool) -> Envelope:
    if too_long:
        return failure(INVALID_JSON, f"the line is longer than {LINE_BYTES_MAX} bytes")
    if command == b"ping":
        return {"ok": True, "result": "pong"}
    if command == b"schema":
        schemas = bridge.schemas()
        return {"ok": True, "result": schemas, "count": len(schemas)}
    return bridge.call_text(command)


class LongLine(Struct, frozen=True):
    """A line that is too long, of which only the two ends were kept."""

    head: bytes
    tail: bytes


def read_line(lines: BinaryIO) -> bytes | LongLine:
    """The next line with its line break; empty at the end of input."""
    line = lines.readline(LINE_BYTES_MAX + 2)
    if len(line) <= LINE_BYTES_MAX + 1:
        return line
    head, tail = line[:_END_BYTES], b""
    while line and not line.endswith(b"\n"):
        tail = line[-_END_BYTES:]
        line = lines.readline(LINE_BYTES_MAX)
    return LongLine(head, (tail + line)[-_END_BYTES:])
