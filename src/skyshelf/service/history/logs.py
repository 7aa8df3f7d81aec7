"""The log of an account's changes, a Merkle tree: adding to it, the keys that sign its heads, and proofs for clients.

Changes are added in the background and in batches, so no upload pays for it. Hashes are computed outside any
transaction. A batch writes a few rows, and only if no other process has added to the log since."""

import base64
import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.retention import history_days
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.identity import adoptions, restores
from skyshelf.storage.metadata.history import log as stored_log
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.proofs.heads import Head, SignedHead, key_hash, key_id, succession
from skyshelf.wire.proofs.leaves import hash_of_body, hash_of_leaf
from skyshelf.wire.proofs.merkle import Range, consistency_ranges, inclusion_ranges
from skyshelf.wire.resources import history as wire

_log = logging.getLogger("skyshelf.background")

TASK: Final = "log-history"
BATCH: Final = 1000
_ACCOUNTS: Final = 200


def log_history(ctx: ServiceContext) -> Iterator[None]:
    """Add the changes of all accounts to their logs."""
    after = 0
    while True:
        with ctx.metadata.read() as unit:
            accounts = unit.history_log.behind(after=after, limit=_ACCOUNTS)
        for account_id in accounts:
            while add_some(ctx, account_id, current_key(ctx)):
                yield
            after = account_id
            yield
        if len(accounts) < _ACCOUNTS:
            return


def add_some(ctx: ServiceContext, account_id: int, key: stored_log.HistoryKey, limit: int = BATCH) -> bool:
    """Add the next changes of an account; returns whether some may be left."""
    try:
        with ctx.metadata.snapshot() as unit:
            growth = _growth(ctx, unit, account_id, key, limit)
    except AccountMissing:
        return False
    if growth is None:
        return False
    # If another process was quicker, the next round sees what it added.
    added = ctx.metadata.write(lambda unit: unit.history_log.grow(account_id, growth))
    return not added or growth.size - growth.log.size == limit


def _growth(
    ctx: ServiceContext, unit: Unit, account_id: int, key: stored_log.HistoryKey, limit: int
) -> stored_log.Growth | None:
    log = unit.history_log.get(account_id)
    if log is None:
        start = unit.history_log.beginning(account_id)
        if start is None:
            return None
        log = stored_log.Log(ctx.randomness.bytes(16).hex().upper(), start, 0, "")
    bounds = unit.history.bounds(account_id)
    changes = unit.history_log.changes(account_id, log.next, limit)
    upto = min(changes[-1].seq if changes else bounds.newest, log.next + limit - 1)
    if upto < log.next:
        return None
    leaves = _leaves(log.next, upto, changes)
    tiles = unit.history_log.tiles(account_id, stored_log.open_places(log.size))
    changed = stored_log.grown(log.size, tiles, leaves)
    size = log.size + len(leaves)
    whole = [(0, size)]
    # Complete subtrees are in tiles that no longer change.
    others = [place for place in stored_log.needed_places(whole) if place not in changed and place not in tiles]
    tiles |= changed | (unit.history_log.tiles(account_id, others) if others else {})
    [root] = stored_log.range_hashes(tiles, whole)
    head = Head(log.log_key, size, root, log.start, ctx.clock.now())
    # Changes that were forgotten before they were logged exist only as their leaf.
    kept = {one.seq: one.body.after for one in changes if one.seq > bounds.oldest}
    return stored_log.Growth(
        log=log,
        size=size,
        head=sign(key, head).note(),
        key_id=key.key_id,
        tiles=changed,
        states=[kept.get(seq) for seq in range(log.next, upto + 1)],
    )


def _leaves(first: int, last: int, changes: Sequence[stored_log.LoggedChange]) -> list[bytes]:
    """Return a leaf for each number; a change that has left the feed gets a leaf that says so."""
    hashes = {one.seq: hash_of_leaf(one.seq, one.at, hash_of_body(one.body.encoded())) for one in changes}
    missing = sum(1 for seq in range(first, last + 1) if seq not in hashes)
    if missing:
        _log.warning("%d changes from number %d on had left the feed before they were logged", missing, first)
    return [hashes.get(seq) or hash_of_leaf(seq, 0, None) for seq in range(first, last + 1)]


def log_now(ctx: ServiceContext, account_id: int) -> None:
    """Add all changes of one account at once, for tests and tools."""
    while add_some(ctx, account_id, current_key(ctx)):
        pass


if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def current_key(ctx: ServiceContext) -> stored_log.HistoryKey:
    """Return the key in use; creates the first one. If several instances create one, the first one wins."""
    with ctx.metadata.read() as unit:
        known = unit.history_keys.current()
    if known is not None:
        return known
    proposal = _new_key(ctx, None)

    def work(unit: Unit) -> stored_log.HistoryKey:
        unit.history_keys.add(proposal)
        kept = unit.history_keys.current()
        assert kept is not None
        return kept

    return ctx.metadata.write(work)


def rotate(ctx: ServiceContext) -> stored_log.HistoryKey:
    """Replace the key in use. It signs the new one and is then destroyed; its public key stays published."""
    while True:
        proposal = _new_key(ctx, current_key(ctx))
        event = new_event(ctx, kinds.HISTORY_KEY_ROTATED, key=proposal.key_id)

        def work(unit: Unit, proposal: stored_log.HistoryKey = proposal) -> bool:
            added = unit.history_keys.add(proposal)
            if added:
                unit.audit.add([event])  # noqa: B023 - run before the next turn
            return added

        if ctx.metadata.write(work):
            return proposal


