"""Copies within the drive: folders with everything in them, a bounded step per request."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Raw, Struct

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.objects.listing import folder_objects
from skyshelf.client.objects.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes
from skyshelf.client.objects.remote_object import remote_object
from skyshelf.wire.endpoints.objects import COPY
from skyshelf.wire.limits import COPIES_MAX
from skyshelf.wire.resources.copies import CopyRequest

_FEATURE: Final = "copy on the server; download and upload instead"


class _Copied(Struct, rename="camel"):
    source_key: str
    object: Raw


class _Answer(Struct):
    objects: list[_Copied] | None = None
    unprocessed: list[object] | None = None


async def copy_objects(
    engine: Engine, keys: Sequence[str], folder_key: str, progress: Callable[[int], None] | None = None
) -> BatchResult:
    """Copy objects into a folder; the outcomes are those of the objects, and of what was refused inside them."""
    outcomes: list[Outcome] = []
    count = 0
    waiting = deque([(list(dict.fromkeys(keys)), folder_key)])
    while waiting:
        some, target = waiting.popleft()
        for start in range(0, len(some), COPIES_MAX):
            part = some[start : start + COPIES_MAX]
            with require_extension(_FEATURE):
                body = CopyRequest(object_keys=part, parent_object_key=target)
                answer = await engine.call(COPY, _Answer, body=body)
            made = answer.objects or []
            count += len(made)
            if progress is not None:
                progress(count)
            refused = [one for one in read_outcomes(part, TolerantAnswer(None, answer.unprocessed)) if not one.ok]
            outcomes += refused
            for one in made:
                copy = remote_object(one.object)
                if target == folder_key:
                    outcomes.append(Outcome(key=one.source_key, ok=True, object=copy))
                if copy.is_folder:
                    inside = [found.key async for found in folder_objects(engine, one.source_key, None)]
                    if inside:
                        waiting.append((inside, copy.key))
    return BatchResult(tuple(outcomes))
