"""Space: how much an account may hold and holds, as listings and batches tell it."""

import msgspec

from skyshelf.service.house import Caller
from skyshelf.storage.metadata.store import Unit


class Space(msgspec.Struct, frozen=True):
    allocated: int
    used: int
    is_upload_allowed: bool


def space_of(unit: Unit, caller: Caller, now: int) -> Space:
    """The space of the caller. Whoever can call has an active account, so that room alone decides about uploads."""
    quota = unit.quotas.get(caller.account_id, now)
    return Space(allocated=quota.allocated, used=quota.used, is_upload_allowed=quota.free > 0)
