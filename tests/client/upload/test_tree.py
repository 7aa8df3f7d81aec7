"""Uploads of a whole folder: what is selected."""

from pathlib import Path

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.transfers import TransferEvent


async def test_what_is_not_selected_is_not_read(client: AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    known, other = tmp_path / "deep" / "known.txt", tmp_path / "deep" / "other.txt"
    for path in (known, other):
        path.write_text("first")
    await client.upload_all(tmp_path)
    for path in (known, other):
        path.write_text("second")
    known.chmod(0)
    heard: list[TransferEvent] = []
    asked: list[str] = []

    def select(path: str, local: Path) -> bool:
        asked.append(path)
        return local != known

    summary = await client.upload_all(tmp_path, select=select, progress=heard.append)
    assert (summary.done, summary.skipped, summary.ok) == (1, 0, True)
    assert [event.path for event in heard if event.kind == "done"] == ["deep/other.txt"]
    assert sorted(asked) == ["deep", "deep/known.txt", "deep/other.txt"]


async def test_a_folder_that_is_not_selected_is_not_entered(client: AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "left" / "deep").mkdir(parents=True)
    (tmp_path / "left" / "deep" / "a.txt").write_text("a")
    (tmp_path / "taken.txt").write_text("b")
    summary = await client.upload_all(tmp_path, select=lambda path, _: path != "left")
    assert (summary.done, summary.folders) == (1, 1)
    assert [found.path async for found in client.walk()] == ["/taken.txt"]
