"""All files of one kind: photos, videos, audio, documents, and what is none of these."""

from typing import Final

from skyshelf.storage.metadata.contracts.tree import PageCursor, SortBy
from skyshelf.storage.metadata.sql.statements import Params, Value, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import OBJECT_IS_VISIBLE

_DOCUMENT: Final = (
    "(o.mime_type = 'text' OR (o.mime_type = 'application' AND (o.mime_subtype IN"
    " ('pdf', 'rtf', 'msword', 'json', 'xml', 'epub+zip') OR o.mime_subtype LIKE 'vnd.ms-%'"
    " OR o.mime_subtype LIKE 'vnd.openxmlformats-%' OR o.mime_subtype LIKE 'vnd.oasis.opendocument.%')))"
)
_CONDITIONS: Final = {
    "photos": "o.is_media = 1 AND o.mime_type = 'image'",
    "videos": "o.is_media = 1 AND o.mime_type = 'video'",
    "audio": "o.is_media = 0 AND o.mime_type = 'audio'",
    "documents": f"o.is_media = 0 AND {_DOCUMENT}",
    "others": f"o.is_media = 0 AND o.mime_type <> 'audio' AND NOT {_DOCUMENT}",
}


def category_statement(
    account_id: int,
    category: str,
    sort: SortBy | None,
    *,
    descending: bool,
    limit: int,
    after: PageCursor | None,
) -> tuple[str, Params]:
    """The statement and its parameters; it selects the JSON, the sort value and the key."""
    column = "arrived_at" if sort is None else sort.value
    direction = "DESC" if descending else "ASC"
    params: dict[str, Value] = {"account": account_id, "limit": limit, **encoding()}
    further = ""
    if after is not None:
        further = f" AND (o.{column}, o.object_key) {'<' if descending else '>'} (:after_value, :after_key)"
        params |= {"after_value": after.value, "after_key": raw(after.key)}
    text = (
        f"SELECT {stored_wire('o')}, o.{column}, o.object_key FROM objects o WHERE o.account_id = :account"
        f" AND o.status = 'A' AND o.kind = 1 AND {_CONDITIONS[category]}{further} AND {OBJECT_IS_VISIBLE}"
        f" ORDER BY o.{column} {direction}, o.object_key {direction} LIMIT :limit"
    )
    return text, params
