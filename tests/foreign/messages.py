"""Requests and replies of the foreign server."""

import json
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json; charset=UTF-8"


@dataclass(frozen=True)
class Asked:
    """A request that arrived; names of headers in lower case, of a repeated parameter the last value."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def host(self) -> str:
        """Which host of the interface the path belongs to."""
        for start, host in _HOSTS.items():
            if self.path == start or self.path.startswith(f"{start}/"):
                return host
        return "metadata"

    @property
    def is_of_the_interface(self) -> bool:
        return self.host not in {"extensions", "uploads"}

    @property
    def is_download(self) -> bool:
        return self.host == "download"

    @property
    def is_write(self) -> bool:
        return self.method not in {"GET", "HEAD"}

    def json(self) -> Any:
        """The body; None where it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


_HOSTS = {
    "/security": "account",
    "/app": "account",
    "/download": "download",
    "/boards": "boards",
    "/invites": "boards",
    "/amiko": "contacts",
    "/promo": "messaging",
    "/upload": "uploads",
    "/x": "extensions",
}


@dataclass(frozen=True)
class Reply:
    """What to answer; a body that is no bytes is written as JSON.

    `claimed` is announced as the length instead of the true one, `sent` bytes of the body leave before the connection
    is cut, and a reply that is `stalled` never comes.
    """

    status: int
    body: Any = b""
    headers: dict[str, str] = field(default_factory=dict)
    claimed: int | None = None
    sent: int | None = None
    stalled: bool = False
    dropped: bool = False

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()

    def head(self) -> dict[str, str]:
        kind = "application/octet-stream" if isinstance(self.body, bytes) else JSON
        length = len(self.content()) if self.claimed is None else self.claimed
        return {"Content-Type": kind, "Content-Length": str(length), **self.headers}


DROPPED = Reply(0, dropped=True)
STALLED = Reply(0, stalled=True)


def refused(status: int, code: str, message: Any = "refused") -> Reply:
    """An error with its code."""
    return Reply(status, {"code": code, "message": message})
