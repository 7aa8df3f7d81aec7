"""The identity of a store: which metadata and which blobs belong together, and which of them is older.

Both halves hold the id of their store and a generation, a number that grows while the service runs. Halves of two
stores, and a database that is new or older than the blobs, are not used together: the service would not know the newer
blobs, and would clean them up.

The generation is raised in the database first. Blobs that are behind are no danger: a crash leaves them so, and a copy
of the blobs that was made before the one of the database.
"""

import secrets
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, StoresDoNotMatch
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.read_only import MOVE, MoveRecord, even_while_read_only
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire.times import from_epoch_ms

SETTING: Final = "store.identity"
_ADOPTIONS: Final = "store.adoptions"
RESTORES: Final = "store.restores"
ADOPTED: Final = "admin.stores-adopted"
"""The event in the audit trail."""
_SAMPLE: Final = 20
_WITHOUT_ROWS: Final = "The database refers to no file contents, but there are blobs"
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
    moved_epoch: str = ""
    """The epoch since the last move, or since an operator began one; empty before that, and the id is the epoch."""

    @property
    def epoch(self) -> str:
        """What clients remember, to notice that the data were restored, moved, or put together with other halves."""
        return self.moved_epoch or self.store

    def in_new_place(self) -> "Identity":
        """Return the identity after a move: of the same store, and in a new epoch."""
        return msgspec.structs.replace(self, generation=self.generation + 1, moved_epoch=secrets.token_hex(16))


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


class EpochStart(msgspec.Struct, frozen=True):
    """Why an epoch began, and when; `state_at` is the time of the backup that was restored."""

    at: int
    reason: Literal["restored", "moved", "adopted"]
    state_at: int | None = None


def epoch_of(unit: Unit) -> str | None:
    """Return the epoch of a store; None before it has an identity."""
    identity = read_identity(unit.settings.get(SETTING))
    return None if identity is None else identity.epoch


def epoch_start(unit: Unit) -> EpochStart | None:
    """Return how the epoch of a store began; None where it is the first."""
    moved = unit.settings.load(MOVE, MoveRecord)
    starts = [
        *(EpochStart(one.at, "restored", one.state_at) for one in read_restores(unit.settings.get(RESTORES))),
        *(EpochStart(one.at, "adopted") for one in _adoptions(unit)),
        *([EpochStart(moved.at, "moved")] if moved is not None else []),
    ]
    return max(starts, key=lambda one: one.at, default=None)


def check_identity(metadata: MetadataStore, blobs: BlobStore) -> Identity:
    """Return the identity of both halves; ones without it get it if they belong together. Raises StoresDoNotMatch."""
    ours, theirs = _halves(metadata, blobs)
    _refuse(_problem(metadata, blobs, ours, theirs))
    if theirs is None:
        ours = ours or _marked(metadata)
        blobs.write_identity(msgspec.json.encode(ours))
    assert ours is not None
    return ours


def compare_identities(metadata: MetadataStore, blobs: BlobStore) -> None:
    """Check like check_identity, without changing anything: halves without an identity stay so."""
    _refuse(_problem(metadata, blobs, *_halves(metadata, blobs)))


def refuse_different(ours: Identity | None, blobs: BlobStore) -> None:
    """Check like compare_identities, where the rows of the database cannot be read, or there is none yet."""
    theirs = read_identity(blobs.identity())
    if theirs is not None:
        _refuse(_difference(ours, theirs))
    elif ours is None and next(blobs.list(), None) is not None:
        _refuse(_WITHOUT_ROWS)


def _refuse(problem: str | None) -> None:
    if problem is not None:
        raise StoresDoNotMatch(f"{problem}. {_ADVICE}")


def mismatch(metadata: MetadataStore, blobs: BlobStore) -> str | None:
    """Return why two halves that are in use do not belong together, or None; changes nothing."""
    ours, theirs = _halves(metadata, blobs)
    problem = None if theirs is None else _difference(ours, theirs)
    return None if problem is None else f"{problem}. {_ADVICE}"


