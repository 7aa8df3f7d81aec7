"""What happened, and commands that need no walk."""

import json
import subprocess
from pathlib import Path

from tests.cli.typing_commands import SKYSHELF, Typist

from skyshelf.cli.commands.history import ChangeRecord


def cursor_of_now(typist: Typist) -> str:
    (record,) = typist.records(ChangeRecord, "changes")
    assert record.kind == "now"
    return record.cursor


def test_changes_are_shown_since_a_cursor(typist: Typist) -> None:
    start = cursor_of_now(typist)
    typist.done("mkdir", "/Photos")
    typist.done("rename", "/Photos", "Pictures")
    told = typist.records(ChangeRecord, "changes", "--since", start)
    assert [(one.kind, one.name, one.type) for one in told] == [
        ("created", "Pictures", "folder"),
        ("renamed", "Pictures", "folder"),
    ]
    shown = typist.done("changes", "--since", start).splitlines()
    assert len(shown) == 2
    assert shown[1].endswith(f"renamed    Pictures/  {told[-1].cursor}")
    assert typist.done("changes", "--since", told[-1].cursor) == ""
    code, said = typist.refused("changes", "--since", "c99999-1")
    assert code == 3
    assert said.startswith("skyshelf: ")


def test_followers_are_notified_at_once(typist: Typist) -> None:
    start = cursor_of_now(typist)
    following = subprocess.Popen(
        [SKYSHELF, "changes", "--follow", "--jsonl", "--since", start],
        stdout=subprocess.PIPE,
        text=True,
        env=typist.environment,
    )
    try:
        typist.done("mkdir", "/seen")
        assert following.stdout is not None
        assert json.loads(following.stdout.readline())["name"] == "seen"
    finally:
        following.kill()
        following.communicate()


def test_du_find_and_backup_give_the_same_with_an_index_and_without(typist: Typist, tmp_path: Path) -> None:
    typist.write("Photos/2024/beach.jpg", "x" * 3000)
    typist.write("Photos/sea.jpg", "y" * 1000)
    typist.done("put", "Photos")
    index = typist.home / "cache" / "skyshelf"
    assert not list(index.glob("*.db"))
    assert typist.done("du") == typist.done("du", "--no-index")
    assert len(list(index.glob("*.db"))) == 1
    # What happened since it was made is in it.
    typist.done("mkdir", "/Photos/2025")
    typist.done("rm", "/Photos/sea.jpg")
    for words in (("du", "/Photos"), ("find", "2025", "--in", "/Photos")):
        assert typist.done(*words) == typist.done(*words, "--no-index")
    copy = tmp_path / "copy"
    typist.done("backup", str(copy))
    kept = [path.relative_to(copy) for path in copy.rglob("*") if path.is_file() and ".skyshelf" not in str(path)]
    assert kept == [Path("Photos/2024/beach.jpg")]


def test_find_folds_accents_and_takes_words_in_any_order(typist: Typist) -> None:
    typist.write("Café Müller 2024.txt", "x")
    typist.done("put", "Café Müller 2024.txt")
    assert typist.done("find", "2024 cafe").split("\n")[0] == "/Café Müller 2024.txt"
