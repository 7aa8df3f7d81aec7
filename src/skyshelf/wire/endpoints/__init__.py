"""The endpoint table: the interface's 30 calls, our extensions, and the calls of other people's clients."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import force_setattr

from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import (
    account,
    boards,
    contacts,
    credentials,
    downloads,
    exports,
    feeds,
    history,
    objects,
    operators,
    other_clients,
    shares,
    uploads,
)

_NOUNS: Final = (
    account,
    credentials,
    operators,
    objects,
    history,
    feeds,
    shares,
    downloads,
    exports,
    boards,
    contacts,
    uploads,
    other_clients,
)


def _named_endpoints() -> Iterator[Endpoint]:
    for noun in _NOUNS:
        for constant, endpoint in vars(noun).items():
            if isinstance(endpoint, Endpoint):
                force_setattr(endpoint, "name", constant.lower())
                yield endpoint


ENDPOINTS: Final = tuple(_named_endpoints())
"""Every endpoint, in the order of the interface."""

BY_NAME: Final = {endpoint.name: endpoint for endpoint in ENDPOINTS}
