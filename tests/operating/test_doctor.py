"""The doctor finds every kind of damage, tells it in a sentence, and mends what can be mended."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.operating.shelves import Everything, new_shelf, one_of_everything
from tests.operating.stacks import Stack

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.doctor.run import CHECKS, Result, examine
from skyshelf.storage.metadata.contracts.tree import NewFolder

raw = bytes.fromhex
DAYS_LATER = 3


def troubles(ctx: ServiceContext, *, repair: bool = False, deep: bool = True, only: str = "") -> dict[str, Result]:
    """What is wrong, by promise."""
    promises = [promise for promise in CHECKS if not only or promise.name == only]
    looked = examine(ctx, CheckRun(deep=deep, threads=2), repair=repair, promises=promises)
    return {result.promise: result for result in looked if result.wrong}


@dataclass(frozen=True)
class Damage:
    name: str
    do: Callable[[Stack, Everything], object]
    promise: str
    sentence: str
    can_be_mended: bool = True
    found_by_a_quick_look: bool = True

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
        "hangs below nothing",
    ),
    Damage("folders lie within each other", _cycle, "tree", "is inside of itself"),
    Damage(
        "the root is gone",
        _rows("UPDATE accounts SET root_key = ?", nobody),
        "accounts",
        "has no root folder",
        can_be_mended=False,
    ),
    Damage("the counters are gone", _rows("DELETE FROM account_counters"), "accounts", "has no counters", False),
    Damage(
        "the secret of codes is gone",
        _rows("DELETE FROM settings WHERE name = 'second-factor-key'"),
        "codes",
        "1 accounts ask for a code",
        can_be_mended=False,
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
        "1 rows of versions name rows of objects",
    ),
    Damage(
        "a chunk has lost its upload",
        _rows("INSERT INTO upload_parts (upload_key, start, size, md5, token) VALUES (?, 0, 1, ?, '')", nobody, nobody),
        "rows",
        "1 rows of upload_parts name rows of uploads",
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
        "counts 3 references, and 2 are there",
    ),
    Damage("a counter is wrong", _rows("UPDATE account_counters SET photo_used = photo_used + 1"), "quota", "photo "),
    Damage("a reservation is forgotten", _rows("UPDATE account_counters SET reserved = 0"), "quota", "reserved 0"),
    Damage(
        "a row is shown as it is not",
        _rows("UPDATE objects SET is_favorite = 1 WHERE object_key = ?", photo_key),
        "encoded",
        "(wire)",
    ),
    Damage(
        "the search has lost a file",
        _rows("DELETE FROM search_entries WHERE object_key = ?", letter_key),
        "search",
        "“letter.txt”",
    ),
    Damage("a month is miscounted", _rows("UPDATE timeline_months SET files = files + 1"), "timeline", "counts other"),
    Damage("a month is forgotten", _rows("DELETE FROM timeline_months"), "timeline", "counts other"),
    Damage("a change is gone", _rows("DELETE FROM changes WHERE seq = 3"), "changes", "have a hole"),
    Damage(
        "a board has lost its owner",
        _rows("UPDATE board_members SET role = 'M'"),
        "boards",
        "has no owner who is on it",
    ),
    Damage("nobody is on a board", _rows("DELETE FROM board_members"), "boards", "has no owner who is on it"),
    Damage("a purge is forgotten", _rows("DELETE FROM outbox WHERE kind = 'purge'"), "purges", "nobody is going to"),
    Damage(
        "a blob is gone",
        lambda stack, all_: stack.ctx.blobs.delete(all_.shelf.location(all_.photo)),
        "blobs",
        "are gone: version 2 of “photo.jpg”",
        can_be_mended=False,
    ),
    Damage(
        "a blob is shorter",
        lambda stack, all_: stack.replace_bytes(all_.shelf.location(all_.photo), b"short"),
        "blobs",
        "are not as many as were stored",
        can_be_mended=False,
    ),
    Damage(
        "a blob has other bytes",
        lambda stack, all_: stack.replace_bytes(all_.shelf.location(all_.letter), b"Dear reader"),
        "blobs",
        "are others than were stored",
        can_be_mended=False,
        found_by_a_quick_look=False,
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
        "lacks chunks",
    ),
    Damage("an upload lost its bytes", _lost_upload, "uploads", "has lost bytes"),
    Damage("a blob is nobody's", _stray_blob, "orphans", "no row knows the blob"),
    Damage("an upload is nobody's", _stray_upload, "orphans", "no row knows the upload"),
)


def test_nothing_is_wrong_with_a_store_that_has_one_of_everything(stack: Stack) -> None:
    one_of_everything(stack)
    assert troubles(stack.ctx) == {}
    assert troubles(stack.ctx, repair=True) == {}


def test_a_new_store_is_sound(stack: Stack) -> None:
    assert troubles(stack.ctx) == {}


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_damage_is_found_told_and_mended(stack: Stack, damage: Damage) -> None:
    everything = one_of_everything(stack)
    damage.do(stack, everything)

    found = troubles(stack.ctx)
    assert damage.promise in found, found
    told = [trouble.sentence for trouble in found[damage.promise].troubles]
    assert any(damage.sentence in sentence for sentence in told), told
    assert not any(result.mended for result in found.values())
    quick = troubles(stack.ctx, deep=False, only=damage.promise)
    assert (damage.promise in quick) == damage.found_by_a_quick_look

    mended = troubles(stack.ctx, repair=True)
    assert mended[damage.promise].holds == damage.can_be_mended
    left = troubles(stack.ctx)
    assert (damage.promise in left) != damage.can_be_mended
    if damage.can_be_mended:
        assert left == {}


def test_what_lost_its_place_is_found_in_the_root_under_a_free_name(stack: Stack) -> None:
    everything = one_of_everything(stack)
    shelf = everything.shelf
    shelf.file("letter.txt", b"another letter")
    stack.damage("UPDATE objects SET parent_key = ? WHERE object_key = ?", raw("00" * 16), letter_key(everything))
    assert troubles(stack.ctx, repair=True)["tree"].mended == 1
    with stack.ctx.metadata.read() as unit:
        home = unit.tree.visible(shelf.id, everything.letter.object_key)
    assert (home.parent_key, home.name) == (shelf.account.root_key, "letter (1).txt")


def test_of_a_circle_one_folder_comes_to_the_root_and_the_others_stay_below_it(stack: Stack) -> None:
    everything = one_of_everything(stack)
    _cycle(stack, everything)
    assert troubles(stack.ctx, repair=True)["tree"].mended == 1
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
    found = troubles(stack.ctx, repair=True)
    assert found.keys() == {"boards"}
    assert found["boards"].holds
    assert "shows something of an account that is not on it" in found["boards"].troubles[0].sentence
    assert troubles(stack.ctx) == {}
    with stack.ctx.metadata.read() as unit:
        shown = unit.board_items.page(everything.shelf.id, everything.board, limit=10)
    assert len(shown) == 1


def test_young_bytes_that_nobody_knows_yet_are_not_judged(stack: Stack) -> None:
    stack.ctx.blobs.put([b"on its way"])
    assert troubles(stack.ctx) == {}


def test_more_than_can_be_told_at_once_is_still_mended(embedded: Stack) -> None:
    from skyshelf.service.doctor.run import KEPT

    everything = one_of_everything(embedded)
    ctx, shelf = embedded.ctx, everything.shelf
    names = [
        NewFolder(object_key=ctx.new_key(), parent_key=shelf.account.root_key, name=f"{number}")
        for number in range(KEPT + 50)
    ]
    ctx.metadata.write(lambda unit: [unit.tree.add_folder(shelf.id, one, ctx.clock.now()) for one in names])
    embedded.damage("UPDATE objects SET is_favorite = 1")
    found = troubles(ctx)["encoded"]
    assert (found.wrong, found.more, len(found.troubles)) == (KEPT, True, KEPT)
    mended = troubles(ctx, repair=True)["encoded"]
    assert mended.holds
    assert mended.mended > KEPT + 50
    assert troubles(ctx) == {}
