"""JSON read strictly: no NaN, no name twice in one object, no lone surrogates, nothing too long or too deep."""

import json
from typing import Final, NoReturn

from skyshelf.agent.faults import INVALID_JSON, Refusal

LINE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The longest call; the largest that means anything (2,000 keys) has some 70 kB."""

_DEPTH_MAX: Final = 64


def _no_constant(_word: str) -> NoReturn:
    raise Refusal(INVALID_JSON, "NaN and Infinity are not JSON")


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Which of the two counts would be a guess, and one of them may be `confirm`.
        raise Refusal(INVALID_JSON, "an object has the same name twice")
    return found


def read_json(text: str | bytes) -> object:
    """The value, or a Refusal that does not repeat any of the text."""
    if len(text) > LINE_BYTES_MAX:
        raise Refusal(INVALID_JSON, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        spelled = text.decode("utf-8") if isinstance(text, bytes) else text
        value: object = json.loads(spelled, parse_constant=_no_constant, object_pairs_hook=_pairs)
    except RecursionError:
        raise Refusal(INVALID_JSON, "nested too deeply") from None
    except UnicodeError:
        raise Refusal(INVALID_JSON, "not UTF-8") from None
    except ValueError as wrong:
        place = f" (at character {wrong.pos})" if isinstance(wrong, json.JSONDecodeError) else ""
        raise Refusal(INVALID_JSON, f"not one JSON document{place}") from None
    _check(value, _DEPTH_MAX)
    return value


def _check(value: object, depth: int) -> None:
    if depth == 0:
        raise Refusal(INVALID_JSON, "nested too deeply")
    if isinstance(value, dict):
        for name, inner in value.items():
            _check(name, depth)
            _check(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth - 1)
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Refusal(INVALID_JSON, "a text holds half of a character") from None
