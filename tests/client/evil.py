"""A server that follows the interface and puts the same text everywhere: into every name, message and comment.

Its answers are made from the endpoint table, so a new endpoint and a new field are covered at once.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import inspect
from tests.client.foreign import Asked, Reply

from skyshelf.wire.endpoint import AnswerKind, Endpoint
from skyshelf.wire.endpoints import ENDPOINTS

HOSTILE = "\x1b[2J\x07\x00\x7f\x85\x9b1m\u202e\u2066\u2028\u200f\ufeff\U000e0041\u3164\r\nskyshelf: all is well"
"""What a terminal would act on, what turns text around, what nobody sees, and a line that is not ours."""

ROOT = "F" * 32
KEY = "A" * 32
_KEYS = re.compile(
    r"(object|folder|parent|board|content|contact|share|promotion|banner|upload)\w*[kK]ey$|Keys$|^\w*Id$"
)
_FIXED: Mapping[str, Any] = {
    # A link to another server ends every listing with an error, and nothing would be shown.
    "nextLink": None,
    "rootFolderKey": ROOT,
    "parentObjectKey": ROOT,
    "objectType": "FE",
    "status": "A",
    "isCurrentVersion": True,
    "version": 1,
    "nextCursor": None,
    "hasMore": False,
    "unprocessed": None,
    "sizeInBytes": 1,
    "hash": "9dd4e461268c8034f5c8564e155c67a6",
    "year": 2024,
    "month": 5,
}
_PARAMETER = re.compile(r"\{(\w+)\}")


def _pattern(endpoint: Endpoint) -> re.Pattern[str]:
    return re.compile(_PARAMETER.sub("[^/]+", endpoint.path))


_ROUTES = sorted(
    [(endpoint.method, _pattern(endpoint), endpoint) for endpoint in ENDPOINTS],
    key=lambda route: len(_PARAMETER.findall(route[2].path)),
)


class Evil:
    """Answers every endpoint with `text` in each field that holds text; lists have one item on their first page."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, asked: Asked) -> Reply:
        endpoint = next(
            (one for method, path, one in _ROUTES if method == asked.method and path.fullmatch(asked.path)), None
        )
        if endpoint is None:
            return Reply(404, {"code": self.text, "message": self.text})
        answer = endpoint.answers[endpoint.success]
        if answer.kind is AnswerKind.JSON:
            is_first = asked.query.get("page", "0") == "0" and "cursor" not in asked.query
            fixed = {"objectType": "FR"} if asked.query.get("type") == "w" else {}
            is_inside = asked.query.get("folderKey", ROOT) != ROOT
            value = self._value(inspect.type_info(answer.model), "", fixed, is_empty=not is_first or is_inside)
            return Reply(endpoint.success, value)
        if answer.kind is AnswerKind.BINARY:
            return Reply(endpoint.success, b"x", {"ETag": f'"{_FIXED["hash"]}"'})
        return Reply(endpoint.success, b"")

    def _value(self, kind: Any, name: str, fixed: Mapping[str, Any], *, is_empty: bool = False) -> Any:
        if name in fixed:
            return fixed[name]
        if name in _FIXED:
            return _FIXED[name]
        if isinstance(kind, inspect.UnionType):
            rest = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            return self._value(rest[0], name, fixed, is_empty=is_empty)
        if isinstance(kind, inspect.StructType):
            return {
                field.encode_name: self._value(field.type, field.encode_name, fixed, is_empty=is_empty)
                for field in kind.fields
            }
        if isinstance(kind, inspect.ListType | inspect.CollectionType):
            return [] if is_empty else [self._value(kind.item_type, name, fixed)]
        if isinstance(kind, inspect.DictType):
            return {}
        if isinstance(kind, inspect.StrType):
            folder = fixed.get("objectType") == "FR"
            return (KEY[:-1] + "B" if folder else KEY) if _KEYS.search(name) else self.text
        if isinstance(kind, inspect.BoolType):
            return True
        if isinstance(kind, inspect.IntType | inspect.FloatType):
            return 1
        return kind.values[0] if isinstance(kind, inspect.LiteralType) else self.text
