"""Which tests a run takes, and what it says about the others."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.real_parts import programs
from tests.selection import lines_of_left, need
from tools import changed_tests
from tools.bare_machine import make_bare_machine

ROOT = Path(__file__).parents[2]


def test_a_summary_counts_what_was_left_out_and_says_how_to_run_it() -> None:
    left = Counter({"crashes": 50, need("nextcloudcmd"): 13})
    skipped = ["Skipped: needs nextcloudcmd", "Skipped: needs root", "Skipped: no /dev/fuse"]
    assert lines_of_left(left, skipped) == [
        "not run: 66, and ./dev test --all runs everything",
        "  50 crashes",
        "  1 skipped: no /dev/fuse",
        "  14 tests need nextcloudcmd: apt-get install nextcloud-desktop-cmd, or ./dev test --all",
        "  1 test needs root: run it as root",
    ]
    assert lines_of_left(Counter(), skipped[1:2]) == ["not run:", "  1 test needs root: run it as root"]
    assert lines_of_left(Counter(), []) == []


def test_a_program_that_is_missing_skips_its_test_and_fails_it_in_a_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv(programs.BARE, "1")
    monkeypatch.delenv("SKYSHELF_CHROMIUM", raising=False)
    assert [programs.find(name) for name in ("nginx", "chromium")] == [None, None]
    monkeypatch.setattr(programs, "_is_whole", False)
    with pytest.raises(pytest.skip.Exception) as skipped:
        programs.program("litmus")
    assert programs.name_in(str(skipped.value)) == "litmus"
    programs.all_must_exist()
    with pytest.raises(pytest.fail.Exception, match="apt-get install litmus"):
        programs.program("litmus")
    with pytest.raises(AssertionError, match="has no package"):
        programs.program("an unknown one")


def test_every_program_that_a_test_is_marked_with_has_a_package() -> None:
    marked = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for names in re.findall(r"mark\.program\(([^)]*)\)", file.read_text("utf-8"))
        for name in re.findall(r'"([^"]+)"', names)
    }
    assert len(marked) > 3
    assert marked <= programs.PACKAGES.keys()


@pytest.mark.whole
def test_a_change_reaches_the_tests_that_import_it_nearest_first() -> None:
    reached = changed_tests.reached(["src/skyshelf/wire/names.py"])
    assert reached[0] == "tests/wire/test_names.py"
    assert "tests/server/test_walls.py" in reached
    assert changed_tests.reached(["tests/requirements/standing.py"])[0] == "tests/requirements/test_manifest.py"
    # What nothing imports: a page, a file beside tests, a module that is gone.
    assert set(changed_tests.reached(["docs/operating.md"])) == {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/project").glob("test_*.py")
    }
    assert "tests/requirements/test_manifest.py" in changed_tests.reached(["tests/requirements/statements.toml"])
    assert changed_tests.reached(["changes/+a.feature.md"]) == ["tests/project/test_release.py"]
    assert changed_tests.reached(["src/skyshelf/gone.py"]) == []


@pytest.mark.program("git")
def test_a_bare_machine_has_python_and_the_base_of_the_system_alone(tmp_path: Path) -> None:
    make_bare_machine(tmp_path)
    found = {file.name for file in (tmp_path / "bin").iterdir()}
    assert {"python3", "sh", "bash", "sed", "awk", "ls", "env"} <= found
    assert not {"git", "curl", "nginx", "node", "npm", "cc", "zsh", "chromium", "nextcloudcmd", "pip"} & found
    asked = [str(tmp_path / "bin" / "python3"), "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert said.split() == [str(part) for part in sys.version_info[:2]]
    assert (tmp_path / "skyshelf" / "dev").stat().st_mode & 0o100
