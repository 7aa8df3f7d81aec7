"""Archives: what other programs read out of them, also far beyond the limits of the old format."""

import io
import random
import subprocess
import tracemalloc
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.real_parts.programs import program

from skyshelf.service.archives.zip_writer import PathTooLong, ZipEntry, unknown_checksums, zip_length, zip_stream
from skyshelf.storage.errors import BlobCorrupt

MAY_2024 = 1_714_979_289_000
MEBIBYTE = bytes(1 << 20)


class Bytes:
    """A stream over bytes in memory, which knows whether it was closed."""

    def __init__(self, data: bytes, piece: int = 1000) -> None:
        self._pieces = iter([data[at : at + piece] for at in range(0, len(data), piece)])
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._pieces)

    def close(self) -> None:
        self.is_closed = True


def archive(files: dict[str, bytes], modified_ms: int = MAY_2024) -> bytes:
    entries = [ZipEntry(name, len(data), modified_ms) for name, data in files.items()]
    data = b"".join(zip_stream(entries, lambda entry, _at: Bytes(files[entry.name])))
    assert len(data) == zip_length(entries)
    return data


def opened(data: bytes) -> zipfile.ZipFile:
    found = zipfile.ZipFile(io.BytesIO(data))
    assert found.testzip() is None
    return found


def test_files_folders_and_empty_files_come_out_as_they_went_in() -> None:
    files = {"a/": b"", "a/b.bin": random.Random(1).randbytes(70_000), "a/empty.txt": b"", "Ünïcode 漢字.txt": b"x"}
    with opened(archive(files)) as found:
        assert found.namelist() == list(files)
        assert {name: found.read(name) for name in files} == files
        assert found.getinfo("a/").is_dir()


