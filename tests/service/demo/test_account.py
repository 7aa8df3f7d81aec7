"""The demo account: something of everything, the same every time, and only once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.api import HeldClock
from tests.service.callers import caller_of

from skyshelf.service.accounts import sessions
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.demo.account import DemoAccount, fill
from skyshelf.service.files import photos, thumbnails
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.models import PagedQuery
from skyshelf.wire.resources.credentials import LoginRequest


def open_house(folder: Path) -> ServiceContext:
    metadata, blobs = embedded_urls(folder)
    return ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=HeldClock())


def close(ctx: ServiceContext) -> None:
    ctx.media.close()
    ctx.metadata.close()
    ctx.blobs.close()


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceContext]:
    ctx = open_house(tmp_path_factory.mktemp("demo"))
    fill(ctx)
    yield ctx
    close(ctx)


@pytest.fixture(scope="module")
def caller(ctx: ServiceContext) -> Caller:
    return caller_of(find_account(ctx, "demo@skyshelf.example"))


def walk(unit: Unit, account_id: int, folder_key: str, above: str = "") -> Iterator[tuple[str, StoredObject]]:
    for child in unit.tree.children(account_id, folder_key):
        yield above + child.name, child
        if child.is_folder:
            yield from walk(unit, account_id, child.object_key, f"{above}{child.name}/")


def everything(ctx: ServiceContext) -> dict[str, StoredObject]:
    account = find_account(ctx, "demo@skyshelf.example")
    with ctx.metadata.read() as unit:
        return dict(walk(unit, account.account_id, account.root_key))


@pytest.mark.whole
def test_one_can_log_in_with_what_it_says(ctx: ServiceContext) -> None:
    demo = fill(ctx)
    answer = sessions.login(ctx, LoginRequest(email_id=demo.email, password=demo.password), "127.0.0.1")
    assert answer.auth_token


def test_it_has_pictures_of_several_years_films_papers_and_sounds(ctx: ServiceContext) -> None:
    found = everything(ctx)
    kinds = {f"{one.mime_type}/{one.mime_subtype}" for one in found.values() if not one.is_folder}
    assert kinds >= {
        "image/jpeg", "image/heic", "video/mp4", "audio/wav", "application/pdf", "text/plain", "text/markdown",
    }  # fmt: skip
    years = {path.split("/")[1] for path in found if path.startswith("Photos/2")}
    assert len(years) >= 4
    assert "Documents/Cabin/Recipes/Blueberry pie.txt" in found


def test_there_are_memories_of_this_day_in_earlier_years(ctx: ServiceContext, caller: Caller) -> None:
    found = photos.spotlights(ctx, caller, PagedQuery(limit=10), "").spot_lights or []
    sizes = {memory.title: len(memory.objects or []) for memory in found}
    assert all(sizes[f"{years} ago"] >= 2 for years in ("1 year", "2 years", "3 years", "5 years"))


def test_every_picture_and_film_has_a_thumbnail(ctx: ServiceContext, caller: Caller) -> None:
    media = [one for one in everything(ctx).values() if one.mime_type in {"image", "video"}]
    kinds = {one.mime_subtype: one for one in media}
    for one in kinds.values():
        missing = thumbnails.find(ctx, caller, one.object_key, size=256, webp=False)
        assert isinstance(missing, thumbnails.MissingThumbnail)
        assert thumbnails.generate(ctx, missing).result().size > 500


def test_it_has_favourites_versions_tags_trash_contacts_a_board_a_banner_and_a_link(
    ctx: ServiceContext, caller: Caller
) -> None:
    found = everything(ctx)
    assert sum(one.is_favorite for one in found.values()) == 4
    account_id, now = caller.account_id, ctx.clock.now()
    with ctx.metadata.read() as unit:
        packing = found["Documents/Cabin/Packing list.txt"]
        assert len(unit.files.versions(account_id, packing.object_key)) == 3
        assert {tag.name for tag in unit.tags.recent(account_id, 10)} == {"lake", "mountains", "paperwork"}
        assert len(unit.contacts.page(account_id, limit=10)) == 4
        (board,) = unit.boards.page(account_id, limit=10)
        assert (board.files, board.comments) == (8, 1)
        assert len(unit.banners.live(now)) == 1
        (share,) = unit.shares.page(account_id, limit=10)
        assert len(share.object_keys) == 6
        assert len(unit.tree.trash_page(account_id, limit=10)) == 1


def test_a_second_start_finds_the_account_and_changes_nothing(ctx: ServiceContext) -> None:
    before = everything(ctx)
    assert fill(ctx) == DemoAccount("demo@skyshelf.example", "look-around")
    assert everything(ctx) == before


def test_it_is_the_same_every_time(ctx: ServiceContext, tmp_path: Path) -> None:
    other = open_house(tmp_path)
    try:
        fill(other)
        assert {path: one.md5 for path, one in everything(other).items()} == {
            path: one.md5 for path, one in everything(ctx).items()
        }
    finally:
        close(other)
