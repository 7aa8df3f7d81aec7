"""Killed at any moment, an import goes on where it was: nothing is lost, nothing comes twice, nothing stays behind."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.operating.dying_import import MOMENTS
from tests.operating.folders import Tree, bring_in, drive, plant
from tests.operating.shelves import new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
TREE: Tree = {f"folder {number // 20}/{number}.txt": b"file %d" % number for number in range(150)}


def test_an_import_that_is_killed_again_and_again_brings_everything_once(stack: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(stack)
    source = plant(tmp_path / "source", TREE)
    before = 0
    for moment in MOMENTS[stack.name]:
        command = [sys.executable, "-m", "tests.operating.dying_import", *stack.urls, str(source), moment]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode == -signal.SIGKILL, ended.stderr
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
