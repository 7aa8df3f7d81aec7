"""Calls of other people's clients: their forms of requests and responses, around functions that exist."""

from datetime import UTC, datetime

from msgspec.structs import asdict, replace

from skyshelf.service.boards import boards, items
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files import batches
from skyshelf.service.files import search as searching
from skyshelf.service.pages import after_of, encode_response, raw_objects, sort_order
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.cursors import encode_cursor
from skyshelf.wire.next_links import next_link
from skyshelf.wire.resources.batch import BatchEntry, BatchRequest, EchoedObject, Operation, UnprocessedObject
from skyshelf.wire.resources.objects import DRIVE, CloudObject, ObjectStatus
from skyshelf.wire.resources.other_clients import (
    AdditionAnswer,
    AdditionRequest,
    CategoryQuery,
    FlatBatchAnswer,
    FlatBatchRequest,
    FlatOperation,
    FlatProcessed,
    FlatUnprocessed,
    KeywordQuery,
    LinkedPage,
    ObjectInfo,
    TrashAnswer,
    TrashRequest,
)
from skyshelf.wire.resources.search import SearchQuery

_ICONS = {"image": "image", "video": "video", "audio": "audio", "text": "document"}


# Listings


def category_listing(ctx: ServiceContext, caller: Caller, query: CategoryQuery, origin: str, path: str) -> bytes:
    """A page of all files of one kind, as JSON."""
    sort, descending = (None, True) if query.sort is None else sort_order(query.sort)
    after = after_of(sort, query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tree.of_category(
            caller.account_id,
            query.mime_type,
            sort=sort,
            descending=descending,
            limit=query.limit + 1,
            after=after,
        )
    rows, cursor = found[: query.limit], None
    if len(found) > query.limit:
        cursor = encode_cursor(*rows[-1].cursor)
    page = LinkedPage(objects=raw_objects([row.encoded for row in rows]), next_link=next_link(path, query, cursor))
    return encode_response(page, origin)


def keyword_search(ctx: ServiceContext, caller: Caller, query: KeywordQuery, origin: str, path: str) -> bytes:
    """A page of matching objects, as JSON."""
    found = searching.found_page(ctx, caller, SearchQuery(query=query.q, limit=query.limit, cursor=query.cursor))
    link = next_link(path, query, found.next_cursor)
    return encode_response(LinkedPage(objects=found.objects, next_link=link), origin)


def object_info(ctx: ServiceContext, caller: Caller, object_key: str, origin: str) -> ObjectInfo:
    """A visible object, with the display fields that clients of other services show."""
    with ctx.metadata.read() as unit:
        found = unit.tree.visible(caller.account_id, object_key)
    return ObjectInfo(object=_with_display_fields(found, wire_object(found, origin)))


def _with_display_fields(stored: StoredObject, shown: CloudObject) -> CloudObject:
    """The fields without a contract; only here, because they would lengthen every row of a listing."""
    moment = datetime.fromtimestamp(stored.last_modified_at / 1000, UTC)
    icon = "folder" if stored.is_folder else _ICONS.get(stored.mime_type, "file")
    return replace(
        shown,
        icon_name=icon,
        tile_name=stored.name,
        grid_date=stored.last_modified_at,
        c_month_no=moment.month,
        c_year=moment.year,
        recipients_obj_rights=[],
        is_share_album=False,
    )


# Changes


def apply_flat_batch(ctx: ServiceContext, caller: Caller, request: FlatBatchRequest, origin: str) -> FlatBatchAnswer:
    """Apply flat entries as the batch call applies its own."""
    entries = [
        BatchEntry(
            operation=_operation(entry.operation),
            correlation_id=entry.correlation_id,
            object=EchoedObject(
                object_key=entry.object_key,
                object_name=entry.object_name,
                parent_object_key=entry.parent_object_key,
                source_name=entry.source_name,
                status=entry.status,
            ),
        )
        for entry in request.objects
    ]
    answer = batches.apply_batch(ctx, caller, BatchRequest(objects=entries), origin)
    named = {_operation(entry.operation).value: entry.operation.value for entry in request.objects}
    processed = [
        FlatProcessed(
            operation=named[str(one.operation)],
            correlation_id=one.correlation_id,
            **asdict(one.object or CloudObject(object_key="")),
        )
        for one in answer.objects or ()
    ]
    unprocessed = [
        FlatUnprocessed(
            operation=named[str(one.operation)],
            correlation_id=one.correlation_id,
            **asdict(one.object or UnprocessedObject()),
        )
        for one in answer.unprocessed or ()
    ]
    return FlatBatchAnswer(
        objects=processed,
        unprocessed=unprocessed,
        used_space=answer.used_space,
        is_upload_allowed=answer.is_upload_allowed,
    )


def _operation(given: FlatOperation) -> Operation:
    return Operation.RENAME if given is FlatOperation.RENAME_ALIAS else Operation(given.value)


def trash_objects(ctx: ServiceContext, caller: Caller, request: TrashRequest, origin: str) -> TrashAnswer:
    """Move objects to the trash, by their keys alone."""
    entries = [
        BatchEntry(
            operation=Operation.TRASH,
            object=EchoedObject(object_key=key, object_name="", source_name=DRIVE, status=ObjectStatus.TRASHED),
        )
        for key in request.object_keys
    ]
    answer = batches.apply_batch(ctx, caller, BatchRequest(objects=entries), origin)
    return TrashAnswer(
        trash_objects=[one.object for one in answer.objects or () if one.object is not None],
        unprocessed=answer.unprocessed,
        used_space=answer.used_space,
        is_upload_allowed=answer.is_upload_allowed,
    )


def add_to_board(ctx: ServiceContext, caller: Caller, board_key: str, request: AdditionRequest, origin: str) -> bytes:
    """Show the caller's files on a board, and return the board with them, as JSON."""
    added = items.additions(ctx, caller, board_key, [one.object_key for one in request.objects])
    board = boards.board(ctx, caller, board_key)
    answer = AdditionAnswer(board=board, objects=added.objects, unprocessed=added.unprocessed)
    return encode_response(answer, origin)
