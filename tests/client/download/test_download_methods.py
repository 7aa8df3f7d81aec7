"""Downloads as methods of both clients."""

from pathlib import Path

import pytest
from tests.client.downloading import files_below

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import DestinationExistsError, InvalidRequestError, ObjectNotFoundError
from skyshelf.client.transfers import TransferEvent


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "Photos").mkdir(parents=True)
    (folder / "Photos" / "a.jpg").write_bytes(b"a picture")
    (folder / "b.txt").write_bytes(b"a text")
    return folder


async def test_a_file_is_downloaded_by_path_by_key_and_as_an_object(
    client: AsyncClient, source: Path, tmp_path: Path
) -> None:
    uploaded = await client.upload(source / "b.txt")
    heard: list[tuple[int, int]] = []
    by_path = await client.download("/b.txt", tmp_path / "1", progress=lambda done, size: heard.append((done, size)))
    by_key = await client.download(uploaded.key, tmp_path / "2")
    by_object = await client.download(uploaded, tmp_path / "3")
    assert {path.read_bytes() for path in (by_path.path, by_key.path, by_object.path)} == {b"a text"}
    assert by_path.verified
    assert by_key.verified
    assert by_object.verified
    assert heard[-1] == (6, 6)
    with pytest.raises(DestinationExistsError):
        await client.download(uploaded, tmp_path / "3")


async def test_an_old_version_is_checked_like_any_other(client: AsyncClient, source: Path, tmp_path: Path) -> None:
    uploaded = await client.upload(source / "b.txt")
    (source / "b.txt").write_bytes(b"another text")
    await client.upload(source / "b.txt")
    old = await client.download("/b.txt", tmp_path / "old", version=1)
    new = await client.download(uploaded.key, tmp_path / "new")
    assert (old.path.read_bytes(), new.path.read_bytes()) == (b"a text", b"another text")
    assert old.verified
    assert new.verified


async def test_what_is_no_object_is_said_to_be_none(client: AsyncClient, tmp_path: Path) -> None:
    with pytest.raises(ObjectNotFoundError):
        await client.download("/nothing", tmp_path / "x")
    with pytest.raises(ObjectNotFoundError):
        await client.download("0" * 32, tmp_path / "x")
    with pytest.raises(InvalidRequestError):
        await client.download("nothing", tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


async def test_everything_is_downloaded_or_one_kind_of_it(client: AsyncClient, source: Path, tmp_path: Path) -> None:
    await client.upload_all(source)
    events: list[TransferEvent] = []
    summary = await client.download_all(tmp_path / "all", progress=events.append)
    assert summary.ok
    assert files_below(tmp_path / "all") == {"Photos/a.jpg": b"a picture", "b.txt": b"a text"}
    assert {event.path for event in events if event.kind == "done"} == {"Photos/a.jpg", "b.txt"}
    assert (await client.download_all(tmp_path / "some", extension=".JPG")).ok
    assert files_below(tmp_path / "some") == {"Photos/a.jpg": b"a picture"}
    assert (await client.download_all(tmp_path / "below", "/Photos")).ok
    assert files_below(tmp_path / "below") == {"a.jpg": b"a picture"}
