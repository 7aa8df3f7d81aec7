"""`./dev bench versions` compares two versions round by round, and says which revision it cannot find."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks import other_version
from benchmarks.pairs import Figure, Pairs, Row, measured, spread
from benchmarks.version_subjects import Version
from tests.real_parts.programs import program


def git(folder: Path, *arguments: str) -> str:
    config = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run([program("git"), *config, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One whose ./dev setup leaves a mark."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch", "main")
    (root / "dev").write_text('#!/bin/sh\necho "$*" >>done\n')
    (root / "dev").chmod(0o755)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    return root


def a_commit(root: Path, name: str) -> str:
    (root / name).write_text(name)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", name)
    return git(root, "rev-parse", "HEAD")


def test_without_a_release_the_error_says_how_to_name_a_revision(repository: Path) -> None:
    with pytest.raises(other_version.NoSuchVersionError, match="--against REV"):
        other_version.newest_release(repository)


def test_the_newest_release_is_the_highest_and_not_the_latest(repository: Path) -> None:
    for tag in ("v0.9.0", "v0.10.0", "v0.2.1", "other"):
        git(repository, "tag", tag)
    assert other_version.newest_release(repository) == "v0.10.0"


def test_a_revision_that_does_not_exist_is_named(repository: Path) -> None:
    with pytest.raises(other_version.NoSuchVersionError, match="'v9' is no revision"):
        other_version.commit_of("v9", repository)


def test_a_version_is_cloned_once_and_its_own_setup_runs_each_time(repository: Path) -> None:
    first = other_version.commit_of("HEAD", repository)
    a_commit(repository, "later")
    folder = other_version.set_up(first, repository)
    assert other_version.set_up(first, repository) == folder
    assert git(folder, "rev-parse", "HEAD") == first
    assert (folder / "done").read_text() == "setup\nsetup\n"
    assert not (folder / "later").exists()
    assert git(repository, "worktree", "list").count("\n") == 0


def test_a_clone_that_was_interrupted_is_begun_again(repository: Path) -> None:
    commit = other_version.commit_of("HEAD", repository)
    (other_version.cache() / f"{commit}.begun" / "half").mkdir(parents=True)
    assert (other_version.set_up(commit, repository) / "done").exists()


def test_old_versions_are_forgotten(repository: Path) -> None:
    folders = [other_version.set_up(a_commit(repository, name), repository) for name in "abcd"]
    assert sorted(other_version.cache().iterdir()) == sorted(folders[-other_version.KEPT :])


def row(figures: dict[str, Callable[[int], Figure]], **more: object) -> Row:
    return Row("row", lambda version, number: figures[version.subject.name](number), rounds=4, **more)  # type: ignore[arg-type]


class _Subject:
    def __init__(self, name: str) -> None:
        self.name = name


BEFORE, AFTER = (Version(_Subject(name), None, "", None) for name in ("before", "after"))  # type: ignore[arg-type]


def test_the_versions_take_turns_and_the_first_round_does_not_count() -> None:
    calls: list[tuple[str, int]] = []

    def of(name: str, value: float) -> Callable[[int], Figure]:
        def work(number: int) -> Figure:
            calls.append((name, number))
            return Figure(value if number else 99 * value, 10 / value)

        return work

    (pairs,) = measured([row({"before": of("before", 100), "after": of("after", 110)})], BEFORE, AFTER)
    assert [name for name, _ in calls] == ["after", "before", "before", "after"] * 2 + ["after", "before"]
    assert pairs.found == [(Figure(100, 0.1), Figure(110, 10 / 110))] * 4
    assert pairs.cells() == [
        "row", "100", "110", "1.10 (1.10–1.10)", "0.10", "0.09", "1.10 (1.10–1.10)"
    ]  # fmt: skip
    assert not pairs.is_below(0.97)


def test_a_ratio_is_of_its_round_so_a_slow_machine_does_not_count() -> None:
    pairs = Pairs(row({}), [(Figure(100, 5), Figure(95, 5)), (Figure(10, 9), Figure(9.5, 9))])
    assert pairs.speeds() == [0.95, 0.95]
    assert pairs.is_below(0.97)


def test_where_less_is_better_the_ratio_is_turned_round() -> None:
    pairs = Pairs(row({}, is_less_better=True), [(Figure(600), Figure(500))] * 2)
    assert pairs.cells() == ["row", "600", "500", "1.20 (1.20–1.20)", "–", "–", "–"]


def test_a_row_that_fails_is_named_and_the_others_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: int) -> Figure:
        raise RuntimeError("after answered 500")

    def fine(_: int) -> Figure:
        return Figure(1, 1)

    rows = [row({"before": fine, "after": fail}), row({"before": fine, "after": fine})]
    assert len(list(measured(rows, BEFORE, AFTER))) == 1
    assert "left out: 'row': after answered 500" in capsys.readouterr().out


def test_the_spread_is_the_middle_half() -> None:
    assert spread([1.0, 0.9, 1.1, 1.2, 0.8]) == "1.00 (0.90–1.10)"
