"""The loop on standard input and output: one call per line, one envelope per line, in order."""

from typing import BinaryIO, Final

from skyshelf.agent.arguments import LINE_BYTES_MAX
from skyshelf.agent.bridge import Bridge, encoded
from skyshelf.agent.dispatcher import Envelope, failure
from skyshelf.agent.errors import INTERRUPTED, INVALID_JSON
from skyshelf.agent.schemas import all_schemas
from skyshelf.wire.client_errors import EXIT_INTERRUPTED, EXIT_OK

_QUIT: Final = b"quit"


def serve(bridge: Bridge, lines: BinaryIO, answers: BinaryIO) -> int:
    """Answer until `quit` or the end of input; the exit code. Nothing but envelopes is written."""
    try:
        while (line := next_line(lines)) != b"":
            word = b"" if line is None else line.strip()
            if word == _QUIT:
                return EXIT_OK
            envelope = _answer(bridge, word, too_long=line is None)
            answers.write(encoded(envelope) + b"\n")
            answers.flush()
            error = envelope.get("error")
            if isinstance(error, dict) and error["type"] == INTERRUPTED:
                return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Nobody reads the answers any more, which is another way to say quit.
        return EXIT_OK
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return EXIT_OK


def _answer(bridge: Bridge, word: bytes, *, too_long: bool) -> Envelope:
    if too_long:
        return failure(INVALID_JSON, f"the line is longer than {LINE_BYTES_MAX} bytes")
    if word == b"ping":
        return {"ok": True, "result": "pong"}
    if word == b"schema":
        schemas = all_schemas()
        return {"ok": True, "result": schemas, "count": len(schemas)}
    return bridge.call_text(word)


def next_line(lines: BinaryIO) -> bytes | None:
    """The next line with its end; empty at the end of input, and None for one that is too long, read to its end."""
    line = lines.readline(LINE_BYTES_MAX + 2)
    if len(line) <= LINE_BYTES_MAX + 1:
        return line
    while line and not line.endswith(b"\n"):
        line = lines.readline(LINE_BYTES_MAX)
    return None
