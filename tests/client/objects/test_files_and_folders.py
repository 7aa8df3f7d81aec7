"""Listings, paths, batches and trash, against a real server, by both clients."""

from pathlib import Path

import pytest

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConflictError, InvalidRequestError, ObjectNotFoundError
from skyshelf.client.objects.outcomes import UnprocessedError


async def fill(client: AsyncClient, tmp_path: Path, *names: str, folder: str | None = None) -> None:
    """Files with their own name as content."""
    for name in names:
        local = tmp_path / "local"
        local.write_text(f"content of {name}")
        await client.upload(local, folder, name=name)


async def names(client: AsyncClient, folder: str | None = None) -> list[str]:
    return [each.name async for each in client.list_folder(folder)]


async def test_a_listing_has_folders_and_files_however_small_its_pages_are(client: AsyncClient, tmp_path: Path) -> None:
    await client.create_folder("b folder")
    await client.create_folder("a folder")
    await fill(client, tmp_path, *(f"{number}.txt" for number in range(7)))
    expected = ["a folder", "b folder", *(f"{number}.txt" for number in range(7))]
    for page_size in (1, 2, 3, 7, 8, 2000):
        found = [each async for each in client.list_folder(page_size=page_size)]
        assert [each.name for each in found] == expected
        assert [each.is_folder for each in found] == [True] * 2 + [False] * 7
    assert [each.name async for each in client.list_folder(kind="w", sort="-objectName")] == ["b folder", "a folder"]


async def test_one_page_has_the_accounts_space_too(client: AsyncClient, tmp_path: Path) -> None:
    await fill(client, tmp_path, "a.txt", "b.txt", "c.txt")
    page = await client.page(kind="f", number=1, limit=2)
    assert [each.name for each in page.objects] == ["c.txt"]
    assert page.used_space == sum(len(f"content of {name}.txt") for name in "abc")
    assert page.is_upload_allowed


async def test_objects_are_found_by_path_and_by_key(client: AsyncClient, tmp_path: Path) -> None:
    await client.create_path("/Photos/2024/Größe & co")
    await fill(client, tmp_path, "100% #1?.jpg", folder="/Photos/2024/Größe & co")
    by_path = await client.get("/Photos/2024/Größe & co/100% #1?.jpg")
    assert by_path.is_file
    assert by_path.extension == "jpg"
    assert (await client.get(by_path.key)).key == by_path.key
    assert (await client.get(by_path.key.lower(), parent="/Photos/2024/Größe & co")).key == by_path.key
    assert (await client.get("/Photos/2024/Gro\u0308\u00dfe & co/")).is_folder
    with pytest.raises(ObjectNotFoundError, match="/photos"):
        await client.get("/photos")
    assert (await client.get("/photos/2024", ignore_case=True)).name == "2024"
    with pytest.raises(ObjectNotFoundError):
        await client.get("/Photos/2024/Größe & co/100% #1?.jpg/")
    with pytest.raises(ObjectNotFoundError):
        await client.get("0" * 32)
    with pytest.raises(InvalidRequestError, match="neither a key"):
        await client.get("Photos")
    assert (await client.get("/")).key == await client.root_key()


async def test_a_folder_is_made_once(client: AsyncClient) -> None:
    made = await client.create_folder("Füße")
    assert made.name == "Füße"
    assert made.parent_key == await client.root_key()
    with pytest.raises(ConflictError):
        await client.create_folder("Fu\u0308\u00dfe")
    assert (await client.create_folder("Füße", exist_ok=True)).key == made.key
    inside = await client.create_path("/Füße/a/b")
    assert (await client.create_path("/Füße/a/b/")).key == inside.key
    with pytest.raises(InvalidRequestError):
        await client.create_folder("a/b")


async def test_many_objects_are_changed_in_one_call_and_each_has_its_outcome(
    client: AsyncClient, tmp_path: Path
) -> None:
    await client.create_folder("target")
    await fill(client, tmp_path, "a.txt", "b.txt", "c.txt")
    files = [each async for each in client.list_folder(kind="f")]
    favored = await client.set_favorite(files)
    assert favored.ok
    assert [outcome.key for outcome in favored] == [each.key for each in files]
    assert all(outcome.object is not None and outcome.object.is_favorite for outcome in favored)
    assert [each.is_favorite async for each in client.list_folder(kind="f")] == [True] * 3
    await client.set_favorite(["/a.txt", files[1].key], False)
    assert [each.is_favorite async for each in client.list_folder(kind="f")] == [False, False, True]
    moved = await client.move(["/a.txt", "/b.txt"], "/target")
    assert moved.ok
    assert await names(client, "/target") == ["a.txt", "b.txt"]
    assert await names(client) == ["target", "c.txt"]


