"""The doctor: checks that a store is consistent, and repairs what can be repaired.

check.py says what a check is, the *_checks.py modules hold them by subject, and a run makes every check in turn, with
repairs on request.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import blob_checks, row_checks
from skyshelf.service.doctor.check import PAGE, Check, CheckRun, Finding
from skyshelf.storage.errors import StoreDamaged

# A check comes after those whose repairs it relies on.
CHECKS = (
    Check("structure", "the database file is intact", row_checks.check_structure),
    Check("accounts", "every account has its counters and its root folder", row_checks.check_accounts),
    Check("codes", "the secret for second factors exists", row_checks.check_second_factors),
    Check("tree", "every object is below its root, and no folder is inside itself", row_checks.check_tree),
    Check("rows", "every reference between rows leads to a row", row_checks.check_dangling),
    Check("versions", "every file matches its current version", row_checks.check_versions),
    Check("uploads", "uploads in progress have every acknowledged byte", blob_checks.check_uploads),
    Check("references", "the reference counts of contents are right", row_checks.check_references),
    Check("quota", "the counters of every account are right", row_checks.check_quota),
    Check("listings", "cached listing entries are up to date", row_checks.check_listings),
    Check("search", "the search index is complete", row_checks.check_search),
    Check("timeline", "the timeline's counts are right", row_checks.check_timeline),
    Check("changes", "the change feeds have no gaps", row_checks.check_changes),
    Check("boards", "every album has an owner, and shows only its members' files", row_checks.check_boards),
    Check("purges", "deleted objects are being purged", blob_checks.check_purges),
    Check("blobs", "the content of every file is stored", blob_checks.check_blobs),
    Check("thumbnails", "every cached thumbnail is stored", blob_checks.check_thumbnails),
    Check("orphans", "no stored bytes are without a row", blob_checks.check_orphans),
)

REPORTED_MAX = PAGE
"""How many findings of one check are reported and repaired at a time; memory stays flat whatever is broken."""


class Problem(msgspec.Struct, frozen=True, rename="camel"):
    """Something that was wrong, and how it was repaired."""

    sentence: str
    repair: str | None = None
    is_damage: bool = True


class CheckResult(msgspec.Struct, rename="camel"):
    """The outcome of one check. `problems` holds the first ones; `found`, `repaired` and `harmless` count all."""

    check: str
    description: str
    found: int = 0
    repaired: int = 0
    harmless: int = 0
    """Findings that lose nothing and were left alone."""
    more: bool = False
    """Whether there may be more: then run it again."""
    problems: list[Problem] = []

    @property
    def passed(self) -> bool:
        return self.found == self.repaired + self.harmless and (not self.more or self.found == self.harmless)


def run_checks(
    ctx: ServiceContext, run: CheckRun, *, repair: bool = False, checks: Sequence[Check] = CHECKS
) -> Iterator[CheckResult]:
    """Run the checks one after the other; yields each result as soon as it is known."""
    for check in checks:
        try:
            yield _run_check(ctx, run, check, repair=repair)
        except StoreDamaged as damage:
            problem = Problem(f"the check could not be finished: {damage}")
            yield CheckResult(check.name, check.description, found=1, problems=[problem])


def _run_check(ctx: ServiceContext, run: CheckRun, check: Check, *, repair: bool) -> CheckResult:
    result = CheckResult(check.name, check.description)
    while True:
        finding = check.find(ctx, run)
        found = list(islice(finding, REPORTED_MAX))
        result.more = next(finding, None) is not None
        # Closed before any repair: a check may hold a snapshot of the store open.
        finding.close()  # type: ignore[attr-defined]
        repaired = [_report(ctx, result, one, repair=repair) for one in found]
        # Another round only after progress: what cannot be repaired would be found forever.
        if not (result.more and all(repaired)):
            return result


def _report(ctx: ServiceContext, result: CheckResult, finding: Finding, *, repair: bool) -> bool:
    """Count a finding and repair it on request; returns whether it was repaired."""
    done = finding.repair(ctx) if repair and finding.repair is not None else None
    result.found += 1
    result.repaired += done is not None
    result.harmless += done is None and not finding.is_damage
    if len(result.problems) < REPORTED_MAX:
        result.problems.append(Problem(finding.sentence, done, finding.is_damage))
    return done is not None
