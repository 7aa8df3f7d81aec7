"""Promotional banners."""

from typing import Final

from skyshelf.wire.endpoint import Endpoint, Host, json_answer
from skyshelf.wire.resources.banners import BannerList

BANNERS: Final = Endpoint(
    name="banners",
    host=Host.MESSAGING,
    method="GET",
    path="/promo/banner/list",
    summary="The promotional banners to show now.",
    answers={200: json_answer(BannerList)},
)