def adopt(metadata: MetadataStore, blobs: BlobStore, reason: str, now: int) -> Identity:
    """Put two halves together that check_identity refuses. A reason counts once, so an option that stays in a unit
    file does no harm."""
    ours, theirs = _halves(metadata, blobs)
    if _problem(metadata, blobs, ours, theirs) is None:
        return check_identity(metadata, blobs)
    highest = max((half.generation for half in (ours, theirs) if half is not None), default=0)
    new = Identity(secrets.token_hex(16), highest + 1)

    def work(unit: Unit) -> None:
        adoptions = _adoptions(unit)
        if any(adoption.reason == reason for adoption in adoptions):
            raise StoresDoNotMatch(f'The reason "{reason}" was used before: give another one for this adoption')
        adoptions.append(Adoption(reason, now, ours, theirs))
        unit.settings.store(_ADOPTIONS, adoptions)
        unit.settings.store(SETTING, new)
        unit.audit.add([AuditEvent(kind=ADOPTED, at=now, actor="command:serve", details={"reason": reason[:200]})])
        if any(half is not None and half.moved_to for half in (ours, theirs)):
            # The move has left it read-only.
            unit.settings.delete(READ_ONLY)

    with even_while_read_only():
        metadata.write(work)
    blobs.write_identity(msgspec.json.encode(new))
    return new


def begin_epoch(metadata: MetadataStore, reason: str, now: int) -> str:
    """Begin a new epoch of a store whose halves went back together, which neither of them shows; returns the epoch."""

    def work(unit: Unit) -> str:
        ours = read_identity(unit.settings.get(SETTING)) or Identity(secrets.token_hex(16), 1)
        new = msgspec.structs.replace(ours, moved_epoch=secrets.token_hex(16))
        unit.settings.store(_ADOPTIONS, [*_adoptions(unit), Adoption(reason, now, ours, None)])
        unit.settings.store(SETTING, new)
        unit.audit.add([AuditEvent(kind=ADOPTED, at=now, actor="command:epoch", details={"reason": reason[:200]})])
        return new.epoch

    with even_while_read_only():
        return metadata.write(work)


def adoptions(metadata: MetadataStore) -> Sequence[Adoption]:
    """Return what operators put together on purpose, oldest first."""
    with metadata.read() as unit:
        return _adoptions(unit)


def restores(metadata: MetadataStore) -> Sequence[Restore]:
    """Return when the store was restored from backups, oldest first."""
    with metadata.read() as unit:
        return read_restores(unit.settings.get(RESTORES))


def read_restores(value: bytes | None) -> list[Restore]:
    return msgspec.json.decode(value, type=list[Restore]) if value else []


def advance(metadata: MetadataStore, blobs: BlobStore) -> Identity:
    """Raise the generation of both halves; raises StoresDoNotMatch when another database uses these blobs.

    Blobs that are behind catch up first: where they cannot, such as on a full disk, the database stays as it is.
    """
    known = check_identity(metadata, blobs)
    if read_identity(blobs.identity()) != known:
        blobs.write_identity(msgspec.json.encode(known))

    def work(unit: Unit) -> Identity:
        known = read_identity(unit.settings.get(SETTING))
        assert known is not None
        raised = msgspec.structs.replace(known, generation=known.generation + 1)
        unit.settings.store(SETTING, raised)
        return raised

    raised = metadata.write(work)
    blobs.write_identity(msgspec.json.encode(raised))
    return raised


def _halves(metadata: MetadataStore, blobs: BlobStore) -> tuple[Identity | None, Identity | None]:
    with metadata.read() as unit:
        return read_identity(unit.settings.get(SETTING)), read_identity(blobs.identity())


def _problem(metadata: MetadataStore, blobs: BlobStore, ours: Identity | None, theirs: Identity | None) -> str | None:
    """Why two halves do not belong together, also where the blobs have no identity; None when they do."""
    if theirs is not None:
        return _difference(ours, theirs)
    return _moved(ours) if ours is not None and ours.moved_to else _unmarked_problem(metadata, blobs)


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
    """Return a sentence, where the rows were moved elsewhere."""
    with metadata.read() as unit:
        ours = read_identity(unit.settings.get(SETTING))
    return _moved(ours) if ours is not None and ours.moved_to else None


def _unmarked_problem(metadata: MetadataStore, blobs: BlobStore) -> str | None:
    """Blobs without an identity are new, or from before there was one: then what the database refers to is in them."""
    with metadata.read() as unit:
        sample = [content for content in unit.inspection.contents("", limit=_SAMPLE) if content.refs]
    if not sample:
        is_empty = next(blobs.list(), None) is None
        return None if is_empty else _WITHOUT_ROWS
    missing = sum(not _is_stored(blobs, content.location) for content in sample)
    if 2 * missing <= len(sample):
        return None
    return f"Of {len(sample)} file contents that the database refers to, {missing} are not among the blobs"


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
    return unit.settings.load(_ADOPTIONS, list[Adoption]) or []
