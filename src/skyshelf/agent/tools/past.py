"""Looking back: the history of an object, what changed, what a rewind would do. Only with `--tools extended`."""

from collections.abc import AsyncIterable, Callable
from datetime import datetime
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct

from skyshelf.agent.call import Key, Limit, ToolResult
from skyshelf.agent.errors import INVALID_ARGUMENTS, ToolRefusal
from skyshelf.agent.tool import ToolContext, reading_tool
from skyshelf.agent.tools.files import FolderKey
from skyshelf.wire.resources.history import HistoryDifference, HistoryEntry
from skyshelf.wire.resources.rewind import PROBLEMS, RewindItem
from skyshelf.wire.times import to_rfc3339

_COUNTED_MAX: Final = 20_000
"""How many entries are read to count them; without a count there are more."""

_Found = TypeVar("_Found")
Since = Annotated[str, Meta(max_length=40, description="A time with its zone, such as 2026-11-01T14:00:00Z.")]


class PastChange(Struct, frozen=True, kw_only=True):
    """A change of an object; `session` is the agent session that made it."""

    number: int | None
    time: str | None
    kind: str | None
    object_key: str | None
    name_before: str | None
    name_after: str | None
    device: str | None
    session: str | None


class Difference(Struct, frozen=True, kw_only=True):
    """A file or folder that differs from what it was; `kinds` says how."""

    object_key: str | None
    kinds: list[str]
    path_before: str | None
    path_after: str | None
    time: str | None
    device: str | None
    session: str | None


class RewindStep(Struct, frozen=True, kw_only=True):
    """What a rewind would do to an object, or the reason why it would leave it."""

    object_key: str | None
    path: str | None
    actions: list[str]
    problem: str | None


@reading_tool(
    "List what happened to one file or folder, newest first, with the device and the session that did it.",
    result=list[PastChange],
)
async def history_of(ctx: ToolContext, *, object_key: Key, limit: Limit = 50) -> ToolResult:
    return await _counted(ctx.client.history.entries(object_key), limit, _change)


@reading_tool(
    "List the files and folders that were added, removed, renamed, moved or changed since a time, in the account or in "
    "one folder.",
    result=list[Difference],
)
async def diff_since(ctx: ToolContext, *, since: Since, folder_key: FolderKey = None, limit: Limit = 100) -> ToolResult:
    return await _counted(ctx.client.history.differences(_time(since), below=folder_key), limit, _difference)


@reading_tool(
    "List what a rewind of the account, or of one folder, to a time would do to each object. Nothing changes; only the "
    "user can start a rewind.",
    result=list[RewindStep],
)
async def rewind_preview(
    ctx: ToolContext, *, to: Since, folder_key: FolderKey = None, limit: Limit = 100
) -> ToolResult:
    return await _counted(ctx.client.rewinds.plan(_time(to), below=folder_key), limit, _step)


def _time(given: str) -> datetime:
    moment: datetime | None
    try:
        moment = datetime.fromisoformat(given)
        moment.timestamp()
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.utcoffset() is None:
        raise ToolRefusal(
            INVALID_ARGUMENTS, "the time is not valid: use a date, a time and a zone, such as 2026-11-01T14:00:00Z"
        )
    return moment


async def _counted(found: AsyncIterable[_Found], limit: int, summarize: Callable[[_Found], Struct]) -> ToolResult:
    """The first results, and the count of all unless there are very many."""
    results: list[Struct] = []
    count = 0
    async for one in found:
        count += 1
        if count > _COUNTED_MAX:
            return ToolResult(result=results)
        if count <= limit:
            results.append(summarize(one))
    return ToolResult(result=results, count=count)


def _when(date: int | None) -> str | None:
    return None if date is None else to_rfc3339(date)


def _change(entry: HistoryEntry) -> PastChange:
    return PastChange(
        number=entry.number,
        time=_when(entry.date),
        kind=entry.kind,
        object_key=entry.object_key,
        name_before=None if entry.before is None else entry.before.object_name,
        name_after=None if entry.after is None else entry.after.object_name,
        device=entry.device_name,
        session=entry.session_id,
    )


def _difference(found: HistoryDifference) -> Difference:
    return Difference(
        object_key=found.object_key,
        kinds=found.kinds or [],
        path_before=found.before_path,
        path_after=found.after_path,
        time=_when(found.date),
        device=found.device_name,
        session=found.session_id,
    )


def _step(item: RewindItem) -> RewindStep:
    problem = None if item.problem is None else PROBLEMS.get(item.problem, item.problem)
    return RewindStep(object_key=item.object_key, path=item.path, actions=item.actions or [], problem=problem)
