"""Checks of derived data: cached listing entries, the search index, the timeline and the change feeds."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import MOST, PAGE, CheckRun, Finding, walk
from skyshelf.storage.metadata.contracts.inspection import Named, Outdated


def check_listings(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        for entry in walk(lambda after: unit.inspection.outdated(after, limit=PAGE)):
            sentence = f"the cached listing entry of {_described(entry)} is stale ({', '.join(entry.columns)})"
            yield Finding(sentence, partial(_repair_listing, entry=entry))


def _repair_listing(ctx: ServiceContext, *, entry: Outdated) -> str | None:
    if ctx.metadata.write(lambda unit: unit.repair.rewrite(entry.account_id, entry.object_key)):
        return f"rewrote the listing entry of {entry.object_key}"
    return "the object no longer exists"


def check_search(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.unfindable(limit=MOST)
    for entry in found:
        yield Finding(
            f"the search index entry of {_described(entry)} is missing or wrong", partial(_repair_search, entry=entry)
        )


def _repair_search(ctx: ServiceContext, *, entry: Named) -> str | None:
    done = ctx.metadata.write(lambda unit: unit.repair.reindex(entry.account_id, entry.object_key))
    return f"reindexed {entry.object_key}" if done else "the object no longer exists"


def _described(entry: Named | Outdated) -> str:
    return f"“{entry.name}” ({entry.object_key}, account {entry.account_id})"


def check_timeline(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        wrong = unit.inspection.wrong_months()
    for account_id in wrong:
        yield Finding(
            f"the timeline of account {account_id} has wrong counts", partial(_repair_timeline, account_id=account_id)
        )


def _repair_timeline(ctx: ServiceContext, *, account_id: int) -> str | None:
    ctx.metadata.write(lambda unit: unit.repair.recount_months(account_id))
    return f"recounted the timeline of account {account_id}"


def check_changes(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        broken = unit.inspection.broken_feeds()
    for account_id in broken:
        yield Finding(
            f"the change feed of account {account_id} has a gap", partial(_repair_changes, account_id=account_id)
        )


def _repair_changes(ctx: ServiceContext, *, account_id: int) -> str | None:
    ctx.metadata.write(lambda unit: unit.repair.forget_feed(account_id))
    return f"dropped the change feed of account {account_id}: devices that follow it start over"
