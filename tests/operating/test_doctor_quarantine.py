"""Repairs delete no bytes: what the doctor takes away is in quarantine, and what is there can help."""

from tests.operating.shelves import one_of_everything
from tests.operating.stacks import Stack
from tests.operating.test_doctor import DAYS_LATER, problems

from skyshelf.service.integrity.quarantine import set_aside_blobs


def in_quarantine(stack: Stack) -> dict[str, str]:
    """What the doctor has set aside, by location, with its kind."""
    with stack.ctx.metadata.read() as unit:
        return {one.location: one.kind for one in unit.quarantine.page(reason="repair", limit=100)}


def test_orphans_go_to_quarantine_and_their_bytes_stay(stack: Stack) -> None:
    ctx = stack.ctx
    blob, upload_id = ctx.blobs.put([b"left behind"]), ctx.new_key()
    with ctx.blobs.uploading(upload_id) as upload:
        upload.append([b"left behind"], after=None)
    stack.clock.advance(days=DAYS_LATER)
    found = problems(ctx, repair=True)
    assert found["orphans"].repaired == 2
    assert in_quarantine(stack) == {blob.location: "blob", upload_id: "upload"}
    assert b"".join(ctx.blobs.read(blob.location)) == b"left behind"
    assert [one.upload_id for one in ctx.blobs.list_uploads()] == [upload_id]
    assert problems(ctx) == {}


def test_an_orphan_that_is_the_last_good_copy_takes_the_place_of_the_damaged_one(stack: Stack) -> None:
    everything = one_of_everything(stack)
    shelf, ctx = everything.shelf, stack.ctx
    old = shelf.location(everything.letter)
    new = ctx.blobs.put(ctx.blobs.read(old))
    stack.replace_bytes(old, b"x" * new.size)
    stack.clock.advance(days=DAYS_LATER)
    problems(ctx, repair=True)
    assert shelf.location(everything.letter) == new.location
    assert problems(ctx) == {}


def test_damaged_content_is_replaced_by_a_copy_from_quarantine(stack: Stack) -> None:
    everything = one_of_everything(stack)
    shelf, ctx = everything.shelf, stack.ctx
    old = shelf.location(everything.letter)
    new = ctx.blobs.put(ctx.blobs.read(old))
    set_aside_blobs(ctx, {new.location: new.size}, "orphan")
    stack.replace_bytes(old, b"x" * new.size)
    assert problems(ctx, only="blobs")["blobs"].found == 1
    assert problems(ctx, only="blobs", repair=True)["blobs"].passed
    assert shelf.location(everything.letter) == new.location
    assert problems(ctx) == {}


def test_an_upload_that_lost_bytes_is_given_up_and_the_rest_of_them_stays(stack: Stack) -> None:
    everything = one_of_everything(stack)
    stack.damage("UPDATE uploads SET received = received + 5 WHERE upload_key = ?", bytes.fromhex(everything.upload))
    before = {one.upload_id for one in stack.ctx.blobs.list_uploads()}
    assert problems(stack.ctx, only="uploads", repair=True)["uploads"].passed
    assert everything.upload in in_quarantine(stack)
    assert {one.upload_id for one in stack.ctx.blobs.list_uploads()} == before
