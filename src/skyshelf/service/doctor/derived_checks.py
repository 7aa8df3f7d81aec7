"""What is kept of an object in another form, as listings show it and find it, says what the object is."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import MOST, PAGE, CheckRun, Finding, walk
from skyshelf.storage.metadata.contracts.inspection import Named, Outdated


def check_encoded(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        for one in walk(lambda after: unit.inspection.outdated(after, limit=PAGE)):
            what = f"“{one.name}” ({one.object_key}) of account {one.account_id} is shown as it is not"
            yield Finding(f"{what} ({', '.join(one.columns)})", partial(_repair_encoded, one=one))


def _repair_encoded(ctx: ServiceContext, *, one: Outdated) -> str | None:
    if ctx.metadata.write(lambda unit: unit.repair.rewrite(one.account_id, one.object_key)):
        return f"wrote {one.object_key} anew"
    return "it is gone by now"


# A search finds every object that is there, and no other.


def check_search(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.unfindable(limit=MOST)
    for one in found:
        what = f"a search does not know “{one.name}” ({one.object_key}) of account {one.account_id} as it is"
        yield Finding(what, partial(_repair_search, one=one))


def _repair_search(ctx: ServiceContext, *, one: Named) -> str | None:
    done = ctx.metadata.write(lambda unit: unit.repair.reindex(one.account_id, one.object_key))
    return f"indexed {one.object_key} anew" if done else "it is gone by now"


# The timeline counts as many pictures and videos in every month as there are.


def check_timeline(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        wrong = unit.inspection.wrong_months()
    for account_id in wrong:
        what = f"the timeline of account {account_id} counts other numbers of pictures than there are"
        yield Finding(what, partial(_repair_timeline, account_id=account_id))


def _repair_timeline(ctx: ServiceContext, *, account_id: int) -> str | None:
    ctx.metadata.write(lambda unit: unit.repair.recount_months(account_id))
    return f"counted the months of account {account_id} anew"


# The feed of changes has no hole, and ends with the newest.


def check_changes(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        broken = unit.inspection.broken_feeds()
    for account_id in broken:
        yield Finding(
            f"the changes of account {account_id} have a hole", partial(_repair_changes, account_id=account_id)
        )


def _repair_changes(ctx: ServiceContext, *, account_id: int) -> str | None:
    ctx.metadata.write(lambda unit: unit.repair.forget_feed(account_id))
    return f"dropped the changes of account {account_id}: devices that follow them begin anew"
