"""Somebody who listens to the stream of changes."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from tests.server.api import Api

from skyshelf.server.app import SkyshelfApp

CHANGES = "/x/v1/changes"


class Listener:
    """One stream on an event loop of the test, straight at the application."""

    def __init__(self, app: SkyshelfApp, api: Api, query: str = "", headers: dict[str, str] | None = None) -> None:
        self._app = app
        sent = {**{name.lower(): value for name, value in api.headers.items()}, **(headers or {})}
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": f"{CHANGES}/stream",
            "raw_path": f"{CHANGES}/stream".encode(),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "root_path": "",
        }
        self._messages: asyncio.Queue[Any] = asyncio.Queue()
        self._gone = asyncio.Event()

    async def __aenter__(self) -> "Listener":
        self._task = asyncio.create_task(self._app(self._scope, self._receive, self._messages.put))
        self.status = (await self._messages.get())["status"]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._gone.set()
        await asyncio.wait_for(self._task, 30)

    async def _receive(self) -> Any:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def pieces(self) -> AsyncIterator[str]:
        """What comes, until the server ends it."""
        while True:
            message = await asyncio.wait_for(self._messages.get(), 30)
            if message.get("body"):
                yield message["body"].decode()
            if not message.get("more_body"):
                return

    async def events(self) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """The id of each event, or its name where it has none, and the data."""
        async for piece in self.pieces():
            if "data: " not in piece:
                continue
            fields = dict(line.split(": ", 1) for line in piece.strip().splitlines())
            yield fields.get("id", fields["event"]), json.loads(fields["data"])
