"""Banners: what the operator tells everybody, while it is time."""

from typing import Any

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock

from skyshelf.storage.metadata.contracts.accounts import Banner


def add(api: Api, title: str, start_at: int, end_at: int, **fields: str) -> str:
    banner = Banner(banner_key=api.ctx.new_key(), title=title, text="text", start_at=start_at, end_at=end_at, **fields)
    api.ctx.metadata.write(lambda unit: unit.banners.add(banner))
    return banner.banner_key


def cards(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get("/promo/banner/list"), "banners")["cards"]
    return found


def test_without_banners_the_list_is_empty(api: Api) -> None:
    assert cards(api) == []


def test_a_card_has_all_its_fields(api: Api, clock: HeldClock) -> None:
    now = clock.now()
    image, action = "https://example.org/a.png", "https://example.org/"
    key = add(api, "Willkommen", now, now + 10, image_url=image, action_url=action)
    assert cards(api) == [
        {
            "cardId": key,
            "title": "Willkommen",
            "text": "text",
            "imageUrl": image,
            "actionUrl": action,
            "startDate": now,
            "endDate": now + 10,
        }
    ]


def test_everybody_sees_the_banners_of_the_moment_the_newest_first(api: Api, other_api: Api, clock: HeldClock) -> None:
    now = clock.now()
    add(api, "past", now - 10, now)
    add(api, "now", now - 5, now + 5)
    add(api, "since a moment", now, now + 5)
    add(api, "future", now + 1, now + 10)
    for one in (api, other_api):
        assert [card["title"] for card in cards(one)] == ["since a moment", "now"]
    clock.advance(5)
    assert [card["title"] for card in cards(api)] == ["future"]
