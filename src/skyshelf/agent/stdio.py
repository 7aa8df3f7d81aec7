"""The stdio loop: one call per line in, one envelope per line out, in order."""

from typing import BinaryIO, Final

from skyshelf.agent.arguments import LINE_BYTES_MAX
from skyshelf.agent.bridge import Bridge, encode_envelope
from skyshelf.agent.dispatcher import Envelope, failure
from skyshelf.agent.errors import INTERRUPTED, INVALID_JSON
from skyshelf.agent.schemas import all_schemas
from skyshelf.wire.client_errors import EXIT_INTERRUPTED, EXIT_OK

_QUIT: Final = b"quit"


def serve(bridge: Bridge, lines: BinaryIO, output: BinaryIO) -> int:
    """Answer calls until `quit` or the end of input; returns the exit code. Only envelopes are written."""
    try:
        while (line := read_line(lines)) != b"":
            command = b"" if line is None else line.strip()
            if command == _QUIT:
                return EXIT_OK
            envelope = _answer(bridge, command, too_long=line is None)
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
        schemas = all_schemas()
        return {"ok": True, "result": schemas, "count": len(schemas)}
    return bridge.call_text(command)


def read_line(lines: BinaryIO) -> bytes | None:
    """The next line with its line break; empty at the end of input, None for a line that is too long (skipped)."""
    line = lines.readline(LINE_BYTES_MAX + 2)
    if len(line) <= LINE_BYTES_MAX + 1:
        return line
    while line and not line.endswith(b"\n"):
        line = lines.readline(LINE_BYTES_MAX)
    return None
