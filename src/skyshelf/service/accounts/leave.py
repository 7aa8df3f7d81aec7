"""The one check of what a caller may do, if that is limited by a delegation or an app password.

It is made before a call is run: its kind, where it works, and the objects that it names. What the call then changes is
compared with the same leave in the transaction that changes it (storage/metadata/sql/leave.py).
"""

from collections.abc import Collection
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled, codes
from skyshelf.service.process.allowances import SPARE
from skyshelf.storage.errors import LeaveUsedUp
from skyshelf.storage.metadata.contracts.leave import Amounts, Leave
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.keys import is_key
from skyshelf.wire.leave import CallKind

_MINUTE: Final = 60_000


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """What a call needs to be allowed."""

    kind: CallKind | None = None
    """The kind that it is; None for a call that every delegation and every app password may make."""
    is_confinable: bool = True
    """Whether it is about objects that it names, or about a folder; others are refused to who sees one folder."""
    is_for_delegations: bool = True
    """Whether a delegation may make it, and not only an app password."""
    writes: int = 0
    """How many writes it counts as, if it changes nothing that the feed of changes has."""


def check(ctx: ServiceContext, caller: Caller, needs: Needs | None, *, is_webdav: bool, sends_content: bool) -> None:
    """Refuse a call that the caller's leave does not allow, and count it. Without needs, no leave allows it."""
    leave = caller.leave
    if leave is None:
        return
    if needs is None or not (needs.is_for_delegations or leave.delegation is None):
        raise _refused(leave, "No delegation allows this call: it needs a login")
    if needs.kind is not None and needs.kind not in leave.kinds:
        raise _refused(leave, f"This delegation allows no calls of the kind {needs.kind}")
    if leave.folders and not needs.is_confinable:
        raise _refused(leave, "This delegation allows one folder, and this call reaches beyond it")
    if leave.webdav_only and not is_webdav:
        raise _refused(leave, "This delegation allows WebDAV alone")
    if leave.delegation is None:
        return
    limits_calls = any(link.most.calls is not None for link in leave.links)
    is_read = needs.kind is CallKind.READ and sends_content
    take(ctx, caller, Amounts(calls=int(limits_calls), reads=int(is_read)))
    if needs.writes:
        more = Amounts(writes=needs.writes)
        ctx.metadata.write(lambda unit: unit.delegations.spend(caller.account_id, leave, more))


def check_inside(ctx: ServiceContext, caller: Caller, keys: Collection[str]) -> None:
    """OBJECT_NOT_FOUND if one of the objects is not in the folder that the caller's leave allows."""
    leave = caller.leave
    if leave is None or not leave.folders or not keys:
        return
    if not all(map(is_key, keys)):
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    with ctx.metadata.read() as unit:
        if unit.delegations.outside(caller.account_id, leave.folders, keys):
            raise ServiceError(codes.OBJECT_NOT_FOUND)


def take(ctx: ServiceContext, caller: Caller, wanted: Amounts) -> None:
    """Use up reads of a delegation, or calls of this minute: LeaveUsedUp or Throttled where too little is left."""
    leave = caller.leave
    if leave is None or leave.delegation is None or wanted == Amounts():
        return
    delegation, now = leave.delegation, ctx.clock.now()
    chain, minute = (delegation, *(link.name for link in leave.links)), now // _MINUTE
    while (missing := ctx.allowances.take(chain, wanted, minute)) != Amounts():

        def reserve(unit: Unit, missing: Amounts = missing) -> Amounts:
            return unit.delegations.reserve(caller.account_id, leave, missing, SPARE, minute)

        try:
            # Reading goes on in read-only mode.
            with even_while_read_only():
                granted = ctx.metadata.write(reserve)
        except LeaveUsedUp as used_up:
            if used_up.name == "calls":
                raise Throttled(max(1, (_MINUTE - now % _MINUTE) // 1000)) from used_up
            raise
        if ctx.allowances.add(chain, granted, wanted, minute):
            return


def _refused(leave: Leave, reason: str) -> ServiceError:
    if leave.delegation is None:
        return ServiceError(codes.APP_SCOPE)
    return ServiceError(codes.DELEGATION_SCOPE, reason)
