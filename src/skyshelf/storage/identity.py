"""The identity of a store: which metadata and which blobs belong together, and which of them is older.

Both halves hold the id of their store and a generation, a number that grows while the service runs. Halves of two
stores, and a database that is new or older than the blobs, are not used together: the service would not know the newer
blobs, and would clean them up.

The generation is raised in the database first. Blobs that are behind are no danger: a crash leaves them so, and a copy
of the blobs that was made before the one of the database.
"""

import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, StoresDoNotMatch
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire.times import from_epoch_ms

SETTING: Final = "store.identity"
_ADOPTIONS: Final = "store.adoptions"
RESTORES: Final = "store.restores"
ADOPTED: Final = "admin.stores-adopted"
"""The event in the audit trail."""
_SAMPLE: Final = 20
_ADVICE: Final = (
    "Nothing was changed. Start with the database and the blobs that belong together, or restore both from one backup;"
    ' if you are sure that they belong together, start once with --adopt "the reason"'
)


class Identity(msgspec.Struct, frozen=True, omit_defaults=True):
    """What each half knows about itself."""

    store: str
    generation: int
    moved_to: str = ""
    """Where the store was moved to; a half that says so is no longer used."""
    moved_at: int = 0
    is_being_filled: bool = False
    """A move into these blobs has begun, and is not complete."""


class Adoption(msgspec.Struct, frozen=True):
    """Halves that an operator put together on purpose."""

    reason: str
    at: int
    metadata: Identity | None
    blobs: Identity | None


class Restore(msgspec.Struct, frozen=True):
    """A store that was made of a backup: when, and of when the backup is."""

    at: int
    state_at: int


def check_identity(metadata: MetadataStore, blobs: BlobStore) -> Identity:
    """The identity of both halves. Halves without one get it if they belong together; raises StoresDoNotMatch."""
    with metadata.read() as unit:
        ours = read_identity(unit.settings.get(SETTING))
    theirs = read_identity(blobs.identity())
    if theirs is None:
        _refuse_moved(ours)
        _check_unmarked(metadata, blobs)
        ours = ours or _marked(metadata)
        blobs.write_identity(msgspec.json.encode(ours))
        return ours
    problem = _difference(ours, theirs)
    if problem is not None:
        raise StoresDoNotMatch(f"{problem}. {_ADVICE}")
    assert ours is not None
    return ours


def compare_identities(metadata: MetadataStore, blobs: BlobStore) -> None:
    """As check_identity, without changing anything: halves without an identity stay so."""
    ours, theirs = _halves(metadata, blobs)
    if theirs is None:
        _refuse_moved(ours)
        _check_unmarked(metadata, blobs)
    elif problem := mismatch(metadata, blobs):
        raise StoresDoNotMatch(problem)


def mismatch(metadata: MetadataStore, blobs: BlobStore) -> str | None:
    """Why two halves that are in use do not belong together; changes nothing. None if nothing speaks against it."""
    ours, theirs = _halves(metadata, blobs)
    problem = None if theirs is None else _difference(ours, theirs)
    return None if problem is None else f"{problem}. {_ADVICE}"


def adopt(metadata: MetadataStore, blobs: BlobStore, reason: str, now: int) -> Identity:
    """Put two halves together that check_identity refuses. A reason counts once, so an option that stays in a unit
    file does no harm."""
    ours, theirs = _halves(metadata, blobs)
    if _matches(metadata, blobs, ours, theirs):
        return check_identity(metadata, blobs)
    highest = max((half.generation for half in (ours, theirs) if half is not None), default=0)
    new = Identity(secrets.token_hex(16), highest + 1)

    def work(unit: Unit) -> None:
        adoptions = _adoptions(unit)
        if any(adoption.reason == reason for adoption in adoptions):
            raise StoresDoNotMatch(f'The reason "{reason}" was used before: give another one for this adoption')
        adoptions.append(Adoption(reason, now, ours, theirs))
        unit.settings.set(_ADOPTIONS, msgspec.json.encode(adoptions))
        unit.settings.set(SETTING, msgspec.json.encode(new))
        unit.audit.add([AuditEvent(kind=ADOPTED, at=now, actor="command:serve", details={"reason": reason[:200]})])
        if any(half is not None and half.moved_to for half in (ours, theirs)):
            # The move has left it read-only.
            unit.settings.delete(READ_ONLY)

    with even_while_read_only():
        metadata.write(work)
    blobs.write_identity(msgspec.json.encode(new))
    return new


def adoptions(metadata: MetadataStore) -> Sequence[Adoption]:
    """What operators put together on purpose, oldest first."""
    with metadata.read() as unit:
        return _adoptions(unit)


