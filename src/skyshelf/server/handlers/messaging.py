"""Promo banners."""

from skyshelf.server.call import Call, Handler
from skyshelf.service.operator import banners


def list_banners(call: Call) -> object:
    return banners.live_banners(call.house)


HANDLERS: dict[str, Handler] = {"banners": list_banners}
