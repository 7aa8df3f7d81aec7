"""The doctor needs no more memory for many objects than for few."""

import tracemalloc

import pytest
from tests.operating.shelves import new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

from skyshelf.storage.metadata.contracts.files import NewFile

pytestmark = pytest.mark.whole

EMPTY = {"sha256": "00" * 32, "md5": "00" * 16, "size": 0, "location": "nowhere"}


def test_three_times_as_many_objects_need_as_much_memory(embedded: Stack) -> None:
    shelf, ctx = new_shelf(embedded), embedded.ctx

    def fill(first: int, last: int) -> None:
        now = ctx.clock.now()
        files = [
            NewFile(
                object_key=ctx.new_key(),
                parent_key=shelf.account.root_key,
                name=f"a file with quite a long name {number}.bin",
                category="document",
                mime_type="application",
                mime_subtype="octet-stream",
                file_created_at=now,
                last_modified_at=now,
                created_by="Ada",
                **EMPTY,  # type: ignore[arg-type]
            )
            for number in range(first, last)
        ]
        ctx.metadata.write(lambda unit: unit.files.put_many(shelf.id, files, now, keep_versions=1))

    def largest() -> int:
        tracemalloc.start()
        try:
            assert problems(ctx, deep=False).keys() == {"blobs"}
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    fill(0, 2_000)
    few = largest()
    fill(2_000, 6_000)
    assert largest() < 1.3 * few
