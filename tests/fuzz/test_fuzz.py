"""Every target holds for its corpus and for some new inputs; the fuzzer finds planted bugs."""

import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.fuzz.coverage import Coverage
from tests.fuzz.engine import Failed, Fuzzer, Target, save_failure
from tests.fuzz.targets import CORPUS, TARGETS

INPUTS = {"share-pages": 150, "heads": 60, "names": 150, "vcards": 300}
USUAL_INPUTS = 1000


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_no_known_and_no_new_input_breaks_it(target: Target) -> None:
    with target.opened() as run:
        fuzzer = Fuzzer(target, run, CORPUS / target.name, seed=1)
        report = fuzzer.run(inputs=INPUTS.get(target.name, USUAL_INPUTS), keep=False)
    assert report.inputs >= INPUTS.get(target.name, USUAL_INPUTS)
    assert report.lines > 0 or not target.is_measured


def _guarded(data: bytes) -> None:
    """Only an input that found its way through all branches fails."""
    if data[:1] != b"S":
        return
    if data[1:2] != b"K":
        return
    if data[2:3] == b"Y":
        raise ValueError("found")


def _slow(data: bytes) -> None:
    until = time.process_time() + (1 if b"aaaaaaaa" in data else 0)
    while time.process_time() < until:
        pass


def _fuzzer(run: object, folder: Path, *, seeds: list[bytes], tokens: list[bytes]) -> Fuzzer:
    target = Target(name="planted", about="", opened=lambda: nullcontext(run), seeds=seeds, tokens=tokens)  # type: ignore[arg-type]
    fuzzer = Fuzzer(target, run, folder, seed=1)  # type: ignore[arg-type]
    fuzzer._coverage = Coverage(str(Path(__file__).parent))
    return fuzzer


def test_an_input_behind_several_branches_is_found_and_made_short(tmp_path: Path) -> None:
    fuzzer = _fuzzer(_guarded, tmp_path, seeds=[b"x"], tokens=[b"S", b"K", b"Y"])
    with pytest.raises(Failed) as found:
        fuzzer.run(inputs=200_000, keep=True)
    failed = fuzzer.smallest(found.value)
    assert failed.data == b"SKY"
    assert failed.reason == "ValueError: found"
    assert save_failure(tmp_path / "failures", failed).read_bytes() == b"SKY"
    kept = {file.read_bytes()[:2] for file in tmp_path.iterdir() if file.is_file()}
    assert b"SK" in kept, "the steps to it are kept"


def test_an_input_that_takes_long_is_found(tmp_path: Path) -> None:
    fuzzer = _fuzzer(_slow, tmp_path, seeds=[b"a"], tokens=[b"aa"])
    with pytest.raises(Failed, match="slow"):
        fuzzer.run(inputs=5000, keep=False)


def test_pruning_leaves_what_reaches_most(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"SK")
    (tmp_path / "two").write_bytes(b"SK, but longer")
    fuzzer = _fuzzer(_guarded, tmp_path, seeds=[b"x"], tokens=[])
    assert fuzzer.prune() == 1
    assert [file.name for file in tmp_path.iterdir()] == ["one"]
