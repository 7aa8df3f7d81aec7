"""Many small contents in one answer.

The body is, for each key in the order of the request, one line of JSON (a ContentHead), and right behind it the bytes
of the content, as many as that line says. A head with an `errorCode` has no bytes behind it.
"""

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.bases import AnswerModel, QueryModel
from skyshelf.wire.keys import clean_key
from skyshelf.wire.limits import CONTENTS_KEYS_MAX

_KEY_CHARS: Final = 32

HEAD_BYTES_MAX: Final = 1024
"""What the line before a content can have; a reader that finds no end of it reads something else."""


class ContentsQuery(QueryModel, frozen=True, kw_only=True):
    """Whose contents, by keys with commas between them."""

    object_keys: Annotated[
        str,
        Meta(
            min_length=_KEY_CHARS,
            max_length=CONTENTS_KEYS_MAX * (_KEY_CHARS + 1) - 1,
            description=f"1 to {CONTENTS_KEYS_MAX} keys of files, with commas between them",
        ),
    ]

    def __post_init__(self) -> None:
        force_setattr(self, "object_keys", ",".join(map(clean_key, self.object_keys.split(","))))

    @property
    def keys(self) -> list[str]:
        """The keys one by one."""
        return self.object_keys.split(",")


class ContentHead(AnswerModel, frozen=True, kw_only=True):
    """What comes next: so many bytes of that MD5; or, with an `errorCode`, nothing, and why."""

    object_key: str
    size_in_bytes: int | None = None
    hash: str | None = None
    error_code: str | None = None
    error_message: str | None = None
