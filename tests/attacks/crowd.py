"""Many raw connections of one attacker at once: what each sends, and what comes back."""

import re
import selectors
import socket
import time
from collections import Counter
from collections.abc import Iterable

from tests.attacks.attacked import SOURCE, Attacked
from tests.server.api import Api

_HEAD_END = b"\r\n\r\n"


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """A request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: attacked", *(f"{name}: {value}" for name, value in headers.items())]
    if body and "Content-Length" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + _HEAD_END + body


def listing(api: Api) -> bytes:
    return request("GET", f"/nms/metadata?folderKey={api.root_key}&type=f&limit=5000&page=0", api.headers)


class Crowd:
    """So many connections, each with a request under way."""

    def __init__(self, attacked: Attacked, requests: Iterable[bytes], *, source: str = SOURCE) -> None:
        self.heads: list[bytes] = []
        self._selector = selectors.DefaultSelector()
        for sent in requests:
            connection = attacked.connect(source)
            connection.setblocking(False)
            self._selector.register(connection, selectors.EVENT_READ | selectors.EVENT_WRITE, _Sending(sent))

    def read(self, *, seconds: float, again: bool = False, most: int = 0) -> Counter[int]:
        """Read for so long, or until so many have answered; with `again`, each sends its request once more after
        every answer. How often each status came."""
        seen: Counter[int] = Counter()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not (most and seen.total() >= most):
            for key, events in self._selector.select(0.05):
                connection, sending = key.fileobj, key.data
                assert isinstance(connection, socket.socket)
                if events & selectors.EVENT_WRITE and sending.go_on(connection):
                    self._selector.modify(connection, selectors.EVENT_READ, sending)
                head = self._head(connection) if events & selectors.EVENT_READ else None
                if head is None:
                    continue
                seen[_status(head) or 0] += 1
                self.heads.append(head)
                if again:
                    self._selector.modify(
                        connection, selectors.EVENT_READ | selectors.EVENT_WRITE, _Sending(sending.whole)
                    )
        return seen

    def _head(self, connection: socket.socket) -> bytes | None:
        """The head of an answer, if one begins in what has come."""
        try:
            piece = connection.recv(1 << 20)
        except BlockingIOError:
            return None
        except OSError:
            piece = b""
        if not piece:
            self._selector.unregister(connection)
        return piece.partition(_HEAD_END)[0] if _status(piece) else None

    def refusals_say_when_to_come_back(self) -> bool:
        refused = [head for head in self.heads if _status(head) in {429, 503}]
        return all(re.search(rb"\r\nretry-after: \d+", head, re.IGNORECASE) for head in refused)


def _status(head: bytes) -> int | None:
    found = re.match(rb"HTTP/1.1 (\d{3})", head)
    return int(found[1]) if found else None


class _Sending:
    """What a connection still has to send."""

    def __init__(self, whole: bytes) -> None:
        self.whole = whole
        self._left = memoryview(whole)

    def go_on(self, connection: socket.socket) -> bool:
        """Send as much as the connection takes; whether that was all, or nobody reads it."""
        try:
            self._left = self._left[connection.send(self._left) :]
        except BlockingIOError:
            return False
        except OSError:
            return True
        return not self._left
