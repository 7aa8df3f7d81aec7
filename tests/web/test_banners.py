"""The operator's announcements."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.server.api import Api

from skyshelf.service.operator.banners import add_banner, all_banners, remove_banner


@pytest.fixture(autouse=True)
def nothing_told_before_or_after(api: Api) -> Iterator[None]:
    """Announcements reach every account, so they are removed for the next tests."""
    yield
    for banner in all_banners(api.ctx):
        remove_banner(api.ctx, banner.banner_key)


def test_a_banner_is_shown_until_it_is_put_away_and_stays_away(page: Page, api: Api) -> None:
    now = int(time.time() * 1000)
    times = {"start_at": now - 60_000, "end_at": now + 3_600_000}
    picture = "https://elsewhere.example/count.gif"
    add_banner(api.ctx, "Maintenance", "Away on Sunday.", image_url=picture, action_url="", **times)
    add_banner(api.ctx, "News", "A new disk.", image_url="", action_url="https://news.example/disk", **times)
    page.reload()
    banners = page.get_by_role("list", name="Announcements").get_by_role("listitem")
    expect(banners).to_have_count(2)
    # Nothing is loaded from other servers.
    expect(banners.locator("img")).to_have_count(0)
    link = banners.get_by_role("link", name="Learn more")
    expect(link).to_have_attribute("href", "https://news.example/disk")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    page.get_by_role("button", name="Do not show “News” again").click()
    expect(banners).to_have_count(1)
    page.reload()
    expect(banners).to_have_count(1)
    expect(banners).to_contain_text("Away on Sunday.")
