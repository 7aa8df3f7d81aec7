"""Methods that change the tree: MKCOL, DELETE, COPY and MOVE."""

from starlette.responses import Response

from skyshelf.server.dav.call import INFINITY, DavCall, in_thread
from skyshelf.server.pipeline.bodies import Body
from skyshelf.server.pipeline.request import has_rows_at_hand
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import moves
from skyshelf.service.files.locks import Change
from skyshelf.storage.errors import NameTaken
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes


async def mkcol(call: DavCall) -> Response:
    if await Body.of(call.request).block():
        raise ServiceError(codes.WRONG_CONTENT_TYPE, "A folder is made without a body")
    if has_rows_at_hand(call.request):
        # Some clients create the folder of each file that they send, even if it exists.
        with call.ctx.metadata.read() as unit:
            refuse_existing(call, unit)
    made = await call.threads.call(lambda: _make_folder(call))
    return Response(status_code=201, headers={"cache-control": "no-store", **call.dialect.headers_of_folder(made)})


def _make_folder(call: DavCall) -> StoredObject:
    with call.ctx.metadata.read() as unit:
        refuse_existing(call, unit)
        spot = call.spot(unit, call.names)
    return moves.make_folder(call.ctx, call.caller, spot, call.guard(Change(members_of=[spot.folder_key])))


def refuse_existing(call: DavCall, unit: Unit) -> None:
    if call.look_up(unit, call.names) is not None:
        raise NameTaken("there is something of that name")


@in_thread
def delete(call: DavCall) -> Response:
    with call.ctx.metadata.read() as unit:
        found = call.find(unit)
        folder_key = call.spot(unit, call.names).folder_key
    if found.is_folder and call.depth not in {None, INFINITY}:
        raise ServiceError(codes.INVALID_REQUEST, "A folder is deleted with Depth: infinity")
    change = Change(removed=[found.object_key], members_of=[folder_key])
    moves.trash(call.ctx, call.caller, found.object_key, call.guard(change, found=found))
    return Response(status_code=204)


@in_thread
def copy(call: DavCall) -> Response:
    depth = call.depth or INFINITY
    if depth == "1":
        raise ServiceError(codes.INVALID_REQUEST, "A folder is copied with Depth: 0 or infinity")
    with call.ctx.metadata.read() as unit:
        source, spot, change = _source_and_spot(call, unit, is_moved=False)
    guard, is_deep = call.guard(change, found=source), depth == INFINITY
    return _placed(moves.copy(call.ctx, call.caller, source, spot, guard, overwrite=call.overwrites, is_deep=is_deep))


@in_thread
def move(call: DavCall) -> Response:
    if call.depth not in {None, INFINITY}:
        raise ServiceError(codes.INVALID_REQUEST, "A folder is moved with Depth: infinity")
    with call.ctx.metadata.read() as unit:
        source, spot, change = _source_and_spot(call, unit, is_moved=True)
    guard = call.guard(change, found=source)
    return _placed(moves.move(call.ctx, call.caller, source.object_key, spot, guard, overwrite=call.overwrites))


def _source_and_spot(call: DavCall, unit: Unit, *, is_moved: bool) -> tuple[StoredObject, moves.Spot, Change]:
    destination = call.destination
    source = call.find(unit)
    if destination == call.names:
        raise ServiceError(codes.MOVE_INTO_ITSELF, "Source and destination are the same")
    if not call.names or (source.is_folder and destination[: len(call.names)] == call.names):
        raise ServiceError(codes.MOVE_INTO_ITSELF)
    spot = call.new_spot(unit, destination)
    replaced = call.look_up(unit, destination)
    removed = [] if replaced is None else [replaced.object_key]
    members_of = [spot.folder_key]
    if is_moved:
        removed.append(source.object_key)
        members_of.append(call.spot(unit, call.names).folder_key)
    return source, spot, Change(removed=removed, members_of=members_of)


def _placed(result: moves.MoveResult) -> Response:
    if result.replaced is not None:
        return Response(status_code=204)
    return Response(status_code=201, headers={"cache-control": "no-store"})
