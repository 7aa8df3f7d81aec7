"""Links by the SDK: with limits, listed, changed and taken back, by both clients."""

import time
from pathlib import Path

import httpx2
import pytest

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import InvalidRequestError, ObjectNotFoundError


@pytest.fixture
def local(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("content")
    return path


async def test_a_link_with_limits_is_created_changed_and_revoked(client: AsyncClient, local: Path) -> None:
    await client.upload(local)
    until = round((time.time() + 3600) * 1000)
    link = await client.shares.create(["/a.txt"], expires=until, password="open sesame", max_downloads=2)
    assert link.share_key is not None
    (shown,) = [one async for one in client.shares.list()]
    assert (shown.share_key, shown.share_url, shown.expiry_date) == (link.share_key, link.url, until)
    assert (shown.has_password, shown.max_downloads, shown.is_live) == (True, 2, True)
    assert link.url not in repr(link) + repr(shown)
    changed = await client.shares.edit(link, name="New", password="", expires=0, max_downloads=0)
    assert (changed.share_name, changed.has_password, changed.expiry_date, changed.max_downloads) == (
        "New",
        False,
        None,
        None,
    )
    assert httpx2.get(link.url).status_code == 200
    await client.shares.revoke(shown)
    assert httpx2.get(link.url).status_code == 404
    assert [one async for one in client.shares.list()] == []


async def test_a_plain_link_is_found_by_its_address_and_by_what_share_link_gave(
    client: AsyncClient, local: Path
) -> None:
    await client.upload(local)
    links = [await client.shares.create(["/a.txt"], name=str(number)) for number in range(3)]
    assert [one.share_name async for one in client.shares.list(page_size=1)] == ["2", "1", "0"]
    assert (await client.shares.edit(links[0].url, name="first")).share_name == "first"
    await client.shares.revoke(links[1])
    assert [one.share_name async for one in client.shares.list()] == ["2", "first"]
    with pytest.raises(ObjectNotFoundError):
        await client.shares.revoke(links[1])
    with pytest.raises(InvalidRequestError):
        await client.shares.revoke("nonsense")
