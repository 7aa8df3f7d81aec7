"""Every command that reads or writes a place of the operator's choice, where there cannot be one: it says so in one
sentence, without a traceback or a number of an error, and changes nothing."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.operating.shelves import new_shelf
from tests.operating.stacks import Stack

from skyshelf.cli.main import main
from skyshelf.storage.identity import check_identity

COMMANDS = {
    "backup": ("backup", "{place}", "--data", "{data}"),
    "work of a backup": ("backup", "{backup}", "--data", "{data}", "--work", "{place}"),
    "verify": ("verify", "{place}", "--data", "{data}"),
    "work of a rehearsal": ("verify", "{backup}", "--data", "{data}", "--rehearse", "--work", "{place}"),
    "list": ("restore", "{place}", "--list"),
    "work of a look": ("restore", "{backup}", "--list", "--cut", "2", "--work", "{place}"),
    "restore": ("restore", "{backup}", "--data", "{place}"),
    "restore to a folder": ("restore", "{backup}", "--account", "ada@example.org", "--to", "{place}"),
    "export": ("user", "export", "ada@example.org", "{place}", "--data", "{data}"),
    "import": ("import", "{place}", "--user", "ada@example.org", "--data", "{data}"),
    "init": ("init", "--data", "{place}"),
    "serve": ("serve", "--data", "{place}", "--port", "0"),
    "doctor": ("doctor", "--data", "{place}"),
    "move": ("move", "--data", "{data}", "--yes", "--to-data", "{place}"),
    "settings": ("settings", "check", "--config", "{place}"),
    "identity": ("restore", "{backup}", "--list", "--cut", "2", "--identity", "{place}"),
    "recipients": ("backup", "{backup}", "--data", "{data}", "--recipients-file", "{place}"),
}
PLACES = {
    "below a file": "file/folder",
    "where no folder can be made": "/proc/folder",
    "a name that is too long": "x" * 300,
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_each_command_says_in_one_sentence_what_cannot_be_used(embedded: Stack, tmp_path: Path, place: str) -> None:
    shelf = new_shelf(embedded)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    shelf.file("letter.txt", b"dear reader")
    (tmp_path / "file").write_text("a file")
    names = {"place": str(tmp_path / place), "data": str(tmp_path / "data"), "backup": str(tmp_path / "backup")}
    assert CliRunner().invoke(main, ["admin", "backup", names["backup"], "--data", names["data"]]).exit_code == 0
    before = _names(tmp_path / "backup")
    wrong = {}
    for title, words in COMMANDS.items():
        group = [] if words[0] == "serve" else ["admin"]
        ended = CliRunner().invoke(main, [*group, *(word.format(**names) for word in words)])
        said = ended.stderr.strip().splitlines()
        is_sentence = bool(said) and said[-1].startswith(("skyshelf: ", "Error: ")) and "[Errno" not in ended.stderr
        # 1 would say that something is damaged.
        expected = {2} if words[0] in ("backup", "verify", "restore") else {1, 2}
        if ended.exit_code not in expected or not isinstance(ended.exception, SystemExit) or not is_sentence:
            wrong[title] = (ended.exit_code, repr(ended.exception), said[-1:])
    assert wrong == {}
    assert _names(tmp_path / "backup") == before


def _names(backup: Path) -> list[Path]:
    return sorted(path for path in backup.rglob("*") if path.name != "lock")


def test_a_backup_inside_the_data_folder_is_made_with_a_warning(embedded: Stack, tmp_path: Path) -> None:
    new_shelf(embedded)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    data = str(tmp_path / "data")
    inside = CliRunner().invoke(main, ["admin", "backup", f"{data}/backup", "--data", data])
    assert (inside.exit_code, "inside the data folder" in inside.stderr) == (0, True)
    outside = CliRunner().invoke(main, ["admin", "backup", str(tmp_path / "backup"), "--data", data])
    assert (outside.exit_code, "inside the data folder" in outside.stderr) == (0, False)
