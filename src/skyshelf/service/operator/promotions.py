"""Promotions: extra space for a limited time."""

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.operator.input import check_period, normalize_key, validate_label
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.quota import Promotion as StoredPromotion
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.account import Promotion, Promotions


def promotions(ctx: ServiceContext, caller: Caller) -> Promotions:
    """The caller's active and expired promotions; future ones are not shown."""
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
        name=validate_label(name, "The name"),
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
    """All promotions, including past and future ones, latest start first."""
    with ctx.metadata.read() as unit:
        return unit.promotions.everything()


def remove_promotion(ctx: ServiceContext, promotion_key: str) -> None:
    """Remove a promotion. An account that is then over its quota keeps its files."""
    key = normalize_key(promotion_key)
    event = new_event(ctx, kinds.PROMOTION_REMOVED, promotion=key)
    if key is None or not recorded(ctx, lambda unit: unit.promotions.remove(key), event):
        raise ServiceError(codes.OBJECT_NOT_FOUND, "No such promotion: `skyshelf admin promotion ls` lists them")


def _wire_promotion(promotion: StoredPromotion) -> Promotion:
    return Promotion(
        promotion_id=promotion.promotion_key,
        name=promotion.name,
        quota=promotion.space,
        start_date=promotion.start_at,
        end_date=promotion.end_at,
    )