def test_dates_are_kept() -> None:
    with opened(archive({"a.txt": b"x"})) as found:
        moment = datetime.fromtimestamp(MAY_2024 / 1000, UTC)
        assert found.infolist()[0].date_time == (*moment.timetuple()[:5], moment.second // 2 * 2)


@pytest.mark.parametrize("ms", [0, 315_532_800_000, 4_354_819_200_000, 253_402_300_799_999])
def test_dates_outside_the_formats_range_are_clamped(ms: int) -> None:
    with opened(archive({"a.txt": b"x"}, ms)) as found:
        assert 1980 <= found.infolist()[0].date_time[0] <= 2107


@given(st.lists(st.binary(max_size=300), max_size=8), st.integers(0, 253_402_300_799_999))
def test_the_length_is_known_beforehand_to_the_byte(contents: list[bytes], ms: int) -> None:
    files = {f"{number}.bin": data for number, data in enumerate(contents)}
    with opened(archive(files, ms)) as found:
        assert [found.read(name) for name in files] == contents


def test_entries_are_in_the_folders_that_they_name() -> None:
    entries = [
        ZipEntry("a/", 0, MAY_2024),
        ZipEntry("top.txt", 1, MAY_2024),
        ZipEntry("b/", 0, MAY_2024, folder=0),
        ZipEntry("in a.txt", 2, MAY_2024, folder=0),
        ZipEntry("ü.txt", 3, MAY_2024, folder=2),
    ]
    data = b"".join(zip_stream(entries, lambda entry, _at: Bytes(bytes(entry.size))))
    assert len(data) == zip_length(entries)
    with opened(data) as found:
        assert found.namelist() == ["a/", "top.txt", "a/b/", "a/in a.txt", "a/b/ü.txt"]


def test_deep_folders_cost_the_memory_of_their_names_and_not_of_their_paths() -> None:
    depth = 600
    tracemalloc.start()
    try:
        entries = [ZipEntry("n" * 99 + "/", 0, MAY_2024, folder=number - 1) for number in range(depth)]
        length = zip_length(entries)
        written_bytes = sum(map(len, zip_stream(entries, lambda _entry, _at: Bytes(b""))))
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()
    assert written_bytes == length > 2 * 100 * depth * depth // 2


def test_a_path_that_the_format_cannot_say_is_refused_beforehand() -> None:
    fitting = [ZipEntry("n" * 254 + "/", 0, MAY_2024, folder=number - 1) for number in range(257)]
    with opened(b"".join(zip_stream(fitting, lambda _entry, _at: Bytes(b"")))) as found:
        assert max(map(len, found.namelist())) == 65_535
    with pytest.raises(PathTooLong):
        zip_length([*fitting, ZipEntry("a", 0, MAY_2024, folder=256)])


def test_unzip_finds_no_fault(tmp_path: Path) -> None:
    unzip = program("unzip")
    whole = tmp_path / "a.zip"
    whole.write_bytes(archive({"folder/": b"", "folder/ä.bin": bytes(100_000), "empty": b""}))
    done = subprocess.run([unzip, "-t", str(whole)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No errors detected" in done.stdout


@pytest.mark.whole
def test_more_entries_than_the_old_format_can_count() -> None:
    files = {f"{number}.txt": b"%d" % number for number in range(66_000)}
    with zipfile.ZipFile(io.BytesIO(archive(files))) as found:
        assert len(found.infolist()) == 66_000
        assert found.read("65999.txt") == b"65999"


class Sparse(io.RawIOBase):
    """A seekable file of many zero bytes, of which only the pieces that are not zero are kept."""

    def __init__(self) -> None:
        self.size = 0
        self._pieces: list[tuple[int, bytes]] = []
        self._at = 0

    def append(self, piece: bytes) -> None:
        if piece != MEBIBYTE:
            self._pieces.append((self.size, piece))
        self.size += len(piece)

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self.size)[whence]
        return self._at

    def read(self, count: int = -1) -> bytes:
        end = self.size if count < 0 else min(self.size, self._at + count)
        found = bytearray(end - self._at)
        for start, piece in self._pieces:
            low, high = max(start, self._at), min(start + len(piece), end)
            if low < high:
                found[low - self._at : high - self._at] = piece[low - start : high - start]
        self._at = end
        return bytes(found)


class Zeros:
    """A stream of zero bytes that costs nothing."""

    def __init__(self, size: int) -> None:
        self._left = size

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if not self._left:
            raise StopIteration
        piece = MEBIBYTE[: min(len(MEBIBYTE), self._left)]
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        self._left = 0


def written(entries: Sequence[ZipEntry]) -> Sparse:
    file = Sparse()
    for piece in zip_stream(entries, lambda entry, _at: Zeros(entry.size)):
        file.append(piece)
    assert file.size == zip_length(entries)
    return file


@pytest.mark.whole
def test_a_file_over_four_gibibytes_and_the_entry_after_it() -> None:
    large = (4 << 30) + (1 << 20)
    file = written([ZipEntry("large.bin", large, MAY_2024), ZipEntry("small.bin", 5, MAY_2024)])
    with zipfile.ZipFile(file) as found:
        assert [one.file_size for one in found.infolist()] == [large, 5]
        assert found.infolist()[1].header_offset > large
        assert found.read("small.bin") == bytes(5)
        with found.open("large.bin") as reading:
            assert reading.read(10) == bytes(10)


def test_memory_stays_flat_whatever_the_size() -> None:
    entries = [ZipEntry("a.bin", 300 << 20, MAY_2024)]
    tracemalloc.start()
    try:
        for _ in zip_stream(entries, lambda entry, _at: Zeros(entry.size)):
            pass
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("actual", [b"", b"four", b"sixsix"])
def test_content_that_is_not_as_long_as_announced_breaks_the_archive_off(actual: bytes) -> None:
    with pytest.raises(BlobCorrupt):
        list(zip_stream([ZipEntry("a", 5, MAY_2024)], lambda _entry, _at: Bytes(actual)))


def test_a_reader_who_leaves_closes_what_is_being_read() -> None:
    stream = Bytes(bytes(3_000_000), 1 << 20)
    pieces = zip_stream([ZipEntry("a", 3_000_000, MAY_2024)], lambda _entry, _at: stream)
    next(pieces)
    pieces.close()
    assert stream.is_closed


class Counting:
    """Contents in memory, and how many of their bytes were read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.entries = [ZipEntry(name, len(data), MAY_2024) for name, data in files.items()]
        self.bytes_read = 0

    def open(self, entry: ZipEntry, at: int) -> Bytes:
        data = self.files[entry.name][at:]
        self.bytes_read += len(data)
        return Bytes(data, 17)


@given(st.lists(st.binary(max_size=90), max_size=5), st.data())
def test_any_part_of_an_archive_is_that_part_of_the_whole(contents: list[bytes], data: st.DataObject) -> None:
    of = Counting({f"{number}/" if not content else f"{number}": content for number, content in enumerate(contents)})
    whole = b"".join(zip_stream(of.entries, of.open))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    known = unknown_checksums(len(of.entries))
    for _ in range(2):
        assert b"".join(zip_stream(of.entries, of.open, start=start, end=end, checksums=known)) == whole[start:end]


def test_what_was_sent_is_not_read_again_to_resume() -> None:
    of = Counting({"a": bytes(5000), "b": bytes(5000), "c": b"the rest"})
    known = unknown_checksums(len(of.entries))
    whole = b"".join(zip_stream(of.entries, of.open, checksums=known))
    of.bytes_read = 0
    start = whole.index(b"the rest")
    assert b"".join(zip_stream(of.entries, of.open, start=start, checksums=known)) == whole[start:]
    assert of.bytes_read == len(b"the rest")
