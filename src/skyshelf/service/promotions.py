"""Promotions: space that an account has for a while."""

from skyshelf.service.house import Caller, House
from skyshelf.storage.metadata.promotions import Promotion as StoredPromotion
from skyshelf.wire.account import Promotion, Promotions


def promotions(house: House, caller: Caller) -> Promotions:
    """Those that count now and those that are over; one that has not begun is neither, and is not told yet."""
    now = house.clock.now()
    with house.metadata.read() as unit:
        found = unit.promotions.of_account(caller.account_id)
    return Promotions(
        active_promotions=[_wire(one) for one in found if one.start_at <= now < one.end_at],
        expired_promotions=[_wire(one) for one in found if one.end_at <= now],
    )


def _wire(promotion: StoredPromotion) -> Promotion:
    return Promotion(
        promotion_id=promotion.promotion_key,
        name=promotion.name,
        quota=promotion.space,
        start_date=promotion.start_at,
        end_date=promotion.end_at,
    )
