"""The examples of docs/sdk.md are run: the programs one after the other, and the tests by pytest."""

import os
import re
import subprocess
import sys
from pathlib import Path

from docs.generate import DOCS

from skyshelf.testing.server import TestAccount

pytest_plugins = ["skyshelf.testing.fixtures"]

PAGE = (DOCS / "sdk.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def blocks(language: str, mark: str) -> list[str]:
    return [text for found, what, text in BLOCKS if (found, what) == (language, mark)]


def test_the_programs_print_what_the_page_shows(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    programs, shown = blocks("python", "run"), blocks("output", "")
    assert len(programs) == len(shown) > 3
    session = {f"SKYSHELF_{name.upper()}": value for name, value in skyshelf_account.session.settings().items()}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(programs)],
        env=os.environ | session,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "".join(shown)


def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    (example,) = blocks("python", "test")
    (tmp_path / "test_example.py").write_text(example)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_example.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
