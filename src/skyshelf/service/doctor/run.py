"""One visit of the doctor: every promise in turn, and what is broken mended if that is wanted."""

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import blob_checks, derived_checks, people_checks, tree_checks
from skyshelf.service.doctor.check import PAGE, Check, CheckRun, Finding

# All promises, in the order in which they are looked at: what a later one counts, an earlier one may have mended.

CHECKS = (
    Check("structure", "the database is whole in its own eyes", tree_checks.check_structure),
    Check("accounts", "every account has its counters and its root folder", tree_checks.check_accounts),
    Check("codes", "the codes of second factors can be compared", people_checks.check_second_factors),
    Check("tree", "every object hangs below the root, and no folder is inside of itself", tree_checks.check_tree),
    Check("rows", "every row that refers to another one finds it", tree_checks.check_dangling),
    Check("versions", "every file is its current version", tree_checks.check_versions),
    Check("uploads", "uploads in progress have every byte that was acknowledged", blob_checks.check_uploads),
    Check("references", "the references to every content are counted", tree_checks.check_references),
    Check("quota", "the counters of every account are the sum of what it holds", tree_checks.check_quota),
    Check("encoded", "listings show objects as they are", derived_checks.check_encoded),
    Check("search", "a search finds what is there", derived_checks.check_search),
    Check("timeline", "the timeline counts what is there", derived_checks.check_timeline),
    Check("changes", "the changes of every account have no hole", derived_checks.check_changes),
    Check("boards", "every board has an owner, and shows what its members put there", people_checks.check_boards),
    Check("purges", "what was given up is being purged", blob_checks.check_purges),
    Check("blobs", "the bytes of every file are there", blob_checks.check_blobs),
    Check("thumbnails", "every thumbnail that was made is there", blob_checks.check_thumbnails),
    Check("orphans", "no bytes are left that nobody knows", blob_checks.check_orphans),
)


# One visit of the doctor: every promise in turn, and what is broken mended if that is wanted.

KEPT = PAGE
"""So many findings of one promise are told and mended at a time, so that memory stays flat whatever is broken."""


class Trouble(msgspec.Struct, frozen=True, rename="camel"):
    """Something that was wrong, and what became of it."""

    sentence: str
    mended: str | None = None


class Result(msgspec.Struct, rename="camel"):
    """What is known of one promise. troubles holds the first of them; wrong and mended count all."""

    promise: str
    says: str
    wrong: int = 0
    mended: int = 0
    more: bool = False
    """Whether there may be more that nobody has looked at: then run it again."""
    troubles: list[Trouble] = []

    @property
    def holds(self) -> bool:
        return self.wrong == self.mended and not self.more


def examine(
    ctx: ServiceContext, visit: CheckRun, *, repair: bool = False, promises: Sequence[Check] = CHECKS
) -> Iterator[Result]:
    """Look at every promise, one after the other; each result comes when it is known."""
    for promise in promises:
        yield _examined(ctx, visit, promise, repair=repair)


def _examined(ctx: ServiceContext, visit: CheckRun, promise: Check, *, repair: bool) -> Result:
    result = Result(promise.name, promise.says)
    while True:
        looking = promise.look(ctx, visit)
        found = list(islice(looking, KEPT))
        result.more = next(looking, None) is not None
        # Closed before anything is mended: a look may hold a moment of the store open.
        looking.close()  # type: ignore[attr-defined]
        mended = [_treated(ctx, result, one, repair=repair) for one in found]
        # Another round only where this one got somewhere: what cannot be mended would be found for ever.
        if not (result.more and all(mended)):
            return result


def _treated(ctx: ServiceContext, result: Result, finding: Finding, *, repair: bool) -> bool:
    done = finding.mend(ctx) if repair and finding.mend is not None else None
    result.wrong += 1
    result.mended += done is not None
    if len(result.troubles) < KEPT:
        result.troubles.append(Trouble(finding.sentence, done))
    return done is not None
