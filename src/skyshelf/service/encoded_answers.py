"""Answers around objects that are encoded already: a page of thousands is never decoded and encoded again."""

from collections.abc import Sequence
from typing import Any

from msgspec import Raw, json

from skyshelf.storage.metadata.wire_cache import with_origin
from skyshelf.wire.models import AnswerModel

_encode = json.Encoder().encode


def as_stored(encoded: Sequence[bytes]) -> Any:
    """Encoded objects, to stand in a model where objects stand; the encoder copies them as they are."""
    return [Raw(one) for one in encoded]


def encoded_answer(answer: AnswerModel, origin: str) -> bytes:
    """The model as JSON, its URLs under the origin. Text of people cannot hold the mark: the encoder escapes it."""
    return with_origin(_encode(answer), origin)
