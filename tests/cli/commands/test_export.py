"""`skyshelf export`: everything in the account, verified, and resumed after an interruption."""

import hashlib
import os
import zipfile
from pathlib import Path

import msgspec
import pytest
from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

from skyshelf.cli.commands.export import ExportRecord
from skyshelf.client.download.export import STATE, state_of
from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy


@pytest.fixture
def full(typist: Typist) -> Typist:
    """A drive with a few files, one of them with versions."""
    drive = typist.drive
    (folder,) = drive.add_folders(["Letters"])
    drive.add_files([("a.txt", b"a")], folder)
    drive.add_file("b.txt", b"first")
    drive.add_file("b.txt", b"second")
    drive.add_files([("large.bin", os.urandom(2_500_000))], folder)
    return typist


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != STATE
    }


def is_right(folder: Path) -> bool:
    """Whether the checksums name every file, and each of them is right."""
    sums = {}
    for listed in folder.glob("SHA256SUMS-*.txt"):
        for line in listed.read_text().splitlines():
            digest, _, name = line.partition("  ")
            sums[name] = digest
    found = {name: data for name, data in tree(folder).items() if not name.startswith("SHA256SUMS")}
    return sums == {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}


def test_everything_is_in_the_folder_and_every_checksum_is_right(full: Typist) -> None:
    done = full.record(ExportRecord, "export", "mine", "--part-size", "1MiB", "--password-stdin", stdin=PASSWORD)
    folder = full.desk / "mine"
    assert (done.path, done.is_zipped, done.parts) == ("mine", False, 2)
    assert is_right(folder)
    assert done.files == len(tree(folder))
    assert (folder / "files/Letters/a.txt").read_bytes() == b"a"
    assert (folder / "files/b.txt").read_bytes() == b"second"
    assert (folder / "versions/files/b.txt/1.txt").read_bytes() == b"first"
    assert "sha256sum -c" in (folder / "README.txt").read_text()
    assert "begun" in full.run("account", "events").stdout


def test_zip_files_are_kept_whole_and_unpack_to_the_same(full: Typist) -> None:
    full.done("export", "zips", "--zip", "--part-size", "1MiB", "--password-stdin", stdin=PASSWORD)
    names = sorted(path.name for path in (full.desk / "zips").glob("*.zip"))
    assert names == ["part-0001-of-0002.zip", "part-0002-of-0002.zip"]
    for name in names:
        with zipfile.ZipFile(full.desk / "zips" / name) as archive:
            assert archive.testzip() is None
            archive.extractall(full.desk / "unpacked")
    assert is_right(full.desk / "unpacked")


def test_it_asks_for_the_password_and_begins_nothing_without(full: Typist) -> None:
    code, said = full.refused("export", "mine")
    assert (code, "--password-stdin" in said) == (2, True)
    code, said = full.refused("export", "mine", "--password-stdin", stdin="a wrong password")
    assert "password is wrong" in said
    assert state_of(full.desk / "mine") is None
    code, shown = full.in_terminal("export", "mine", answers=(("Your password", f"{PASSWORD}\n"),))
    assert code == 0, shown
    assert "all verified" in shown
    assert PASSWORD not in shown


def test_a_folder_with_something_else_is_left_alone(full: Typist) -> None:
    full.write("mine/something", "precious")
    code, said = full.refused("export", "mine", "--password-stdin", stdin=PASSWORD)
    assert "mine is not empty: name a new folder" in said
    full.done("export", "new", "--password-stdin", stdin=PASSWORD)
    code, said = full.refused("export", "new", "--password-stdin", stdin=PASSWORD)
    assert (code, "has a complete export" in said) == (1, True)
    code, said = full.refused("export", "small", "--part-size", "1KiB", "--password-stdin", stdin=PASSWORD)
    assert (code, "at least 1 MiB" in said) == (2, True)


def test_lost_connections_and_wrong_bytes_are_made_good(full: Typist) -> None:
    plan = FaultPlan(once=(Fault.CUT, Fault.CORRUPT), only="/download/export")
    with FaultProxy(full.server, plan) as proxy:
        full.move_session(proxy.url)
        full.done("export", "mine", "--part-size", "1MiB", "--password-stdin", stdin=PASSWORD)
        assert [one.fault for one in proxy.log] == [Fault.CUT, Fault.CORRUPT]
    assert is_right(full.desk / "mine")


def test_an_interrupted_export_goes_on_without_a_password_and_with_the_next_part(full: Typist) -> None:
    full.done("export", "mine", "--part-size", "1MiB", "--password-stdin", stdin=PASSWORD)
    folder = full.desk / "mine"
    before = tree(folder)
    # As if it had been killed before its last part was complete.
    state = state_of(folder)
    assert state is not None
    state.parts[-1] = msgspec.structs.replace(state.parts[-1], is_done=False, files=0)
    (folder / STATE).write_bytes(msgspec.json.encode(state))
    for path in (folder / "metadata").glob("*-0002.*"):
        path.unlink()
    full.done("export", "mine")
    assert tree(folder) == before
    assert full.run("account", "events").stdout.count("An export of everything") == 1
