"""`nextLink`: the next page of a list as a path with its query, which other people's clients follow as it is."""

from urllib.parse import quote, urlencode

from msgspec.structs import fields

from skyshelf.wire.models import QueryModel


def next_link(path: str, query: QueryModel, cursor: str | None) -> str | None:
    """The path of the page after the cursor, with the same conditions as this one; None without a cursor."""
    if cursor is None:
        return None
    given = {field.encode_name: getattr(query, field.name) for field in fields(query) if field.name != "page"}
    given["cursor"] = cursor
    kept = {name: _text(value) for name, value in given.items() if value is not None}
    return f"{path}?{urlencode(kept, quote_via=quote)}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
