"""Killed at any moment, an import goes on where it was: nothing is lost, nothing comes twice, nothing stays behind."""

from pathlib import Path

import pytest
from tests.operating.dying import run_until_killed
from tests.operating.dying_import import MOMENTS
from tests.operating.folders import Tree, bring_in, drive, plant
from tests.operating.shelves import new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

pytestmark = pytest.mark.whole

TREE: Tree = {f"folder {number // 20}/{number}.txt": b"file %d" % number for number in range(150)}


def test_an_import_that_is_killed_again_and_again_brings_everything_once(stack: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(stack)
    source = plant(tmp_path / "source", TREE)
    before = 0
    for moment in MOMENTS[stack.name]:
        run_until_killed("import", *stack.urls, str(source), moment)
        found = {path: content for path, content in drive(shelf).items() if content is not None}
        assert found.items() <= TREE.items()
        assert len(found) > before or moment == "taking"
        before = len(found)
        assert problems(stack.ctx) == {}

    summary = bring_in(shelf, source)
    assert drive(shelf) == TREE
    assert summary.files_unchanged == before
    assert summary.versions_added == 0
    # What the killed ones left is found when it is old enough to be judged, and put into quarantine.
    stack.clock.advance(days=3)
    left = problems(stack.ctx, repair=True)
    assert left.keys() == {"orphans"}
    assert left["orphans"].passed
    assert problems(stack.ctx) == {}
    locations = [blob.location for blob in stack.ctx.blobs.list()]
    with stack.ctx.metadata.read() as unit:
        quarantined = unit.quarantine.known(locations)
    assert len(locations) - len(quarantined) == len(TREE)