def sign(key: stored_log.HistoryKey, head: Head) -> SignedHead:
    return SignedHead(head, key_hash(key.key_id), _private(key).sign(head.text()))


def _new_key(ctx: ServiceContext, former: stored_log.HistoryKey | None) -> stored_log.HistoryKey:
    private = ctx.randomness.bytes(32)
    public = _loaded(private).public_key().public_bytes_raw()
    now = ctx.clock.now()
    signature = b"" if former is None else _private(former).sign(succession(former.key_id, public, now))
    return stored_log.HistoryKey(
        number=1 if former is None else former.number + 1,
        key_id=key_id(public),
        public_key=public,
        private_key=private,
        created_at=now,
        signature=signature,
    )


def _private(key: stored_log.HistoryKey) -> "Ed25519PrivateKey":
    assert key.private_key is not None, "only the key in use signs"
    return _loaded(key.private_key)


def _loaded(private: bytes) -> "Ed25519PrivateKey":
    # Imported with the first key: not every process signs.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(private)


def head(ctx: ServiceContext, caller: Caller) -> wire.HistoryHead:
    """Return the signed head of the log, and how many changes are not in it yet."""
    with ctx.metadata.snapshot() as unit:
        log = unit.history_log.get(caller.account_id)
        bounds = unit.history.bounds(caller.account_id)
    kept_from = bounds.oldest + 1
    waiting = bounds.newest + 1 - (kept_from if log is None else log.next)
    found = wire.HistoryHead(
        size=0,
        newest_number=bounds.newest,
        waiting=max(0, waiting),
        kept_from=kept_from,
        days=history_days(ctx, bounds),
        forgotten_date=bounds.forgotten_at or None,
    )
    return found if log is None else replace(found, note=log.head, start=log.start, size=log.size)


def consistency(ctx: ServiceContext, caller: Caller, query: wire.ConsistencyQuery) -> wire.ProofHashes:
    """Prove that the log of one size continues the log of a smaller size."""
    with ctx.metadata.snapshot() as unit:
        log = _log_of(unit, caller)
        if not query.old_size <= query.size <= log.size:
            raise ServiceError(codes.NOT_IN_HISTORY_LOG)
        hashes = _hashes(unit, caller, consistency_ranges(query.old_size, query.size))
    return wire.ProofHashes(hashes=[_encoded(one) for one in hashes])


def inclusion(ctx: ServiceContext, caller: Caller, query: wire.InclusionQuery) -> wire.ProofHashes:
    """Prove that the log contains a change."""
    with ctx.metadata.snapshot() as unit:
        log = _log_of(unit, caller)
        index = query.number - log.start
        if not 0 <= index < query.size <= log.size:
            raise ServiceError(codes.NOT_IN_HISTORY_LOG)
        hashes = _hashes(unit, caller, inclusion_ranges(index, query.size))
    return wire.ProofHashes(hashes=[_encoded(one) for one in hashes])


def leaves(ctx: ServiceContext, caller: Caller, query: wire.LeavesQuery) -> wire.HistoryLeaves:
    """Return leaves of the log, with the records of changes that are still kept."""
    with ctx.metadata.snapshot() as unit:
        log = _log_of(unit, caller)
        if not log.start <= query.number < log.next:
            raise ServiceError(codes.NOT_IN_HISTORY_LOG)
        last = min(query.number + query.limit, log.next) - 1
        ranges = [(at - log.start, at - log.start + 1) for at in range(query.number, last + 1)]
        hashes = _hashes(unit, caller, ranges)
        records = {one.seq: one for one in unit.history_log.records(caller.account_id, query.number, last)}
    found = []
    for number, leaf in enumerate(hashes, query.number):
        record = records.get(number)
        date, body = (None, None) if record is None else (record.at, _encoded(record.body.encoded()))
        found.append(wire.HistoryLeaf(number=number, hash=_encoded(leaf), date=date, record=body))
    return wire.HistoryLeaves(leaves=found)


def keys(ctx: ServiceContext, caller: Caller) -> wire.KeysOfHistory:  # noqa: ARG001 - for those who are logged in
    """List all public keys that have signed heads, and when the server was restored from a backup."""
    with ctx.metadata.read() as unit:
        known = unit.history_keys.all()
    return wire.KeysOfHistory(
        keys=[
            wire.KeyOfHistory(
                key_id=one.key_id,
                public_key=_encoded(one.public_key),
                created_date=one.created_at,
                retired_date=one.retired_at or None,
                signature=_encoded(one.signature) if one.signature else None,
            )
            for one in known
        ],
        restores=[
            *(wire.RestoreOfServer(date=one.at, state_date=one.state_at) for one in restores(ctx.metadata)),
            *(wire.RestoreOfServer(date=one.at) for one in adoptions(ctx.metadata)),
        ],
    )


def _log_of(unit: Unit, caller: Caller) -> stored_log.Log:
    log = unit.history_log.get(caller.account_id)
    if log is None:
        raise ServiceError(codes.NOT_IN_HISTORY_LOG)
    return log


def _hashes(unit: Unit, caller: Caller, ranges: Sequence[Range]) -> list[bytes]:
    places = stored_log.needed_places(ranges)
    tiles = unit.history_log.tiles(caller.account_id, places)
    if len(tiles) < len(places):
        # Somebody has deleted rows.
        raise ServiceError(codes.NOT_IN_HISTORY_LOG)
    return stored_log.range_hashes(tiles, ranges)


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()
