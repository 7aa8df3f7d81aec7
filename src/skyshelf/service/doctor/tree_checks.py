"""The database is whole in its own eyes."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import asdict

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import MOST, PAGE, CheckRun, Finding, walk
from skyshelf.storage.errors import AccountMissing, ObjectMissing
from skyshelf.storage.metadata.contracts.inspection import Dangling, Miscounted, Named, WrongFile


def check_structure(ctx: ServiceContext, visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        faults = unit.inspection.faults_of_the_file(deep=visit.deep)
    for fault in faults:
        yield Finding(f"the database finds itself damaged: {fault}")


# Every account has its counters and its root folder.


def check_accounts(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        without_counters = unit.inspection.accounts_without_counters()
        without_root = unit.inspection.accounts_without_root()
    for account_id in without_counters:
        yield Finding(f"account {account_id} has no counters, so that nobody can write to it")
    for account_id in without_root:
        yield Finding(f"account {account_id} has no root folder, or one that is not at the top")


# Every object hangs below the root of its account, and no folder is inside of itself.


def check_tree(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        for one in unit.inspection.homeless(limit=MOST):
            yield Finding(f"{_named(one)} hangs below nothing", partial(_repair_tree, one=one))
        for one in walk(lambda after: unit.inspection.circling(after, limit=PAGE)):
            yield Finding(f"the folder {_named(one)} is inside of itself", partial(_repair_tree, one=one))


def _repair_tree(ctx: ServiceContext, *, one: Named) -> str | None:
    now = ctx.clock.now()
    try:
        moved = ctx.metadata.write(lambda unit: unit.repair.bring_home(one.account_id, [one.object_key], now))
    except ObjectMissing:
        return None
    return f"moved {_named(one)} to the root" if moved else "it has found its place by itself"


def _named(one: Named | WrongFile) -> str:
    return f"“{one.name}” ({one.object_key}) of account {one.account_id}"


# Every row that refers to another one finds it.


def check_dangling(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.dangling()
    for one in found:
        what = f"{one.rows:,} rows of {one.table} name rows of {one.to} that are not there ({', '.join(one.columns)})"
        yield Finding(what, partial(_repair_dangling, dangling=one) if one.may_go else None)


def _repair_dangling(ctx: ServiceContext, *, dangling: Dangling) -> str | None:
    gone = ctx.metadata.write(lambda unit: unit.repair.drop_dangling(dangling))
    return f"removed {gone:,} rows of {dangling.table}"


# Every file is its current version, and every version is of the size and MD5 of its content.


def check_versions(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        without = unit.inspection.files_without_current(limit=MOST)
        unlike = unit.inspection.unlike_their_content(limit=MOST)
    for one in without:
        yield Finding(
            f"{_named(one)} differs from its current version, or has none", partial(_repair_versions, one=one)
        )
    for one in unlike:
        yield Finding(f"version {one.version} of {_named(one)} has another size or MD5 than its content")


def _repair_versions(ctx: ServiceContext, *, one: WrongFile) -> str | None:
    if ctx.metadata.write(lambda unit: unit.repair.restore_current(one.account_id, one.object_key)):
        return f"{one.object_key} and its version {one.version} agree again"
    return None


# The counter of references to a content is the number of versions that have it.


def check_references(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.miscounted(limit=MOST)
    for one in found:
        what = f"the content {one.sha256} counts {one.refs:,} references, and {one.counted:,} are there"
        yield Finding(what, partial(_repair_references, one=one))


def _repair_references(ctx: ServiceContext, *, one: Miscounted) -> str | None:
    now = ctx.clock.now()
    changed = ctx.metadata.write(lambda unit: unit.repair.recount_references(one.sha256, now))
    return f"counted the references to {one.sha256} anew" if changed else "they are right by now"


# The counters of an account, by category, are the sum of its versions; what it has reserved, of its uploads.


def check_quota(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    now, after = ctx.clock.now(), 0
    while True:
        with ctx.metadata.snapshot() as unit:
            accounts = unit.accounts.list(after_id=after, limit=100)
            found = []
            for account in accounts:
                try:
                    kept = unit.quotas.get(account.account_id, now)
                    counted = unit.quotas.recount(account.account_id, now)
                except AccountMissing:
                    continue  # it has no counters at all, which is another promise
                if kept != counted:
                    found.append((account, asdict(kept), asdict(counted)))
        for account, kept_of, counted_of in found:
            wrong = ", ".join(
                f"{name.removesuffix('_used')} {kept_of[name]:,} for {counted_of[name]:,}"
                for name in kept_of
                if kept_of[name] != counted_of[name]
            )
            yield Finding(
                f"the quota of {account.email} is wrong: {wrong}", partial(_repair_quota, account_id=account.account_id)
            )
        if not accounts:
            return
        after = accounts[-1].account_id


def _repair_quota(ctx: ServiceContext, *, account_id: int) -> str | None:
    now = ctx.clock.now()
    changed = ctx.metadata.write(lambda unit: unit.repair.recount_quota(account_id, now))
    return f"counted the quota of account {account_id} anew" if changed else "it is right by now"
