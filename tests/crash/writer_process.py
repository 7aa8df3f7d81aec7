"""A writer as its parent sees it: started, given orders, killed, and read to the end."""

import os
import signal
import threading
from contextlib import suppress
from pathlib import Path

import msgspec
from tests.crash.lines import Line, Opened, Opening, Orders
from tests.real_parts import commands

_REPOSITORY = Path(__file__).parents[2]
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_PATIENCE = 60


class WriterProcess:
    """Starts at once and waits for its orders, so a kill can be timed from the moment it opens the store."""

    def __init__(self) -> None:
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        try:
            self._process = commands.start(
                (), (theirs_in, theirs_out, 2), os.environ, _REPOSITORY, module="tests.crash.writer"
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        self._stdin = os.fdopen(ours_in, "wb")
        self._stdout = os.fdopen(ours_out, "rb")
        self._said: list[bytes] = []
        self._opening = threading.Event()
        self._opened = threading.Event()
        self._ended = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def order(self, orders: Orders) -> None:
        try:
            self._stdin.write(msgspec.json.encode(orders) + b"\n")
            self._stdin.flush()
        except BrokenPipeError as error:
            raise AssertionError("the writer died before it had its orders; standard error says why") from error

    def wait_until_opening(self) -> None:
        """Until it has loaded its program and understood its orders, or has died before that."""
        if not self._opening.wait(_PATIENCE):
            raise TimeoutError("the writer did not begin to open the store")

    def wait_until_opened(self) -> None:
        """Or until it has died before that."""
        if not self._opened.wait(_PATIENCE):
            raise TimeoutError("the writer did not open the store")

    def wait_for_its_end(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def kill(self) -> list[Line]:
        """End it by SIGKILL, if it has not done so itself; all that it said."""
        if self._process.poll() is None:
            self._process.send(signal.SIGKILL)
        self._listener.join()
        how = self._process.wait()
        assert how == -signal.SIGKILL, f"the writer ended on its own, with {how}; the reason is on standard error"
        with suppress(BrokenPipeError):  # of orders that it died too early to read
            self._stdin.close()
        self._stdout.close()
        # A line without its end was cut off by the kill, so it acknowledged nothing.
        return [_decoder.decode(line) for line in self._said if line.endswith(b"\n")]

    def _listen(self) -> None:
        events = {_encoded(Opening()): self._opening, _encoded(Opened()): self._opened}
        for line in self._stdout:
            self._said.append(line)
            if line in events:
                events[line].set()
        for event in (self._opening, self._opened, self._ended):
            event.set()


def _encoded(line: Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def was_opening(lines: list[Line]) -> bool:
    """Whether the kill came after the writer began to open the store and before it had done so."""
    return any(isinstance(line, Opening) for line in lines) and not any(isinstance(line, Opened) for line in lines)
