"""What a delegation reads, counted before it is sent."""

from collections.abc import AsyncIterator
from functools import partial

from starlette.responses import Response, StreamingResponse

from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.accounts.leave import take
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.contracts.leave import Amounts
from skyshelf.wire.leave import CallKind


def delegated(request: ServerRequest) -> Caller | None:
    """Return the caller of a request if it is a delegation."""
    caller = request.identity.caller if request.identity is not None else None
    return caller if caller is not None and caller.leave is not None and caller.leave.delegation else None


async def metered(ctx: ServiceContext, threads: Threads, request: ServerRequest, response: Response) -> Response:
    """Use up the bytes of a response that a delegation reads: LeaveUsedUp if they are too many, before one is sent.

    A stream whose length is not known ends where the delegation is used up, without its end.
    """
    caller, needs = delegated(request), request.operation.needs
    if caller is None or needs is None or needs.kind is not CallKind.READ or request.method == "HEAD":
        return response
    if response.status_code not in (200, 206, 207):
        return response

    async def spend(size: int) -> None:
        await threads.call(partial(take, ctx, caller, Amounts(read_bytes=size)))

    length = response.headers.get("content-length")
    if length is not None:
        await spend(int(length))
        return response
    assert isinstance(response, StreamingResponse), "every other response has a length"
    pieces = response.body_iterator

    async def counted() -> AsyncIterator[str | bytes | memoryview[int]]:
        async for piece in pieces:
            await spend(len(piece))
            yield piece

    response.body_iterator = counted()
    return response
