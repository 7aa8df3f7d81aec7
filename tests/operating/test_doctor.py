"""The doctor finds every kind of damage, reports it in a sentence, and repairs what can be repaired."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.operating.shelves import Everything, new_shelf, one_of_everything
from tests.operating.stacks import Stack

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import CHECKS, CheckResult, run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.storage.metadata.contracts.tree import NewFolder

raw = bytes.fromhex
DAYS_LATER = 3


def problems(ctx: ServiceContext, *, repair: bool = False, deep: bool = True, only: str = "") -> dict[str, CheckResult]:
    """The results of the checks that found something, by name."""
    checks = [check for check in CHECKS if not only or check.name == only]
    results = run_checks(ctx, CheckRun(deep=deep, threads=2), repair=repair, checks=checks)
    return {result.check: result for result in results if result.found}


@dataclass(frozen=True)
class Damage:
    name: str
    do: Callable[[Stack, Everything], object]
    check: str
    sentence: str
    is_repairable: bool = True
    is_found_by_a_quick_run: bool = True

    def __str__(self) -> str:
        return self.name


def _rows(statement: str, *values: Callable[[Everything], str | int | bytes | None]) -> Callable[..., None]:
    def do(stack: Stack, all_: Everything) -> None:
        stack.damage(statement, *(value(all_) for value in values))

    return do


def _cycle(stack: Stack, all_: Everything) -> None:
    stack.damage(
        "UPDATE objects SET parent_key = ? WHERE object_key = ?",
        raw(all_.inner.object_key),
        raw(all_.outer.object_key),
    )


def _stray_blob(stack: Stack, _: Everything) -> None:
    stack.ctx.blobs.put([b"left behind"])
    stack.clock.advance(days=DAYS_LATER)


def _stray_upload(stack: Stack, _: Everything) -> None:
    with stack.ctx.blobs.uploading(stack.ctx.new_key()) as upload:
        upload.append([b"left behind"], after=None)
    stack.clock.advance(days=DAYS_LATER)


def _lost_upload(stack: Stack, all_: Everything) -> None:
    stack.ctx.blobs.discard(all_.upload)


photo_key: Callable[[Everything], bytes] = lambda all_: raw(all_.photo.object_key)  # noqa: E731
letter_key: Callable[[Everything], bytes] = lambda all_: raw(all_.letter.object_key)  # noqa: E731
nobody: Callable[[Everything], bytes] = lambda _: raw("00" * 16)  # noqa: E731

DAMAGES = (
    Damage(
        "a parent is gone",
        _rows("UPDATE objects SET parent_key = ? WHERE object_key = ?", nobody, letter_key),
        "tree",
        "“letter.txt”",
    ),
    Damage(
        "a file has a child",
        _rows("UPDATE objects SET parent_key = ? WHERE object_key = ?", letter_key, photo_key),
        "tree",
        "“photo.jpg”",
    ),
    Damage(
        "an object is at the top",
        _rows("UPDATE objects SET parent_key = NULL WHERE object_key = ?", letter_key),
        "tree",
        "has no parent folder",
    ),
    Damage("folders lie within each other", _cycle, "tree", "is inside itself"),
    Damage(
        "the root is gone",
        _rows("UPDATE accounts SET root_key = ?", nobody),
        "accounts",
        "has no root folder",
        is_repairable=False,
    ),
    Damage("the counters are gone", _rows("DELETE FROM account_counters"), "accounts", "has no counters", False),
    Damage(
        "the secret of codes is gone",
        _rows("DELETE FROM settings WHERE name = 'second-factor-key'"),
        "codes",
        "1 account requires a code",
        is_repairable=False,
    ),
    Damage(
        "an old version has lost its file",
        _rows(
            "INSERT INTO versions SELECT account_id, ?, version, content, md5, size, category, mime_type, mime_subtype,"
            " created_at, created_by, file_created_at, last_modified_at FROM versions WHERE object_key = ?",
            nobody,
            letter_key,
        ),
        "rows",
        "1 row of versions without the row of objects",
    ),
    Damage(
        "a chunk has lost its upload",
        _rows("INSERT INTO upload_parts (upload_key, start, size, md5, token) VALUES (?, 0, 1, ?, '')", nobody, nobody),
        "rows",
        "1 row of upload_parts without the row of uploads",
    ),
    Damage(
        "the current version is gone",
        _rows("DELETE FROM versions WHERE object_key = ? AND version = 2", photo_key),
        "versions",
        "“photo.jpg”",
    ),
    Damage(
        "a file has another content than its version",
        _rows("UPDATE objects SET size = size + 1 WHERE object_key = ?", letter_key),
        "versions",
        "“letter.txt”",
    ),
    Damage(
        "a reference is not counted",
        _rows(
            "UPDATE blobs SET refs = refs + 1 WHERE content = (SELECT content FROM objects WHERE object_key = ?)",
            letter_key,
        ),
        "references",
        "counts 3 references instead of 2",
    ),
    Damage("a counter is wrong", _rows("UPDATE account_counters SET photo_used = photo_used + 1"), "quota", "photo "),
    Damage("a reservation is forgotten", _rows("UPDATE account_counters SET reserved = 0"), "quota", "reserved 0"),
    Damage(
        "a listing entry is stale",
        _rows("UPDATE objects SET is_favorite = 1 WHERE object_key = ?", photo_key),
        "listings",
        "(wire)",
    ),
    Damage(
        "the search has lost a file",
        _rows("DELETE FROM search_entries WHERE object_key = ?", letter_key),
        "search",
        "“letter.txt”",
    ),
    Damage(
        "a month is miscounted", _rows("UPDATE timeline_months SET files = files + 1"), "timeline", "has wrong counts"
    ),
    Damage("a month is forgotten", _rows("DELETE FROM timeline_months"), "timeline", "has wrong counts"),
    Damage("a change is gone", _rows("DELETE FROM changes WHERE seq = 3"), "changes", "has a gap"),
    Damage(
        "a board has lost its owner",
        _rows("UPDATE board_members SET role = 'M'"),
        "boards",
        "has no owner among its members",
    ),
    Damage("nobody is on a board", _rows("DELETE FROM board_members"), "boards", "has no owner among its members"),
    Damage("a purge is forgotten", _rows("DELETE FROM outbox WHERE kind = 'purge'"), "purges", "no purge is scheduled"),
    Damage(
        "a blob is gone",
        lambda stack, all_: stack.ctx.blobs.delete(all_.shelf.location(all_.photo)),
        "blobs",
        "is missing; it belongs to version 2 of “photo.jpg”",
        is_repairable=False,
    ),
    Damage(
        "a blob is shorter",
        lambda stack, all_: stack.replace_bytes(all_.shelf.location(all_.photo), b"short"),
        "blobs",
        "is damaged",
        is_repairable=False,
    ),
    Damage(
        "a blob has other bytes",
        lambda stack, all_: stack.replace_bytes(all_.shelf.location(all_.letter), b"Dear reader"),
        "blobs",
        "does not match its hashes",
        is_repairable=False,
        is_found_by_a_quick_run=False,
    ),
    Damage(
        "a thumbnail is gone",
        lambda stack, all_: stack.ctx.blobs.delete(all_.thumbnail),
        "thumbnails",
        "512 pixels, jpeg",
    ),
    Damage(
        "an upload forgot a chunk",
        _rows("DELETE FROM upload_parts WHERE upload_key = ?", lambda all_: raw(all_.upload)),
        "uploads",
        "lacks acknowledged chunks",
    ),
    Damage("an upload lost its bytes", _lost_upload, "uploads", "has lost acknowledged bytes"),
    Damage("a blob is nobody's", _stray_blob, "orphans", "no row refers to blob"),
    Damage("an upload is nobody's", _stray_upload, "orphans", "no row refers to upload"),
)


def test_nothing_is_wrong_with_a_store_that_has_one_of_everything(stack: Stack) -> None:
    one_of_everything(stack)
    assert problems(stack.ctx) == {}
    assert problems(stack.ctx, repair=True) == {}


def test_a_new_store_is_sound(stack: Stack) -> None:
    assert problems(stack.ctx) == {}


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_damage_is_found_reported_and_repaired(stack: Stack, damage: Damage) -> None:
    everything = one_of_everything(stack)
    damage.do(stack, everything)

    found = problems(stack.ctx)
    assert damage.check in found, found
    sentences = [problem.sentence for problem in found[damage.check].problems]
    assert any(damage.sentence in sentence for sentence in sentences), sentences
    assert not any(result.repaired for result in found.values())
    quick = problems(stack.ctx, deep=False, only=damage.check)
    assert (damage.check in quick) == damage.is_found_by_a_quick_run

    repaired = problems(stack.ctx, repair=True)
    assert repaired[damage.check].passed == damage.is_repairable
    left = problems(stack.ctx)
    assert (damage.check in left) != damage.is_repairable
    if damage.is_repairable:
        assert left == {}


def test_what_lost_its_place_is_found_in_the_root_under_a_free_name(stack: Stack) -> None:
    everything = one_of_everything(stack)
    shelf = everything.shelf
    shelf.file("letter.txt", b"another letter")
    stack.damage("UPDATE objects SET parent_key = ? WHERE object_key = ?", raw("00" * 16), letter_key(everything))
    assert problems(stack.ctx, repair=True)["tree"].repaired == 1
    with stack.ctx.metadata.read() as unit:
        home = unit.tree.visible(shelf.id, everything.letter.object_key)
    assert (home.parent_key, home.name) == (shelf.account.root_key, "letter (1).txt")


def test_of_a_circle_one_folder_comes_to_the_root_and_the_others_stay_below_it(stack: Stack) -> None:
    everything = one_of_everything(stack)
    _cycle(stack, everything)
    assert problems(stack.ctx, repair=True)["tree"].repaired == 1
    with stack.ctx.metadata.read() as unit:
        ancestors = unit.tree.ancestors(everything.shelf.id, everything.photo.object_key)
    assert [one.name for one in ancestors] == ["root", "outer", "inner"]


def test_what_belongs_to_somebody_who_is_not_on_a_board_is_taken_off_it(stack: Stack) -> None:
    everything = one_of_everything(stack)
    other = new_shelf(stack, "grace@example.org")
    secret = other.file("secret.txt", b"nobody's business")
    stack.damage(
        "INSERT INTO board_items (board_key, account_id, object_key, added_at) VALUES (?, ?, ?, 0)",
        raw(everything.board),
        other.id,
        raw(secret.object_key),
    )
    found = problems(stack.ctx, repair=True)
    assert found.keys() == {"boards"}
    assert found["boards"].passed
    assert "shows files of an account that is not a member" in found["boards"].problems[0].sentence
    assert problems(stack.ctx) == {}
    with stack.ctx.metadata.read() as unit:
        shown = unit.board_items.page(everything.shelf.id, everything.board, limit=10)
    assert len(shown) == 1


def test_recent_unknown_bytes_are_not_reported(stack: Stack) -> None:
    stack.ctx.blobs.put([b"on its way"])
    assert problems(stack.ctx) == {}


def test_more_than_is_reported_at_once_is_still_repaired(embedded: Stack) -> None:
    from skyshelf.service.doctor import REPORTED_MAX

    everything = one_of_everything(embedded)
    ctx, shelf = embedded.ctx, everything.shelf
    names = [
        NewFolder(object_key=ctx.new_key(), parent_key=shelf.account.root_key, name=f"{number}")
        for number in range(REPORTED_MAX + 50)
    ]
    ctx.metadata.write(lambda unit: [unit.tree.add_folder(shelf.id, one, ctx.clock.now()) for one in names])
    embedded.damage("UPDATE objects SET is_favorite = 1")
    found = problems(ctx)["listings"]
    assert (found.found, found.more, len(found.problems)) == (REPORTED_MAX, True, REPORTED_MAX)
    repaired = problems(ctx, repair=True)["listings"]
    assert repaired.passed
    assert repaired.repaired > REPORTED_MAX + 50
    assert problems(ctx) == {}
