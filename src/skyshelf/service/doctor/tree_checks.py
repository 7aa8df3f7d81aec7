"""Checks of the database: its file, accounts, the tree, references between rows, versions and counters."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import asdict

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import MOST, PAGE, CheckRun, Finding, walk
from skyshelf.storage.errors import AccountMissing, ObjectMissing
from skyshelf.storage.metadata.contracts.inspection import Dangling, Miscounted, Named, WrongFile

_ACCOUNTS_AT_ONCE = 100


def check_structure(ctx: ServiceContext, run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        faults = unit.inspection.faults_of_the_file(deep=run.deep)
    for fault in faults:
        yield Finding(f"the database reports damage: {fault}")


def check_accounts(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        without_counters = unit.inspection.accounts_without_counters()
        without_root = unit.inspection.accounts_without_root()
    for account_id in without_counters:
        yield Finding(f"account {account_id} has no counters, so it cannot be written to")
    for account_id in without_root:
        yield Finding(f"account {account_id} has no root folder at the top of its tree")


def check_tree(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        for lost in unit.inspection.homeless(limit=MOST):
            yield Finding(f"{_described(lost)} has no parent folder", partial(_repair_tree, lost=lost))
        for lost in walk(lambda after: unit.inspection.circling(after, limit=PAGE)):
            yield Finding(f"the folder {_described(lost)} is inside itself", partial(_repair_tree, lost=lost))


def _repair_tree(ctx: ServiceContext, *, lost: Named) -> str | None:
    now = ctx.clock.now()
    try:
        moved = ctx.metadata.write(lambda unit: unit.repair.bring_home(lost.account_id, [lost.object_key], now))
    except ObjectMissing:
        return None
    return f"moved {_described(lost)} to the root folder" if moved else "it is in place now"


def _described(row: Named | WrongFile) -> str:
    return f"“{row.name}” ({row.object_key}, account {row.account_id})"


def check_dangling(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.dangling()
    for dangling in found:
        sentence = (
            f"{_rows(dangling.rows)} of {dangling.table} without the row of {dangling.to} that"
            f" {', '.join(dangling.columns)} names"
        )
        yield Finding(sentence, partial(_repair_dangling, dangling=dangling) if dangling.may_go else None)


def _repair_dangling(ctx: ServiceContext, *, dangling: Dangling) -> str | None:
    removed = ctx.metadata.write(lambda unit: unit.repair.drop_dangling(dangling))
    return f"removed {_rows(removed)} of {dangling.table}"


def _rows(number: int) -> str:
    return f"{number:,} {'row' if number == 1 else 'rows'}"


def check_versions(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        without_current = unit.inspection.files_without_current(limit=MOST)
        unlike_content = unit.inspection.unlike_their_content(limit=MOST)
    for file in without_current:
        sentence = f"{_described(file)} differs from its current version, or has none"
        yield Finding(sentence, partial(_repair_version, file=file))
    for file in unlike_content:
        yield Finding(f"version {file.version} of {_described(file)} has another size or MD5 than its content")


def _repair_version(ctx: ServiceContext, *, file: WrongFile) -> str | None:
    if ctx.metadata.write(lambda unit: unit.repair.restore_current(file.account_id, file.object_key)):
        return f"made {file.object_key} and its version {file.version} agree"
    return None


def check_references(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.miscounted(limit=MOST)
    for content in found:
        sentence = f"content {content.sha256} counts {content.refs:,} references instead of {content.counted:,}"
        yield Finding(sentence, partial(_repair_references, content=content))


def _repair_references(ctx: ServiceContext, *, content: Miscounted) -> str | None:
    now = ctx.clock.now()
    changed = ctx.metadata.write(lambda unit: unit.repair.recount_references(content.sha256, now))
    return f"recounted the references to {content.sha256}" if changed else "the count is right now"


def check_quota(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    """Used space by category against the versions, reserved space against the uploads."""
    now, after = ctx.clock.now(), 0
    while True:
        with ctx.metadata.snapshot() as unit:
            accounts = unit.accounts.list(after_id=after, limit=_ACCOUNTS_AT_ONCE)
            found = []
            for account in accounts:
                try:
                    kept = unit.quotas.get(account.account_id, now)
                    counted = unit.quotas.recount(account.account_id, now)
                except AccountMissing:
                    continue  # it has no counters at all: check_accounts reports that
                if kept != counted:
                    found.append((account, asdict(kept), asdict(counted)))
        for account, kept_of, counted_of in found:
            wrong = ", ".join(
                f"{name.removesuffix('_used')} {kept_of[name]:,} instead of {counted_of[name]:,}"
                for name in kept_of
                if kept_of[name] != counted_of[name]
            )
            sentence = f"the quota of {account.email} is wrong: {wrong}"
            yield Finding(sentence, partial(_repair_quota, account_id=account.account_id))
        if not accounts:
            return
        after = accounts[-1].account_id


def _repair_quota(ctx: ServiceContext, *, account_id: int) -> str | None:
    now = ctx.clock.now()
    changed = ctx.metadata.write(lambda unit: unit.repair.recount_quota(account_id, now))
    return f"recounted the quota of account {account_id}" if changed else "the quota is right now"
