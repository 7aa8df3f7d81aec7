"""The examples of docs/client.md do what the page says, and its tests pass."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.client.serving import Person

from skyshelf.client.sync_client import Client

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def blocks(language: str, mark: str = "") -> list[str]:
    return [text for found, what, text in BLOCKS if (found, what) == (language, mark)]


def environment(person: Person) -> dict[str, str]:
    return {f"SKYSHELF_{name.upper()}": str(value) for name, value in person.settings.items()}


def test_the_table_has_every_method_and_no_other() -> None:
    rows = re.findall(r"^\| `(client[.\w]*)`[^|]*\| (.+) \|$", PAGE, re.MULTILINE)
    listed = [f"{group}.{name}" for group, names in rows for name in re.findall(r"`(\w+)`", names)]
    with Client("https://drive.example.org") as client:
        groups = {"client": client} | {
            f"client.{name}": group for name, group in vars(client).items() if name[0] != "_"
        }
        methods = {
            f"{prefix}.{name}"
            for prefix, group in groups.items()
            for name in dir(group)
            if name[0] != "_" and f"{prefix}.{name}" not in groups
        }
    assert len(listed) == len(set(listed))
    assert set(listed) == methods


def test_every_example_runs(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in environment(person).items():
        monkeypatch.setenv(name, value)
    Path("picture.jpg").write_bytes(os.urandom(100))
    Path("film.mp4").write_bytes(os.urandom(3000))
    Path("holiday").mkdir()
    Path("holiday/note.txt").write_text("sunny")
    examples = blocks("python")
    assert len(examples) >= 8
    with Client() as client:
        known: dict[str, object] = {"__name__": "page"}
        for number, example in enumerate(examples):
            # The first example closes its client, as it should; the others go on with one that is open.
            known["client"] = client
            exec(compile(example, f"example {number + 1}", "exec"), known)
    told = capsys.readouterr().out
    assert "Ada Byron" in told
    assert "/l/?u=" in told
    assert "SKY3000" in told


def test_the_programs_print_what_the_page_shows(person: Person, tmp_path: Path) -> None:
    programs, shown = blocks("python", "run"), blocks("output")
    assert len(programs) == len(shown) >= 3
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(programs)],
        env=os.environ | environment(person),
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
