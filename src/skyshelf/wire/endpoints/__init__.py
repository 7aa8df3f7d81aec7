"""The endpoint table: the interface's 30 calls, our extensions, and the calls of other people's clients."""

from typing import Final

from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import (
    account,
    alarms,
    app_passwords,
    banners,
    board_members,
    boards,
    changes,
    contacts,
    downloads,
    feeds,
    history,
    history_proofs,
    identities,
    objects,
    operators,
    other_clients,
    passkeys,
    photos,
    rewind,
    second_factor,
    shares,
    storage,
    tags,
    uploads,
    welcome,
)

_NOUNS: Final = (
    account,
    second_factor,
    passkeys,
    app_passwords,
    identities,
    welcome,
    operators,
    objects,
    storage,
    changes,
    history,
    alarms,
    rewind,
    history_proofs,
    feeds,
    tags,
    photos,
    shares,
    downloads,
    boards,
    board_members,
    contacts,
    banners,
    uploads,
    other_clients,
)

ENDPOINTS: Final[tuple[Endpoint, ...]] = tuple(
    value for noun in _NOUNS for value in vars(noun).values() if isinstance(value, Endpoint)
)
"""Every endpoint, in the order of the interface."""

BY_NAME: Final = {endpoint.name: endpoint for endpoint in ENDPOINTS}
