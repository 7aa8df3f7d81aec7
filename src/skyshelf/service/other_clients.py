"""Calls of third-party clients: their forms of requests and responses, mapped to existing functions."""

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import asdict, replace

from skyshelf.service.boards import boards, items
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files import batches, search
from skyshelf.service.pages import after_of, encode_response, projected, raw_objects, sort_order
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.cursors import encode_cursor, next_link
from skyshelf.wire.resources import batch
from skyshelf.wire.resources import other_clients as wire
from skyshelf.wire.resources.objects import DRIVE, CloudObject, ObjectStatus
from skyshelf.wire.resources.search import SearchQuery

_ICONS = {"image": "image", "video": "video", "audio": "audio", "text": "document"}


# Listings


def category_listing(ctx: ServiceContext, caller: Caller, query: wire.CategoryQuery, origin: str, path: str) -> bytes:
    """Return a page of all files of one kind, as JSON."""
    sort, descending = (None, True) if query.sort is None else sort_order(query.sort)
    after = after_of(sort, query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tree.of_category(
            caller.account_id, query.mime_type, sort=sort, descending=descending, limit=query.limit + 1, after=after
        )
    rows = found[: query.limit]
    cursor = encode_cursor(*rows[-1].cursor) if len(found) > query.limit else None
    page = wire.LinkedPage(objects=raw_objects([row.encoded for row in rows]), next_link=next_link(path, query, cursor))
    return encode_response(page, origin)


def keyword_search(ctx: ServiceContext, caller: Caller, query: wire.KeywordQuery, origin: str, path: str) -> bytes:
    """Return a page of matching objects, as JSON."""
    found = search.found_page(ctx, caller, SearchQuery(query=query.q, limit=query.limit, cursor=query.cursor))
    link = next_link(path, query, found.next_cursor)
    return encode_response(wire.LinkedPage(objects=found.objects, next_link=link), origin)


def object_info(ctx: ServiceContext, caller: Caller, object_key: str, origin: str) -> wire.ObjectInfo:
    """Return a visible object, with the display fields that clients of other services show."""
    with ctx.metadata.read() as unit:
        found = unit.tree.visible(caller.account_id, object_key)
    return wire.ObjectInfo(object=_with_display_fields(found, wire_object(found, origin)))


def _with_display_fields(stored: StoredObject, shown: CloudObject) -> CloudObject:
    """Add display fields that the interface does not define; in listings they would lengthen every row."""
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


def apply_flat_batch(
    ctx: ServiceContext, caller: Caller, request: wire.FlatBatchRequest, origin: str
) -> wire.FlatBatchAnswer:
    """Apply flat entries like those of a batch."""
    entries = [
        batch.BatchEntry(
            operation=_operation(entry.operation),
            correlation_id=entry.correlation_id,
            object=projected(batch.EchoedObject, entry),
        )
        for entry in request.objects
    ]
    answer = batches.apply_batch(ctx, caller, batch.BatchRequest(objects=entries), origin)
    named = {_operation(entry.operation).value: entry.operation.value for entry in request.objects}

    def flat(
        one: batch.ProcessedEntry | batch.UnprocessedEntry, shown: CloudObject | batch.UnprocessedObject
    ) -> dict[str, Any]:
        return {"operation": named[str(one.operation)], "correlation_id": one.correlation_id, **asdict(shown)}

    return wire.FlatBatchAnswer(
        objects=[
            wire.FlatProcessed(**flat(one, one.object or CloudObject(object_key=""))) for one in answer.objects or ()
        ],
        unprocessed=[
            wire.FlatUnprocessed(**flat(one, one.object or batch.UnprocessedObject()))
            for one in answer.unprocessed or ()
        ],
        used_space=answer.used_space,
        is_upload_allowed=answer.is_upload_allowed,
    )


def _operation(given: wire.FlatOperation) -> batch.Operation:
    return batch.Operation.RENAME if given is wire.FlatOperation.RENAME_ALIAS else batch.Operation(given.value)


def trash_objects(ctx: ServiceContext, caller: Caller, request: wire.TrashRequest, origin: str) -> wire.TrashAnswer:
    """Move objects to the trash, by their keys alone."""
    entries = [
        batch.BatchEntry(
            operation=batch.Operation.TRASH,
            object=batch.EchoedObject(object_key=key, object_name="", source_name=DRIVE, status=ObjectStatus.TRASHED),
        )
        for key in request.object_keys
    ]
    answer = batches.apply_batch(ctx, caller, batch.BatchRequest(objects=entries), origin)
    return wire.TrashAnswer(
        trash_objects=[one.object for one in answer.objects or () if one.object is not None],
        unprocessed=answer.unprocessed,
        used_space=answer.used_space,
        is_upload_allowed=answer.is_upload_allowed,
    )


def add_to_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.AdditionRequest, origin: str
) -> bytes:
    """Show the caller's files on a board, and return the board with them, as JSON."""
    added = items.additions(ctx, caller, board_key, [one.object_key for one in request.objects])
    board = boards.board(ctx, caller, board_key)
    answer = wire.AdditionAnswer(board=board, objects=added.objects, unprocessed=added.unprocessed)
    return encode_response(answer, origin)
