"""Places in a list: where a reader that comes back for more goes on."""

from typing import NamedTuple


class Place(NamedTuple):
    """The sort value and the key of the last thing seen. What comes or goes elsewhere does not move it."""

    value: int | bytes
    key: str


class Placed(NamedTuple):
    """Something of a list, encoded as in Tree.page, and its place there."""

    encoded: bytes
    place: Place
