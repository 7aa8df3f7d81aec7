"""From the outcomes of a batch to an answer: any refusal makes the call a failure that tells what was done."""

from collections.abc import Callable
from typing import Final

from skyshelf.agent.results import changed_object
from skyshelf.agent.tool import Answer, Call
from skyshelf.client.errors import InvalidRequestError
from skyshelf.client.objects.outcomes import BatchResult

_NAMED_MAX: Final = 20


def batch_answer(done: BatchResult, undo: Callable[[list[str]], tuple[Call, ...] | None]) -> Answer:
    """The answer of a tool that changed objects; `undo` is asked for the calls that take the successes back."""
    keys = [outcome.key for outcome in done.succeeded]
    calls = undo(keys) if keys else None
    if done.ok:
        return Answer(result=[changed_object(outcome) for outcome in done], count=len(done), undo=calls)
    refused = "; ".join(f"{outcome.key}: «{outcome.reason[:200]}»" for outcome in done.failed[:_NAMED_MAX])
    message = f"{len(done.failed)} of {len(done)} were refused: {refused}. "
    message += f"These were done: {', '.join(keys[:_NAMED_MAX])}" if keys else "Nothing was changed"
    if len(done.failed) > _NAMED_MAX or len(keys) > _NAMED_MAX:
        message += "; not all of them are named here"
    return Answer(undo=calls, error=InvalidRequestError(message + "."))
