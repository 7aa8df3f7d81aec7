"""Whether the two halves of the store still belong together; jobs that delete bytes ask before they begin."""

from collections.abc import Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.storage.errors import StoresDoNotMatch
from skyshelf.storage.identity import advance, mismatch

TASK = "identity"


def check_halves(ctx: ServiceContext) -> None:
    """Raise BrakePulled if another database uses these blobs, or if this one was replaced by an older copy."""
    problem = mismatch(ctx.metadata, ctx.blobs)
    if problem is not None:
        brakes.pull(ctx, TASK, problem)


def advance_generation(ctx: ServiceContext) -> Iterator[None]:
    """Note in both halves of the store that they are in use together; a database that is restored from an older copy is
    recognised by this."""
    try:
        advance(ctx.metadata, ctx.blobs)
    except StoresDoNotMatch as problem:
        brakes.pull(ctx, TASK, str(problem))
    else:
        brakes.clear(ctx, TASK)
    yield
