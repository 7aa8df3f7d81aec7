"""Objects exactly as a server sent them, so that a batch operation can echo the whole of one.

The interface asks for a full echo, unknown fields included. Decoding every object of a page twice would be a waste,
since few are ever echoed: a page keeps slices of its own bytes, and each is decoded when somebody looks.
"""

from typing import Final

from msgspec import Raw, json
from msgspec.structs import fields

from skyshelf.wire.models import AnswerModel
from skyshelf.wire.resources.objects import CloudObject

_OBJECT: Final = json.Decoder(CloudObject)
_FIELDS: Final = json.Decoder(dict[str, Raw])
_WIRE_NAMES: Final = {field.name: field.encode_name for field in fields(CloudObject)}


class ObjectEcho:
    """One object as it was sent: all fields, known or not, in their order, and the typed view of it.

    The values of unknown fields are never interpreted, so that even a number that no float can hold comes back
    digit by digit.
    """

    __slots__ = ("_raw", "_typed")

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._typed: CloudObject | None = None

    @classmethod
    def from_json(cls, text: bytes) -> "ObjectEcho":
        """The echo of an object that came alone."""
        return cls(Raw(text))

    @property
    def typed(self) -> CloudObject:
        """The typed view, decoded once."""
        if self._typed is None:
            self._typed = _OBJECT.decode(self._raw)
        return self._typed

    @property
    def fields(self) -> dict[str, Raw]:
        """Every field by its wire name, each value as it was written."""
        return _FIELDS.decode(self._raw)

    def changed(self, **changes: object) -> dict[str, Raw]:
        """What to send in a batch entry: the echo with some fields changed, given by their snake_case names."""
        echo = self.fields
        for name, value in changes.items():
            wire_name = _WIRE_NAMES.get(name)
            if wire_name is None:
                raise TypeError(f"an object has no field {name!r}")
            echo[wire_name] = Raw(json.encode(value))
        return echo

    def kept(self) -> "ObjectEcho":
        """The same echo with bytes of its own; a slice that is kept long would pin its whole page in memory."""
        return ObjectEcho(self._raw.copy())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectEcho):
            return NotImplemented
        return bytes(self._raw) == bytes(other._raw)

    def __hash__(self) -> int:
        return hash(bytes(self._raw))

    def __repr__(self) -> str:
        return f"ObjectEcho({self.typed.object_key})"


class EchoListing(AnswerModel, frozen=True, kw_only=True):
    """Any answer with `objects` (listings, trash, feeds) whose objects are left as they were sent."""

    allocated_space: int | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None
    objects: list[Raw] | None = None

    def echoes(self) -> list[ObjectEcho]:
        """The objects, none of them decoded yet."""
        return [ObjectEcho(raw) for raw in self.objects or ()]
