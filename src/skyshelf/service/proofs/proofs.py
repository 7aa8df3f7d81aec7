"""What clients verify history with: the head of their log, proofs, leaves, and the public keys."""

import base64
from collections.abc import Sequence

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.identity import adoptions, restores
from skyshelf.storage.metadata.history.log import Log
from skyshelf.storage.metadata.history.tiles import needed_places, range_hashes
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.proofs.merkle import Range, consistency_ranges, inclusion_ranges
from skyshelf.wire.resources.history import (
    ConsistencyQuery,
    HistoryHead,
    HistoryLeaf,
    HistoryLeaves,
    InclusionQuery,
    KeyOfHistory,
    KeysOfHistory,
    LeavesQuery,
    ProofHashes,
    RestoreOfServer,
)


def head(ctx: ServiceContext, caller: Caller) -> HistoryHead:
    """The signed head of the log, and how many changes are not in it yet."""
    with ctx.metadata.snapshot() as unit:
        log = unit.history_log.get(caller.account_id)
        newest = unit.changes.newest(caller.account_id)
        kept_from = unit.history.bounds(caller.account_id).oldest + 1
    if log is None:
        return HistoryHead(size=0, newest_number=newest, waiting=0, kept_from=kept_from)
    return HistoryHead(
        note=log.head,
        start=log.start,
        size=log.size,
        newest_number=newest,
        waiting=max(0, newest - log.next + 1),
        kept_from=kept_from,
    )


def consistency(ctx: ServiceContext, caller: Caller, query: ConsistencyQuery) -> ProofHashes:
    """The proof that the log of one size continues the one of a smaller size."""
    with ctx.metadata.snapshot() as unit:
        log = _log(unit, caller)
        if not query.old_size <= query.size <= log.size:
            raise ServiceError(codes.NOT_IN_HISTORY_LOG)
        return _proof(unit, caller, consistency_ranges(query.old_size, query.size))


def inclusion(ctx: ServiceContext, caller: Caller, query: InclusionQuery) -> ProofHashes:
    """The proof that the log has a change."""
    with ctx.metadata.snapshot() as unit:
        log = _log(unit, caller)
        index = query.number - log.start
        if not 0 <= index < query.size <= log.size:
            raise ServiceError(codes.NOT_IN_HISTORY_LOG)
        return _proof(unit, caller, inclusion_ranges(index, query.size))


def leaves(ctx: ServiceContext, caller: Caller, query: LeavesQuery) -> HistoryLeaves:
    """Leaves of the log, with the records of changes that are still kept."""
    with ctx.metadata.snapshot() as unit:
        log = _log(unit, caller)
        if not log.start <= query.number < log.next:
            raise ServiceError(codes.NOT_IN_HISTORY_LOG)
        last = min(query.number + query.limit, log.next) - 1
        ranges = [(at - log.start, at - log.start + 1) for at in range(query.number, last + 1)]
        tiles = unit.history_log.tiles(caller.account_id, needed_places(ranges))
        records = {one.seq: one for one in unit.history_log.records(caller.account_id, query.number, last)}
    found = []
    for number, leaf in zip(range(query.number, last + 1), range_hashes(tiles, ranges), strict=True):
        record = records.get(number)
        found.append(
            HistoryLeaf(
                number=number,
                hash=_encoded(leaf),
                date=None if record is None else record.at,
                record=None if record is None else _encoded(record.body.encoded()),
            )
        )
    return HistoryLeaves(leaves=found)


def keys(ctx: ServiceContext, caller: Caller) -> KeysOfHistory:  # noqa: ARG001 - for those who are logged in
    """All public keys that have signed heads, and when the server was restored from a backup."""
    with ctx.metadata.read() as unit:
        known = unit.history_keys.all()
    return KeysOfHistory(
        keys=[
            KeyOfHistory(
                key_id=one.key_id,
                public_key=_encoded(one.public),
                created_date=one.created_at,
                retired_date=one.retired_at or None,
                signature=_encoded(one.signature) if one.signature else None,
            )
            for one in known
        ],
        restores=[
            *(RestoreOfServer(date=one.at, state_date=one.state_at) for one in restores(ctx.metadata)),
            *(RestoreOfServer(date=one.at) for one in adoptions(ctx.metadata)),
        ],
    )


def _log(unit: Unit, caller: Caller) -> Log:
    log = unit.history_log.get(caller.account_id)
    if log is None:
        raise ServiceError(codes.NOT_IN_HISTORY_LOG)
    return log


def _proof(unit: Unit, caller: Caller, ranges: Sequence[Range]) -> ProofHashes:
    tiles = unit.history_log.tiles(caller.account_id, needed_places(ranges))
    return ProofHashes(hashes=[_encoded(one) for one in range_hashes(tiles, ranges)])


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()
