"""What somebody who opens a store may do to it."""

from enum import Enum


class Access(Enum):
    """How a store is opened."""

    SERVE = "serve"
    """Create what is missing, and upgrade an older schema: for the server, and for `skyshelf admin upgrade`."""
    WRITE = "write"
    """Write to an existing store of this version's schema. A running server of an older version must not find its
    schema replaced because somebody added a user."""
    LOOK = "look"
    """Read without changing anything: no row, no file, no folder. Also for backups and read-only media."""

    @property
    def is_read_only(self) -> bool:
        return self is Access.LOOK
