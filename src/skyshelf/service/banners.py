"""Banners: what the operator tells everybody."""

from skyshelf.service.house import House
from skyshelf.storage.metadata.banners import Banner
from skyshelf.wire.messaging import BannerCard, BannerList


def live_banners(house: House) -> BannerList:
    """The banners to show now, the newest first."""
    with house.metadata.read() as unit:
        banners = unit.banners.live(house.clock.now())
    return BannerList(cards=[_card(banner) for banner in banners])


def _card(banner: Banner) -> BannerCard:
    return BannerCard(
        card_id=banner.banner_key,
        title=banner.title,
        text=banner.text,
        image_url=banner.image_url,
        action_url=banner.action_url,
        start_date=banner.start_at,
        end_date=banner.end_at,
    )