async def test_a_refusal_is_reported_along_with_what_was_done(client: AsyncClient, tmp_path: Path) -> None:
    await client.create_folder("target")
    await fill(client, tmp_path, "a.txt", folder="/target")
    await fill(client, tmp_path, "a.txt", "b.txt")
    result = await client.move(["/a.txt", "/b.txt"], "/target", on_error="return")
    assert [outcome.ok for outcome in result] == [False, True]
    assert result.failed[0].code == "SKY3010"
    with pytest.raises(UnprocessedError) as caught:
        result.raise_for_failures()
    assert isinstance(caught.value, InvalidRequestError)
    assert [outcome.key for outcome in caught.value.succeeded] == [result.outcomes[1].key]
    assert await names(client, "/target") == ["a.txt", "b.txt"]


async def test_renaming_gives_the_object_as_it_is_then(client: AsyncClient, tmp_path: Path) -> None:
    await fill(client, tmp_path, "a.txt", "b.txt")
    renamed = await client.rename("/a.txt", "c.txt")
    assert renamed.name == "c.txt"
    assert await names(client) == ["b.txt", "c.txt"]
    with pytest.raises(UnprocessedError) as caught:
        await client.rename(renamed, "b.txt")
    assert caught.value.code == "SKY3010"
    with pytest.raises(InvalidRequestError):
        await client.rename(renamed, "..")
    result = await client.rename_many([("/b.txt", "d.txt"), (renamed.key, "b.txt")])
    assert result.ok
    assert await names(client) == ["b.txt", "d.txt"]


async def test_what_is_trashed_can_be_listed_and_restored(client: AsyncClient, tmp_path: Path) -> None:
    await client.create_folder("folder")
    await fill(client, tmp_path, "inside.txt", folder="/folder")
    await fill(client, tmp_path, "a.txt")
    assert (await client.move_to_trash(["/folder", "/a.txt"])).ok
    assert await names(client) == []
    trashed = [each async for each in client.trash.list(page_size=1)]
    assert sorted(each.name for each in trashed) == ["a.txt", "folder"]
    restored = await client.restore([*trashed, "F" * 32], on_error="return")
    assert [outcome.ok for outcome in restored] == [True, True, False]
    assert await names(client) == ["folder", "a.txt"]
    assert await names(client, "/folder") == ["inside.txt"]
    with pytest.raises(InvalidRequestError, match="path"):
        await client.restore(["/a.txt"])


async def test_recent_objects_can_be_changed_although_a_feed_shows_no_full_echo(
    client: AsyncClient, tmp_path: Path
) -> None:
    await client.create_path("/deep/down")
    await fill(client, tmp_path, "a.txt", folder="/deep/down")
    (recent,) = (await client.recent()).objects_docs or []
    assert (await client.rename(recent, "b.txt")).name == "b.txt"


async def test_a_walk_meets_everything_once_in_one_order(client: AsyncClient, tmp_path: Path) -> None:
    for path in ("/b/x", "/a/y/z", "/a/w"):
        await client.create_path(path)
    for folder in ("/b/x", "/a/y/z", "/a", "/"):
        await fill(client, tmp_path, "1.txt", "2.txt", folder=folder)
    expected = [
        *("/a", "/b", "/1.txt", "/2.txt"),
        *("/a/w", "/a/y", "/a/1.txt", "/a/2.txt", "/b/x"),
        *("/a/y/z", "/b/x/1.txt", "/b/x/2.txt", "/a/y/z/1.txt", "/a/y/z/2.txt"),
    ]
    for window, page_size in ((32, 2000), (1, 1), (2, 2)):
        assert [one.path async for one in client.walk(window=window, page_size=page_size)] == expected
    below = [one.path async for one in client.walk("/a", enter=lambda one: one.object.name != "y")]
    assert below == ["/w", "/y", "/1.txt", "/2.txt"]


async def test_search_matches_names_extensions_and_source_paths(client: AsyncClient, tmp_path: Path) -> None:
    from skyshelf.client.upload.file import UploadOptions

    await client.create_path("/Holiday/Straße")
    await fill(client, tmp_path, "Sunset.JPG", "sunrise.png", folder="/Holiday/Straße")
    local = tmp_path / "local"
    local.write_bytes(b"x")
    await client.upload(local, name="IMG1.jpg", options=UploadOptions(source_folder="/DCIM/Sunday"))

    async def found(query: str = "", **options: object) -> list[str]:
        return [one.path async for one in client.search(query, **options)]  # type: ignore[arg-type]

    # The name before the path of a backup, and then the newest first; in a walk, as it comes.
    assert await found("SUN") == ["/Holiday/Straße/sunrise.png", "/Holiday/Straße/Sunset.JPG", "/IMG1.jpg"]
    walked = ["/IMG1.jpg", "/Holiday/Straße/sunrise.png", "/Holiday/Straße/Sunset.JPG"]
    assert await found("SUN", walk=True) == walked
    assert await found("sun", case_sensitive=True) == ["/Holiday/Straße/sunrise.png"]
    assert await found("strasse") == ["/Holiday/Straße"]
    assert await found(extension=".jpg") == ["/IMG1.jpg", "/Holiday/Straße/Sunset.JPG"]
    assert await found("sun", limit=1) == ["/Holiday/Straße/sunrise.png"]
    assert await found("sun", limit=0) == []
    assert await found("sunset", folder="/Holiday") == ["/Straße/Sunset.JPG"]
