"""LOCK and UNLOCK. A lock on a name that does not exist creates an empty file, which its holder then fills."""

import re
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import INFINITY, DavCall, in_thread
from skyshelf.server.dav.conditions import lock_key_in, token_of
from skyshelf.server.dav.multistatus import XML_HEADERS
from skyshelf.server.dav.properties import active_lock
from skyshelf.server.dav.xml_bodies import dav_child, inner_text_of, is_dav, parse
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import locks
from skyshelf.service.files.locks import Change, WantedLock
from skyshelf.service.uploads import streamed
from skyshelf.storage.metadata.contracts.tree import Lock, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import LOCK_OWNER_BYTES_MAX

_SECONDS: Final = re.compile(r"second-([0-9]{1,12})", re.IGNORECASE)


def seconds_in(timeout: str | None) -> int | None:
    """Return the first number of seconds in a Timeout header; None if any duration will do."""
    for wish in (timeout or "").split(","):
        found = _SECONDS.fullmatch(wish.strip())
        if found is not None:
            return int(found[1])
        if wish.strip().lower() == "infinite":
            return None
    return None


def wanted_in(body: bytes, *, is_deep: bool, seconds: int | None) -> WantedLock:
    root = parse(body)
    scope, kind = dav_child(root, "lockscope"), dav_child(root, "locktype")
    if not is_dav(root, "lockinfo") or scope is None or kind is None or dav_child(kind, "write") is None:
        raise ServiceError(codes.INVALID_REQUEST, "The body must be a lockinfo element for a write lock")
    is_exclusive = dav_child(scope, "exclusive") is not None
    if not is_exclusive and dav_child(scope, "shared") is None:
        raise ServiceError(codes.INVALID_REQUEST, "A lock is exclusive or shared")
    owner = dav_child(root, "owner")
    said = "" if owner is None else inner_text_of(owner)
    if len(said.encode()) > LOCK_OWNER_BYTES_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"The owner of a lock has at most {LOCK_OWNER_BYTES_MAX} bytes")
    return WantedLock(is_exclusive=is_exclusive, is_deep=is_deep, owner=said, seconds=seconds)


async def lock(call: DavCall) -> Response:
    depth = call.depth or INFINITY
    if depth == "1":
        raise ServiceError(codes.INVALID_REQUEST, "A lock has Depth: 0 or infinity")
    seconds = seconds_in(call.headers.get("timeout"))
    body = await call.body()
    if not body:
        return await call.threads.call(lambda: _refresh(call, seconds))
    is_deep = depth == INFINITY
    return await call.threads.call(lambda: _lock(call, wanted_in(body, is_deep=is_deep, seconds=seconds)))


def _refresh(call: DavCall, seconds: int | None) -> Response:
    with call.ctx.metadata.read() as unit:
        found = call.find(unit)
        call.check_conditions(unit, call.held(unit))
    if not call.conditions.lock_keys:
        raise ServiceError(codes.INVALID_REQUEST, "A lock is refreshed with its token in the If header")
    held = locks.refresh(call.ctx, call.caller, found.object_key, call.conditions.lock_keys, seconds)
    return _answer(call, held, found, 200)


def _lock(call: DavCall, wanted: WantedLock) -> Response:
    ctx, now = call.ctx, call.ctx.clock.now()
    with ctx.metadata.read() as unit:
        found = call.look_up(unit, call.names)
    key = ctx.new_key()

    def taken(object_key: str) -> Lock:
        return Lock(
            lock_key=key,
            object_key=object_key,
            is_exclusive=wanted.is_exclusive,
            is_deep=wanted.is_deep,
            owner=wanted.owner,
            expires_at=now + locks.lasting(wanted.seconds),
        )

    if found is None:
        found = _make_empty(call, lambda unit, made: locks.take(unit, call.account_id, taken(made), now))
        return _answer(call, [taken(found.object_key)], found, 201)
    # A lock is taken without the token of another one: `take` decides whether the two are compatible.
    guard = call.guard(Change(), found=found)
    new = taken(found.object_key)

    def work(unit: Unit) -> None:
        unit.locks.hold_account(call.account_id)
        guard(unit)
        locks.take(unit, call.account_id, new, now)

    ctx.metadata.write(work)
    return _answer(call, [new], found, 200)


def _make_empty(call: DavCall, then: streamed.AfterCommit) -> StoredObject:
    ctx, caller = call.ctx, call.caller
    ctx.reservations.disk.check()
    with ctx.metadata.read() as unit:
        spot = call.new_spot(unit, call.names)
    guard = call.guard(Change(members_of=[spot.folder_key]))
    file = streamed.StreamedFile(folder_key=spot.folder_key, name=spot.name, size=0)
    with ctx.reservations.of(caller.account_id) as reservation:
        streamed.precheck(ctx, caller, file, reservation, guard)
        content = streamed.receive(ctx, caller, file, (), reservation)
        return streamed.finish(ctx, caller, file, content, reservation, guard=guard, then=then)


def _answer(call: DavCall, held: list[Lock], found: StoredObject, status: int) -> Response:
    now = call.ctx.clock.now()
    own = call.href(call.names, is_folder=found.is_folder)
    inside = "".join(active_lock(one, own, now) for one in held)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<D:prop xmlns:D="DAV:"><D:lockdiscovery>{inside}</D:lockdiscovery></D:prop>\n'
    )
    headers = {**XML_HEADERS, "lock-token": f"<{token_of(held[0].lock_key)}>"}
    return Response(text.encode(), status, headers)


@in_thread
def unlock(call: DavCall) -> Response:
    given = call.headers.get("lock-token", "").strip()
    if not (given.startswith("<") and given.endswith(">")):
        raise ServiceError(codes.INVALID_REQUEST, "UNLOCK needs the token in the Lock-Token header, in < and >")
    key = lock_key_in(given[1:-1])
    with call.ctx.metadata.read() as unit:
        found = call.find(unit)
    if key is None or not locks.release(call.ctx, call.caller, found.object_key, key):
        raise ServiceError(codes.LOCK_NOT_FOUND)
    return Response(status_code=204)
