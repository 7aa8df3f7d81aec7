"""The examples of docs/client.md do what the page says."""

import os
import re
from pathlib import Path

import pytest
from tests.client.serving import Person

from skyshelf.client.sync_client import Client

PAGE = Path(__file__).parents[2] / "docs" / "client.md"


def test_every_example_runs(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in person.settings.items():
        monkeypatch.setenv(f"SKYSHELF_{name.upper()}", str(value))
    Path("picture.jpg").write_bytes(os.urandom(100))
    Path("film.mp4").write_bytes(os.urandom(3000))
    Path("holiday").mkdir()
    Path("holiday/note.txt").write_text("sunny")
    examples = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
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
