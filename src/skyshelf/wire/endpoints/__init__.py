"""The endpoint table: the 30 calls of the interface and those that complete it, one noun per module."""

from typing import Final

from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import (
    account,
    board_changes,
    boards,
    changes,
    contacts,
    downloads,
    feeds,
    messaging,
    objects,
    own_account,
    search,
    second_factor,
    shares,
    sharing,
    tags,
    trash,
    uploads,
    versions,
)

ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    *account.ENDPOINTS,
    *own_account.ENDPOINTS,
    *second_factor.ENDPOINTS,
    *objects.ENDPOINTS,
    *trash.ENDPOINTS,
    *versions.ENDPOINTS,
    *search.ENDPOINTS,
    *changes.ENDPOINTS,
    *feeds.ENDPOINTS,
    *tags.ENDPOINTS,
    *sharing.ENDPOINTS,
    *shares.ENDPOINTS,
    *downloads.ENDPOINTS,
    *boards.ENDPOINTS,
    *board_changes.ENDPOINTS,
    *contacts.ENDPOINTS,
    *messaging.ENDPOINTS,
    *uploads.ENDPOINTS,
)
"""Every endpoint, in the order of the interface."""

BY_NAME: Final = {endpoint.name: endpoint for endpoint in ENDPOINTS}
