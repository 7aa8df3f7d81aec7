"""Checks of rows: the database file, accounts, the tree, versions, counters, boards, second factors and derived data.

Derived data are cached listing entries, the search index, the timeline and the change feeds.
"""

from collections.abc import Iterator
from functools import partial
from operator import methodcaller

from msgspec.structs import asdict

from skyshelf.service.accounts import login_codes
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import MOST, PAGE, CheckRun, Finding, repaired, walk
from skyshelf.storage.errors import AccountMissing, ObjectMissing
from skyshelf.storage.metadata.contracts import inspection

_ACCOUNTS_AT_ONCE = 100
_GONE = "the object no longer exists"
_RIGHT_NOW = "the count is right now"


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


def _repair_tree(ctx: ServiceContext, *, lost: inspection.FaultyObject) -> str | None:
    now = ctx.clock.now()
    try:
        moved = ctx.metadata.write(lambda unit: unit.repair.bring_home(lost.account_id, [lost.object_key], now))
    except ObjectMissing:
        return None
    return f"moved {_described(lost)} to the root folder" if moved else "it is in place now"


def _described(row: inspection.FaultyObject | inspection.NamedVersion) -> str:
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


def _repair_dangling(ctx: ServiceContext, *, dangling: inspection.Dangling) -> str | None:
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
        done = f"made {file.object_key} and its version {file.version} agree"
        yield Finding(sentence, repaired(methodcaller("restore_current", file.account_id, file.object_key), done))
    for file in unlike_content:
        yield Finding(f"version {file.version} of {_described(file)} has another size or MD5 than its content")


def check_references(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.miscounted(limit=MOST)
    for content in found:
        sentence = f"content {content.sha256} counts {content.refs:,} references instead of {content.counted:,}"
        call = methodcaller("recount_references", content.sha256, ctx.clock.now())
        yield Finding(sentence, repaired(call, f"recounted the references to {content.sha256}", _RIGHT_NOW))


def check_quota(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    """Compare used space by category with the versions, and reserved space with the uploads."""
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
            done = f"recounted the quota of account {account.account_id}"
            call = methodcaller("recount_quota", account.account_id, now)
            yield Finding(sentence, repaired(call, done, _RIGHT_NOW))
        if not accounts:
            return
        after = accounts[-1].account_id


def check_boards(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        ownerless = unit.inspection.ownerless_boards()
        of_strangers = unit.inspection.boards_of_strangers()
    for board_key in ownerless:
        done = f"made the oldest member the owner of album {board_key}"
        otherwise = f"removed album {board_key}, which had no members"
        sentence = f"album {board_key} has no owner among its members"
        yield Finding(sentence, repaired(methodcaller("crown", board_key), done, otherwise))
    for board_key in of_strangers:
        sentence = f"album {board_key} shows files of an account that is not a member"
        yield Finding(sentence, partial(_repair_items, board_key=board_key))


def _repair_items(ctx: ServiceContext, *, board_key: str) -> str | None:
    removed = ctx.metadata.write(lambda unit: unit.repair.drop_strangers_items(board_key))
    return f"took {removed:,} {'file' if removed == 1 else 'files'} out of album {board_key}"


def check_second_factors(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    count, after = 0, 0
    with ctx.metadata.snapshot() as unit:
        if unit.settings.get(login_codes.SETTING) is not None:
            return
        while page := unit.accounts.list(after_id=after, limit=PAGE):
            count += len(unit.second_factors.on_among([account.account_id for account in page]))
            after = page[-1].account_id
    if count:
        require = "account requires" if count == 1 else "accounts require"
        yield Finding(
            f"{count:,} {require} a code at login, but the server's secret for codes is missing, so every code is"
            " rejected: skyshelf admin user reset-second-factor lets people log in with the password alone"
        )


def check_listings(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        for entry in walk(lambda after: unit.inspection.outdated(after, limit=PAGE)):
            sentence = f"the cached listing entry of {_described(entry)} is stale ({', '.join(entry.columns)})"
            call = methodcaller("rewrite", entry.account_id, entry.object_key)
            yield Finding(sentence, repaired(call, f"rewrote the listing entry of {entry.object_key}", _GONE))


def check_search(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        found = unit.inspection.unfindable(limit=MOST)
    for entry in found:
        call = methodcaller("reindex", entry.account_id, entry.object_key)
        sentence = f"the search index entry of {_described(entry)} is missing or wrong"
        yield Finding(sentence, repaired(call, f"reindexed {entry.object_key}", _GONE))


def check_timeline(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        wrong = unit.inspection.wrong_months()
    for account_id in wrong:
        sentence = f"the timeline of account {account_id} has wrong counts"
        done = f"recounted the timeline of account {account_id}"
        yield Finding(sentence, repaired(methodcaller("recount_months", account_id), done, done))


def check_changes(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        broken = unit.inspection.broken_feeds()
    for account_id in broken:
        done = f"dropped the change feed of account {account_id}: devices that follow it start over"
        sentence = f"the change feed of account {account_id} has a gap"
        yield Finding(sentence, repaired(methodcaller("forget_feed", account_id), done, done))
