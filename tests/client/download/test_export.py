"""The parts of an export come from a server, and nothing in them is trusted: neither names, nor sizes, nor contents."""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyshelf.client.download.export import check_part
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.errors import IntegrityError
from skyshelf.client.local.files import LocalFolder

LIST = "metadata/objects-0001.jsonl"
SUMS = "SHA256SUMS-0001.txt"


def part(files: dict[str, bytes], *, sums: str | None = None, compression: int = zipfile.ZIP_STORED) -> bytes:
    """A part with these files, and right checksums unless others are given."""
    files = {LIST: b"", **files}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, compression)
        right = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
        archive.writestr(zipfile.ZipInfo(SUMS), right if sums is None else sums)
    return written.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[LocalFolder]:
    opened = LocalFolder.open(tmp_path / "parts")
    yield opened
    opened.close()


def unpack(folder: LocalFolder, data: bytes, destination: Path | None) -> int:
    file = PartFile(folder, "part.zip")
    try:
        file.append(data)
        return check_part(file, 1, destination)
    finally:
        file.discard()


def test_files_are_written_with_their_dates(folder: LocalFolder, tmp_path: Path) -> None:
    line = b'{"path":"files/a.txt","modified":"2020-01-02T03:04:05.678Z"}\n'
    count = unpack(folder, part({"files/a.txt": b"a", LIST: line}), tmp_path / "out")
    assert count == 3
    written = tmp_path / "out/files/a.txt"
    assert (written.read_bytes(), written.stat().st_mtime_ns // 10**6) == (b"a", 1577934245678)


@pytest.mark.parametrize(
    "name",
    ["../outside.txt", "/etc/outside", "files/../../outside.txt", "C:/outside", "files/a:b", "files/CON", "a\\b"],
)
def test_a_path_that_is_not_safe_is_refused_before_anything_is_written_there(
    folder: LocalFolder, tmp_path: Path, name: str
) -> None:
    with pytest.raises(IntegrityError):
        unpack(folder, part({name: b"outside"}), tmp_path / "out")
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == b"outside"]


def test_a_link_in_the_destination_is_not_followed(folder: LocalFolder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/files").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="files"):
        unpack(folder, part({"files/a.txt": b"a"}), tmp_path / "out")
    assert not any((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("destination", [None, "out"])
def test_contents_and_checksums_must_fit_together(folder: LocalFolder, tmp_path: Path, destination: str | None) -> None:
    out = None if destination is None else tmp_path / destination
    right = hashlib.sha256(b"").hexdigest()
    wrong = "0" * 64
    for sums in (f"{right}  {LIST}\n{wrong}  files/a.txt\n", f"{right}  {LIST}\n", "", "nonsense"):
        with pytest.raises(IntegrityError):
            unpack(folder, part({"files/a.txt": b"a"}, sums=sums), out)
    assert not (tmp_path / "out/files/a.txt").exists()


def test_nothing_that_is_larger_than_what_arrived(folder: LocalFolder, tmp_path: Path) -> None:
    bomb = part({"files/a.bin": bytes(10_000_000)}, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(IntegrityError, match=r"not what this server writes|compressed"):
        unpack(folder, bomb, tmp_path / "out")


@pytest.mark.parametrize("data", [b"", b"PK", b"<html>", part({"files/a.txt": b"a"})[:-30]])
def test_what_is_no_whole_zip_file_is_refused(folder: LocalFolder, tmp_path: Path, data: bytes) -> None:
    with pytest.raises(IntegrityError, match="damaged"):
        unpack(folder, data, tmp_path / "out")
