"""Rewinds, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.past.rewind import (
    Rewind,
    RewindPlan,
    RewindPlanRequest,
    RewindProblems,
    RewindProblemsQuery,
    RewindRequest,
    Rewinds,
)

PLAN_REWIND: Final = Endpoint(
    name="plan_rewind",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/rewind/plan",
    summary="What a rewind would do, in pages. Nothing changes.",
    body=RewindPlanRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(RewindPlan)},
    errors=(
        errors.BAD_KEY,
        errors.BAD_CURSOR,
        errors.OBJECT_NOT_FOUND,
        errors.FOLDER_EXPECTED,
        errors.HISTORY_NOT_KEPT,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
START_REWIND: Final = Endpoint(
    name="start_rewind",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/rewind",
    summary="Start a rewind. It runs in the background, and survives restarts of the server.",
    body=RewindRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Rewind)},
    errors=(
        errors.BAD_KEY,
        errors.OBJECT_NOT_FOUND,
        errors.FOLDER_EXPECTED,
        errors.HISTORY_NOT_KEPT,
        errors.REWIND_RUNNING,
        errors.SESSION_PAUSED,
    ),
    needs_space=True,
    origin=Origin.COMPLETIONS,
)
REWINDS: Final = Endpoint(
    name="rewinds",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/rewind",
    summary="The account's latest rewinds, the newest first.",
    answers={200: json_answer(Rewinds)},
    origin=Origin.COMPLETIONS,
)
REWIND: Final = Endpoint(
    name="rewind",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/rewind/{rewind_key}",
    summary="A rewind and how far it is.",
    answers={200: json_answer(Rewind)},
    errors=(errors.REWIND_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
REWIND_PROBLEMS: Final = Endpoint(
    name="rewind_problems",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/rewind/{rewind_key}/problems",
    summary="What a rewind could not undo, and why.",
    query=RewindProblemsQuery,
    answers={200: json_answer(RewindProblems)},
    errors=(errors.BAD_CURSOR, errors.REWIND_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)
CANCEL_REWIND: Final = Endpoint(
    name="cancel_rewind",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/rewind/{rewind_key}/cancel",
    summary="Stop a rewind; what it has done stays, and can be undone. Does nothing to one that has ended.",
    answers={200: json_answer(Rewind)},
    errors=(errors.REWIND_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
UNDO_REWIND: Final = Endpoint(
    name="undo_rewind",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/rewind/{rewind_key}/undo",
    summary="Undo everything that a rewind has done, by another rewind. What has changed since then stays.",
    answers={200: json_answer(Rewind)},
    errors=(errors.REWIND_NOT_FOUND, errors.REWIND_RUNNING, errors.HISTORY_NOT_KEPT, errors.SESSION_PAUSED),
    needs_space=True,
    origin=Origin.COMPLETIONS,
)
