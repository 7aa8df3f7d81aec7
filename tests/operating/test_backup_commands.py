"""The commands of backups: what they print, and how they end."""

import json
from pathlib import Path
from typing import Any

import pyrage
import pytest
from click.testing import CliRunner, Result
from tests.operating.backups import fingerprint, opened
from tests.operating.folders import drive
from tests.operating.shelves import Shelf, new_shelf, one_of_everything
from tests.operating.stacks import Stack

from skyshelf.cli.main import main
from skyshelf.storage.identity import check_identity
from skyshelf.storage.open import embedded_urls


def _run(*arguments: str | Path, expecting: int = 0) -> Result:
    result = CliRunner().invoke(main, ["admin", *map(str, arguments)])
    assert result.exit_code == expecting, result.output
    return result


def _json(*arguments: str | Path, expecting: int = 0) -> Any:
    return json.loads(_run(*arguments, "--json", expecting=expecting).stdout)


@pytest.fixture
def shelf(embedded: Stack) -> Shelf:
    shelf = one_of_everything(embedded).shelf
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    return shelf


def test_backing_up_listing_verifying_rehearsing_and_restoring(shelf: Shelf, tmp_path: Path) -> None:
    data, destination, restored = tmp_path / "data", tmp_path / "backup", tmp_path / "restored"
    first = _json("backup", destination, "--data", data, "--keep", "7d,4w,12m")
    assert (first["cut"]["complete"], first["damaged"], first["removed"]["cuts"]) == (True, [], [])
    shelf.file("later.txt", b"later")
    assert "new: 1 content" in _run("backup", destination, "--data", data).stdout
    assert not (data / "unfinished-backup").exists()

    before = fingerprint(destination)
    listed = _json("cuts", destination)
    assert [cut["newFiles"] for cut in listed] == [first["cut"]["newFiles"], 1]
    shown = _run("verify", destination, "--deep", "--rehearse", "--work", tmp_path).stdout
    assert "none damaged or missing" in shown
    assert "the doctor found nothing" in shown
    assert fingerprint(destination) == before

    ended = _run("restore", destination, "--data", restored)
    assert f"skyshelf serve --data {restored}" in ended.stdout
    assert [path.name for path in restored.iterdir() if path.name.startswith("unfinished")] == []
    with opened(shelf, *embedded_urls(restored)) as there:
        assert drive(there) == drive(shelf)
    _run("restore", destination, "--data", restored, expecting=2)


def test_an_earlier_cut_is_chosen_by_its_time(shelf: Shelf, tmp_path: Path) -> None:
    data, destination = tmp_path / "data", tmp_path / "backup"
    first = _json("backup", destination, "--data", data)["cut"]
    expected = drive(shelf)
    shelf.file("later.txt", b"later")
    _run("backup", destination, "--data", data)
    restored = _json("restore", destination, "--cut", first["id"][:18], "--data", tmp_path / "restored")
    assert restored["cut"] == first["id"]
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        assert drive(there) == expected
    assert "2 cuts of 20" in _run("restore", destination, "--cut", "20", "--data", tmp_path / "no", expecting=2).stderr


def test_an_encrypted_backup_by_command(shelf: Shelf, tmp_path: Path) -> None:
    data, destination, key = tmp_path / "data", tmp_path / "backup", tmp_path / "key.txt"
    identity = pyrage.x25519.Identity.generate()
    key.write_text(f"# public key: {identity.to_public()}\n{identity}\n")
    recipients = tmp_path / "recipients.txt"
    recipients.write_text(f"# the operator\n{identity.to_public()}\n")
    assert _json("backup", destination, "--data", data, "--recipients-file", recipients)["cut"]["encrypted"]
    assert (
        _json("backup", destination, "--data", data, "--recipient", str(identity.to_public()))["cut"]["newFiles"] == 0
    )
    assert "encrypted" in _run("cuts", destination).stdout
    _run("verify", destination, "--deep")
    _run("verify", destination, "--rehearse", "--identity", key, "--work", tmp_path)
    _run("restore", destination, "--identity", key, "--data", tmp_path / "restored")
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        assert drive(there) == drive(shelf)
    assert "age1" in _run("backup", destination, "--data", data, "--recipient", "bob", expecting=2).stderr


def test_exit_codes_distinguish_damage_from_what_could_not_be_done(embedded: Stack, tmp_path: Path) -> None:
    data, destination = tmp_path / "data", tmp_path / "backup"
    shelf = new_shelf(embedded)
    bad = shelf.file("bad.txt", b"as it was")
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    embedded.replace_bytes(shelf.location(bad), b"otherwise")
    result = _json("backup", destination, "--data", data, expecting=1)
    assert (result["cut"]["complete"], result["cut"]["lacking"]) == (False, 1)
    assert "bad.txt" in result["damaged"][0]
    assert "lacks 1" in _run("verify", destination).stdout
    next((destination / "packs").iterdir()).unlink()
    assert not _json("verify", destination, expecting=1)["passed"]
    _run("verify", tmp_path / "nothing", expecting=2)
    _run("cuts", tmp_path, expecting=0)
    _run("backup", data, "--data", data, expecting=2)
    assert "neither empty nor a backup" in _run("backup", tmp_path, "--data", data, expecting=2).stderr
    _run("backup", destination, "--data", data, "--keep", "often", expecting=2)
    _run("backup", destination, "--data", tmp_path / "none", expecting=2)


def test_what_may_belong_to_an_unreadable_cut_is_not_said_to_be_removable(shelf: Shelf, tmp_path: Path) -> None:
    data, destination = tmp_path / "data", tmp_path / "backup"
    _run("backup", destination, "--data", data)
    shelf.file("later.txt", b"later")
    _run("backup", destination, "--data", data)
    newest = max((destination / "cuts").iterdir())
    newest.write_bytes(newest.read_bytes().replace(b'"format":1', b'"format":9'))
    shown = _run("verify", destination, "--data", data, expecting=1).stdout
    assert "belongs to no cut" in shown
    assert "keep what belongs to no cut" in shown
    assert "--remove-unexplained" not in shown
    assert "cannot be read" in _run("prune", destination, "--remove-unexplained", expecting=2).stderr


@pytest.mark.parametrize("options", [("--list", "--cut", "2"), ("--data", "restored")], ids=["look", "restore"])
def test_a_damaged_cut_is_refused_with_the_way_to_an_earlier_one(
    shelf: Shelf, tmp_path: Path, options: tuple[str, ...]
) -> None:
    del shelf
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", tmp_path / "data")
    next((destination / "packs").iterdir()).write_bytes(b"")
    where = [str(tmp_path / one) if one == "restored" else one for one in options]
    refused = _run("restore", destination, *where, "--work", tmp_path, expecting=2)
    assert "is damaged: choose an earlier cut with --cut" in refused.stderr
