"""A client that sends every request once, and what it does not know about those without an answer."""

import json
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
from tests.crash.model import Json
from tests.end_to_end.plain_client import PlainClient


class NoAnswer(Exception):
    """The operation may have happened or not: its connection broke, or the service failed on the way."""


class Dead(NoAnswer):
    """Nobody listens any more."""


class OnceClient(PlainClient):
    """Sends every request once, and keeps a journal. What is answered counts, and what is not answered is unknown.

    The standard library's connection costs a fifth of the CPU time of a full client, and there are millions of calls.
    """

    def __init__(self, url: str, journal: Path) -> None:
        super().__init__([url])
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._journal = journal.open("a")
        self.failures: list[str] = []
        """Answers that say that the service failed."""

    def close(self) -> None:
        super().close()
        self._connection.close()
        self._journal.close()

    def note(self, text: str) -> None:
        print(f"{time.time():.3f} {text}", file=self._journal, flush=True)

    def request(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> httpx2.Response:
        body: bytes | None = json.dumps(more["json"]).encode() if "json" in more else more.get("content")
        target = f"{path}?{urlencode(more['params'])}" if more.get("params") else path
        asked = f"{method} {target} {more.get('json', '')} {len(body or b'')}"
        try:
            self._connection.request(method, target, body, self.headers | (headers or {}))
            response = self._connection.getresponse()
            answer = httpx2.Response(response.status, content=response.read())
        except (OSError, HTTPException) as error:
            # The next request opens a new one.
            self._connection.close()
            self.note(f"{asked}: {error!r}")
            raise (Dead if isinstance(error, ConnectionRefusedError) else NoAnswer)(str(error)) from error
        self.note(f"{asked}: {answer.status_code}")
        if answer.status_code >= 500 or answer.status_code == 429:
            self.failures.append(f"{asked}: {answer.status_code} {answer.text[:300]}")
            raise NoAnswer(self.failures[-1])
        return answer

    def upload_many(self, files: list[tuple[str, bytes, str]]) -> list[Json]:
        about = json.dumps({"files": [self.described(name, data, folder) for name, data, folder in files]})
        data = b"".join(data for _, data, _ in files)
        request = httpx2.Request("POST", "http://form", files={"metadataString": (None, about), "file": ("f", data)})
        kind = {"Content-Type": request.headers["content-type"]}
        made: Json = self.json("POST", "/x/v1/uploads/many", content=request.read(), headers=kind)
        outcomes: list[Json] = made["files"]
        return outcomes

    def changes(self, cursor: str | None) -> tuple[list[tuple[str, str]], str]:
        """The changes since a cursor as (kind, key), and the next cursor; none of them without one."""
        found: list[tuple[str, str]] = []
        while True:
            page = self.json("GET", "/x/v1/changes", params={} if cursor is None else {"cursor": cursor, "limit": 1000})
            found += [(one["kind"], one.get("objectKey", "")) for one in page["changes"]]
            cursor = str(page["cursor"])
            if not page["hasMore"]:
                return found, cursor