def restores(metadata: MetadataStore) -> Sequence[Restore]:
    """When the store was restored from backups, oldest first."""
    with metadata.read() as unit:
        return read_restores(unit.settings.get(RESTORES))


def read_restores(value: bytes | None) -> list[Restore]:
    return msgspec.json.decode(value, type=list[Restore]) if value else []


def advance(metadata: MetadataStore, blobs: BlobStore) -> Identity:
    """Raise the generation of both halves; raises StoresDoNotMatch when another database uses these blobs."""
    check_identity(metadata, blobs)

    def work(unit: Unit) -> Identity:
        known = read_identity(unit.settings.get(SETTING))
        assert known is not None
        raised = msgspec.structs.replace(known, generation=known.generation + 1)
        unit.settings.set(SETTING, msgspec.json.encode(raised))
        return raised

    raised = metadata.write(work)
    blobs.write_identity(msgspec.json.encode(raised))
    return raised


def _halves(metadata: MetadataStore, blobs: BlobStore) -> tuple[Identity | None, Identity | None]:
    with metadata.read() as unit:
        return read_identity(unit.settings.get(SETTING)), read_identity(blobs.identity())


def _matches(metadata: MetadataStore, blobs: BlobStore, ours: Identity | None, theirs: Identity | None) -> bool:
    if theirs is not None:
        return _difference(ours, theirs) is None
    try:
        _refuse_moved(ours)
        _check_unmarked(metadata, blobs)
    except StoresDoNotMatch:
        return False
    return True


def _difference(ours: Identity | None, theirs: Identity) -> str | None:
    """Why two halves do not belong together; None when they do."""
    for half in (ours, theirs):
        if half is not None and half.moved_to:
            return _moved(half)
    if theirs.is_being_filled:
        return "A move into these blobs is not complete: run the same `skyshelf admin move` again"
    if ours is None:
        return f"The database is new or from before these blobs, which belong to the store {theirs.store}"
    if ours.store != theirs.store:
        return f"The database belongs to the store {ours.store}, the blobs belong to the store {theirs.store}"
    if theirs.generation > ours.generation:
        return f"The database is older (generation {ours.generation}) than the blobs (generation {theirs.generation})"
    return None


def _moved(half: Identity) -> str:
    return f"This store was moved to {half.moved_to} on {from_epoch_ms(half.moved_at):%Y-%m-%d}"


def moved(metadata: MetadataStore) -> str | None:
    """A sentence, where the rows were moved elsewhere."""
    with metadata.read() as unit:
        ours = read_identity(unit.settings.get(SETTING))
    return _moved(ours) if ours is not None and ours.moved_to else None


def _refuse_moved(ours: Identity | None) -> None:
    if ours is not None and ours.moved_to:
        raise StoresDoNotMatch(f"{_moved(ours)}. {_ADVICE}")


def _check_unmarked(metadata: MetadataStore, blobs: BlobStore) -> None:
    """Blobs without an identity are new, or from before there was one: then what the database refers to is in them."""
    with metadata.read() as unit:
        sample = [content for content in unit.inspection.contents("", limit=_SAMPLE) if content.refs]
    if not sample:
        if next(blobs.list(), None) is not None:
            raise StoresDoNotMatch(f"The database refers to no file contents, but there are blobs. {_ADVICE}")
        return
    missing = sum(not _is_stored(blobs, content.location) for content in sample)
    if 2 * missing > len(sample):
        raise StoresDoNotMatch(
            f"Of {len(sample)} file contents that the database refers to, {missing} are not among the blobs. {_ADVICE}"
        )


def _is_stored(blobs: BlobStore, location: str) -> bool:
    try:
        blobs.size(location)
    except (BlobMissing, BlobCorrupt):
        return False
    return True


def _marked(metadata: MetadataStore) -> Identity:
    """Give the database an identity; of several processes that do, the first one's stays."""
    new = msgspec.json.encode(Identity(secrets.token_hex(16), 1))
    kept = read_identity(metadata.write(lambda unit: unit.settings.set_once(SETTING, new)))
    assert kept is not None
    return kept


def read_identity(value: bytes | None) -> Identity | None:
    if value is None:
        return None
    try:
        return msgspec.json.decode(value, type=Identity)
    except msgspec.DecodeError as wrong:
        raise StoresDoNotMatch(f"The identity of the store cannot be read: {wrong}. {_ADVICE}") from wrong


def _adoptions(unit: Unit) -> list[Adoption]:
    kept = unit.settings.get(_ADOPTIONS)
    return msgspec.json.decode(kept, type=list[Adoption]) if kept else []
