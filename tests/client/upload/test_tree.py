"""Files that the caller has compared already are not read again."""

from pathlib import Path

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.upload.tree import UploadEvent


async def test_what_is_known_to_be_unchanged_is_skipped_without_being_read(client: AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    known, other = tmp_path / "deep" / "known.txt", tmp_path / "deep" / "other.txt"
    for path in (known, other):
        path.write_text("first")
    await client.upload_tree(tmp_path)
    for path in (known, other):
        path.write_text("second")
    known.chmod(0)
    heard: list[UploadEvent] = []
    summary = await client.upload_tree(tmp_path, unchanged={known}, progress=heard.append)
    assert (summary.uploaded, summary.skipped, summary.ok) == (1, 1, True)
    assert [event.path for event in heard if event.what == "uploaded"] == [other]
