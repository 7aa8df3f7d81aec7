"""Promotions: space that an account has for a while."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.operator.input import check_period, clean_label, known_key
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.quota import Promotion as StoredPromotion
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.account import Promotion, Promotions


def promotions(ctx: ServiceContext, caller: Caller) -> Promotions:
    """Those that count now and those that are over; one that has not begun is neither, and is not told yet."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        found = unit.promotions.of_account(caller.account_id)
    return Promotions(
        active_promotions=[_wire(one) for one in found if one.start_at <= now < one.end_at],
        expired_promotions=[_wire(one) for one in found if one.end_at <= now],
    )


def add_promotion(
    ctx: ServiceContext, name: str, space: int, *, start_at: int, end_at: int, account: Account | None
) -> StoredPromotion:
    """Give space for a while, to one account or, without one, to everybody."""
    promotion = StoredPromotion(
        promotion_key=ctx.new_key(),
        account_id=None if account is None else account.account_id,
        name=clean_label(name, "The name of a promotion"),
        space=space,
        start_at=start_at,
        end_at=end_at,
    )
    check_period(start_at, end_at)
    if space <= 0:
        raise ServiceError(codes.INVALID_REQUEST, "A promotion gives at least one byte")
    ctx.metadata.write(lambda unit: unit.promotions.add(promotion))
    return promotion


def all_promotions(ctx: ServiceContext) -> list[StoredPromotion]:
    """Those of all accounts, whether they run or not, the newest start first."""
    with ctx.metadata.read() as unit:
        return unit.promotions.everything()


def remove_promotion(ctx: ServiceContext, promotion_key: str) -> None:
    """An account that then holds more than it may keeps what it has."""
    key = known_key(promotion_key)
    if key is None or not ctx.metadata.write(lambda unit: unit.promotions.remove(key)):
        raise ServiceError(
            codes.OBJECT_NOT_FOUND, "There is no such promotion: skyshelf admin promotion list shows them"
        )


def _wire(promotion: StoredPromotion) -> Promotion:
    return Promotion(
        promotion_id=promotion.promotion_key,
        name=promotion.name,
        quota=promotion.space,
        start_date=promotion.start_at,
        end_date=promotion.end_at,
    )
