"""How long an account's history is kept."""

from skyshelf.service.context import ServiceContext
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.history.contract import HistoryBounds


def history_days(ctx: ServiceContext, bounds: HistoryBounds) -> int:
    """The account's own choice, but never more than the operator's."""
    most = retention(ctx).history_days
    return most if bounds.days is None else min(bounds.days, most)
