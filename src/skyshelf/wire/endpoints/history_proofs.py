"""Proofs of history, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.history import (
    ConsistencyQuery,
    HistoryHead,
    HistoryLeaves,
    InclusionQuery,
    KeysOfHistory,
    LeavesQuery,
    ProofHashes,
)

HISTORY_HEAD: Final = Endpoint(
    name="history_head",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/proof/head",
    summary="The signed head of the log of all changes.",
    answers={200: json_answer(HistoryHead)},
    origin=Origin.COMPLETIONS,
)
HISTORY_CONSISTENCY: Final = Endpoint(
    name="history_consistency",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/proof/consistency",
    summary="The proof that the log continues an earlier one.",
    query=ConsistencyQuery,
    answers={200: json_answer(ProofHashes)},
    errors=(errors.NOT_IN_HISTORY_LOG,),
    origin=Origin.COMPLETIONS,
)
HISTORY_INCLUSION: Final = Endpoint(
    name="history_inclusion",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/proof/inclusion",
    summary="The proof that the log has a change.",
    query=InclusionQuery,
    answers={200: json_answer(ProofHashes)},
    errors=(errors.NOT_IN_HISTORY_LOG,),
    origin=Origin.COMPLETIONS,
)
HISTORY_LEAVES: Final = Endpoint(
    name="history_leaves",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/proof/leaves",
    summary="Leaves of the log: the hashes of changes, and their records while they are kept.",
    query=LeavesQuery,
    answers={200: json_answer(HistoryLeaves)},
    errors=(errors.NOT_IN_HISTORY_LOG,),
    origin=Origin.COMPLETIONS,
)
HISTORY_KEYS: Final = Endpoint(
    name="history_keys",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/proof/keys",
    summary="The public keys that sign heads, former ones too, and when the server was restored from a backup.",
    answers={200: json_answer(KeysOfHistory)},
    origin=Origin.COMPLETIONS,
)
