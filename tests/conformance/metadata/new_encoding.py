"""A release that encodes objects differently, for tests of the upgrade to it."""

import msgspec
import pytest

from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.objects import CloudObject

MARK = "of the next release: "


RELEASED = wire_cache.ENCODING_VERSION
"""The encoding of this release, from which `upgrade_encoding` leads to the next one."""


def upgrade_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, objects have another display name on the wire, and the version is raised."""
    former = wire_cache.wire_object

    def wire_object(stored: StoredObject, origin: str) -> CloudObject:
        return msgspec.structs.replace(former(stored, origin), display_name=MARK + stored.name)

    monkeypatch.setattr(wire_cache, "wire_object", wire_object)
    monkeypatch.setattr(wire_cache, "ENCODING_VERSION", RELEASED + 1)


def is_upgraded(wire: bytes) -> bool:
    return f'"displayName":"{MARK}'.encode() in wire
