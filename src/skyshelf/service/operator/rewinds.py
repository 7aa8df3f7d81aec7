"""Rewinds by an operator, with the owner's consent or for a recorded reason. The rewind itself is the owner's own."""

from typing import Final

from msgspec.structs import replace

from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.history import rewinds
from skyshelf.service.history.history import past_folder
from skyshelf.service.mail.outgoing import put_mail
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.history.rewinds import COMMAND
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.history import PastFolderQuery
from skyshelf.wire.resources.objects import ObjectType
from skyshelf.wire.resources.rewind import Rewind, RewindPlan, RewindPlanRequest, RewindRequest

_COMMAND_NAME: Final = "user rewind"


class NoConsent(Exception):
    """The owner has not agreed, or the consent has expired or was used."""


def caller_for(account: Account) -> Caller:
    """Return the caller that acts for the account; history says that the command did it."""
    return replace(Caller.of(account, device_key=COMMAND), agent_session=_COMMAND_NAME)


def folder_at(ctx: ServiceContext, account: Account, path: str, at: int) -> str:
    """Return the key of the folder with that path, as it was at a time, or else as it is now."""
    caller, names = caller_for(account), [name for name in path.split("/") if name]
    for seen_at in (at, ctx.clock.now()):
        key: str | None = account.root_key
        for name in names:
            key = key and _child(ctx, caller, key, name, seen_at)
        if key is not None:
            return key
    raise ServiceError(codes.OBJECT_NOT_FOUND, f"No folder {path}, neither then nor now")


def _child(ctx: ServiceContext, caller: Caller, folder_key: str, name: str, at: int) -> str | None:
    """Return the key of the folder with that name in another one, at a time."""
    query = PastFolderQuery(at=at, name=name)
    while True:
        page = past_folder(ctx, caller, folder_key, query, "")
        for one in page.objects or ():
            if one.object_type == ObjectType.FOLDER.value:
                return one.object_key
        if page.next_cursor is None:
            return None
        query = replace(query, cursor=page.next_cursor)


def plan(ctx: ServiceContext, account: Account, request: RewindPlanRequest) -> RewindPlan:
    """Return a page of what a rewind would do."""
    return rewinds.plan_rewind(ctx, caller_for(account), request)


def start(ctx: ServiceContext, account: Account, request: RewindRequest, reason: str | None) -> Rewind:
    """Start a rewind. Without a reason it takes the owner's consent, which counts once; NoConsent without one.

    The owner finds it among the events of the account, and gets a message if this server sends any.
    """
    now, caller = ctx.clock.now(), caller_for(account)
    event = new_event(
        ctx,
        kinds.REWOUND_BY_OPERATOR,
        account,
        object_key=request.folder_key or "",
        by="reason" if reason else "consent",
        reason=reason,
    )

    def admit(unit: Unit) -> None:
        if reason is None and not unit.rewind_consents.take(account.account_id, now):
            raise NoConsent
        unit.audit.add([event])
        put_mail(unit, "rewound", "en", account.email, now)

    return rewinds.start_rewind(ctx, caller, request, admit)
