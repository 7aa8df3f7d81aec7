"""Promotions: extra space for a limited time."""

from skyshelf.service.accounts.accounts import clean_label
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import projected
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.accounts import Promotion as StoredPromotion
from skyshelf.wire.keys import clean_key
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.refusals import BadKey
from skyshelf.wire.resources.account import Promotion, Promotions


def promotions(ctx: ServiceContext, caller: Caller) -> Promotions:
    """List the caller's active and expired promotions; future ones are not shown."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        found = unit.promotions.of_account(caller.account_id)
    return Promotions(
        active_promotions=[_wire_promotion(row) for row in found if row.start_at <= now < row.end_at],
        expired_promotions=[_wire_promotion(row) for row in found if row.end_at <= now],
    )


def add_promotion(
    ctx: ServiceContext, name: str, space: int, *, start_at: int, end_at: int, account: Account | None
) -> StoredPromotion:
    """Grant extra space for a period, to one account or, without one, to everybody."""
    promotion = StoredPromotion(
        promotion_key=ctx.new_key(),
        account_id=None if account is None else account.account_id,
        name=clean_label(name, "The name"),
        space=space,
        start_at=start_at,
        end_at=end_at,
    )
    check_period(start_at, end_at)
    if space <= 0:
        raise ServiceError(codes.INVALID_REQUEST, "A promotion must grant at least one byte")
    event = new_event(
        ctx,
        kinds.PROMOTION_ADDED,
        account,
        promotion=promotion.promotion_key,
        name=promotion.name,
        space=space,
        until=end_at,
    )
    recorded(ctx, lambda unit: unit.promotions.add(promotion), event)
    return promotion


def all_promotions(ctx: ServiceContext) -> list[StoredPromotion]:
    """List all promotions, including past and future ones, latest start first."""
    with ctx.metadata.read() as unit:
        return unit.promotions.everything()


def remove_promotion(ctx: ServiceContext, promotion_key: str) -> None:
    """Remove a promotion. An account that is then over its quota keeps its files."""
    key = normalize_key(promotion_key)
    event = new_event(ctx, kinds.PROMOTION_REMOVED, promotion=key)
    if key is None or not recorded(ctx, lambda unit: unit.promotions.remove(key), event):
        raise ServiceError(codes.OBJECT_NOT_FOUND, "No such promotion: `skyshelf admin promotion ls` lists them")


def _wire_promotion(promotion: StoredPromotion) -> Promotion:
    return projected(Promotion, promotion, promotion_id=promotion.promotion_key, quota=promotion.space)


# Shared with banners


def check_period(start_at: int, end_at: int) -> None:
    if not 0 <= start_at < end_at <= TIME_MS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, "The end must be after the start")


def normalize_key(text: str) -> str | None:
    """Return a key in its stored form; None if it cannot be a key."""
    try:
        return clean_key(text)
    except BadKey:
        return None
