"""Adding changes to the logs of their accounts, in the background and in batches: no upload pays for it.

Hashes are computed outside any transaction. What is written is a few rows per batch, and only if no other process
has added to the log since.
"""

import itertools
import logging
from collections.abc import Iterator, Sequence
from typing import Final

from skyshelf.service.context import ServiceContext
from skyshelf.service.proofs.keys import current_key, sign
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.history.log import Growth, HistoryKey, Log, LoggedChange
from skyshelf.storage.metadata.history.tiles import grown, needed_places, open_places, range_hashes
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.proofs.heads import Head
from skyshelf.wire.proofs.leaves import hash_of_body, hash_of_leaf

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


def add_some(ctx: ServiceContext, account_id: int, key: HistoryKey, limit: int = BATCH) -> bool:
    """Add the next changes of an account; true while some may be left."""
    try:
        with ctx.metadata.snapshot() as unit:
            growth = _growth(ctx, unit, account_id, key, limit)
    except AccountMissing:
        return False
    if growth is None:
        return False
    # If somebody else was quicker, the next turn sees what they added.
    added = ctx.metadata.write(lambda unit: unit.history_log.grow(account_id, growth))
    return not added or growth.size - growth.log.size == limit


def _growth(ctx: ServiceContext, unit: Unit, account_id: int, key: HistoryKey, limit: int) -> Growth | None:
    log = unit.history_log.get(account_id) or _beginning(ctx, unit, account_id)
    if log is None:
        return None
    bounds = unit.history.bounds(account_id)
    changes = unit.history_log.changes(account_id, log.next, limit)
    upto = min(changes[-1].seq if changes else bounds.newest, log.next + limit - 1)
    if upto < log.next:
        return None
    leaves = _leaves(log.next, upto, changes)
    tiles = unit.history_log.tiles(account_id, open_places(log.size))
    changed = grown(log.size, tiles, leaves)
    size = log.size + len(leaves)
    whole = [(0, size)]
    # Subtrees that are complete already are in tiles that do not change.
    others = [place for place in needed_places(whole) if place not in changed and place not in tiles]
    tiles |= changed | (unit.history_log.tiles(account_id, others) if others else {})
    [root] = range_hashes(tiles, whole)
    head = Head(log.log_key, size, root, log.start, ctx.clock.now())
    # What was forgotten before it came here is in its leaf alone.
    kept = {one.seq: one.body.after for one in changes if one.seq > bounds.oldest}
    return Growth(
        log=log,
        size=size,
        head=sign(key, head).note(),
        key_id=key.key_id,
        tiles=changed,
        states=[kept.get(seq) for seq in range(log.next, upto + 1)],
    )


def _beginning(ctx: ServiceContext, unit: Unit, account_id: int) -> Log | None:
    start = unit.history_log.beginning(account_id)
    return None if start is None else Log(ctx.randomness.bytes(16).hex().upper(), start, 0, "")


def _leaves(first: int, last: int, changes: Sequence[LoggedChange]) -> list[bytes]:
    """A leaf for each number; a change that the feed no longer had has one that says so."""
    hashes = {one.seq: hash_of_leaf(one.seq, one.at, hash_of_body(one.body.encoded())) for one in changes}
    missing = sum(1 for seq in range(first, last + 1) if seq not in hashes)
    if missing:
        _log.warning("%d changes from number %d on had left the feed before they were logged", missing, first)
    return [hashes.get(seq) or hash_of_leaf(seq, 0, None) for seq in range(first, last + 1)]


def log_now(ctx: ServiceContext, account_id: int) -> None:
    """Add all changes of one account at once: for tests and tools."""
    for _ in itertools.takewhile(bool, (add_some(ctx, account_id, current_key(ctx)) for _ in itertools.count())):
        pass
