"""Requests that are answered before the framework, but not in the moment they come."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Send

from skyshelf.server.connections.gate import Gate
from skyshelf.server.http.admission.requesters import Requester, current_requester
from skyshelf.server.http.thread_pools import Results
from skyshelf.server.observability.access_log import AccessLog, id_header
from skyshelf.server.observability.logs import current_request_id
from skyshelf.storage.metadata.turns import current_turn


class EarlyRequests:
    """What the layers around the framework do for each request: its id, its place, its line in the log."""

    def __init__(self, gate: Gate, log: AccessLog) -> None:
        self._gate = gate
        self._log = log
        self._results: Results | None = None

    @contextmanager
    def answering(self, request: Request, account_id: int) -> Iterator[str]:
        """A request of an account is in progress for as long as the block; its id."""
        request_id = self._log.request_id(request)
        requester = Requester(account_id)
        tokens = current_request_id.set(request_id), current_requester.set(requester), current_turn.set(requester)
        self._log.begin()
        try:
            with self._gate.in_progress(request.scope):
                yield request_id
        finally:
            self._log.end()
            current_turn.reset(tokens[2])
            current_requester.reset(tokens[1])
            current_request_id.reset(tokens[0])

    async def send(
        self,
        request: Request,
        response: Response,
        send: Send,
        *,
        name: str,
        request_id: str,
        began: float,
        received: int,
    ) -> None:
        """Note the response, and send it."""
        status, body = response.status_code, bytes(response.body)
        headers = [*self._log.headers(request, response.raw_headers), id_header(request_id)]
        self._log.note_short(request, request_id, name, status, len(body), began=began, received=received)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def results(self) -> Results:
        """Where threads deliver what this event loop waits for."""
        loop = asyncio.get_running_loop()
        if self._results is None or self._results.loop is not loop:
            self._results = Results(loop)
        return self._results


def replayed(message: Message, receive: Receive) -> Receive:
    """The message that was received already, and then whatever comes."""
    messages = [message]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
