"""The manifest of a cut, sealed with its own hash."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import msgspec

from skyshelf.backup.places import BackupRefused, CutDamaged, Place
from skyshelf.storage.metadata.transfer.moments import Moment

FORMAT: Final = 1
WITH_SEGMENTS: Final = 2
"""The format of a cut whose rows are segments; versions before 0.3.0 know only the first one."""
CUTS: Final = "cuts/"
DROPPED: Final = "dropped/"
UNEXPLAINED: Final = "unexplained/"
_ID = re.compile(r"[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}")


class ObjectRef(msgspec.Struct, frozen=True):
    """A reference from a cut to an object, which is named by the SHA-256 of its bytes."""

    name: str
    size: int


class Database(msgspec.Struct, frozen=True):
    """The rows: a SQLite file in chunks, or segments of rows."""

    size: int
    chunk_size: int
    chunks: ObjectRef
    """The list of chunks or segments."""
    packs: list[ObjectRef]
    schema: int = 0
    """The version of the schema of segments; 0 for chunks."""
    moment: Moment | None = None
    """When the rows of a PostgreSQL database were as they are, in its own terms."""


class Cut(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    format: int = FORMAT
    id: str
    at: int
    """When the rows were copied, in milliseconds."""
    store: str
    generation: int
    schema: int
    program: str
    encrypted: bool
    recipients: list[str] = []
    key: bytes = b""
    """The key of the names, encrypted."""
    database: Database
    contents: list[ObjectRef]
    """The lists of contents."""
    files: int
    """How many contents."""
    stored: int
    """Their bytes as stored."""
    new_files: int
    new_bytes: int
    """What this cut has added to the destination, rows included."""
    lacking: int = 0
    """How many contents could not be copied, because the store itself had lost them."""
    notes: bytes = b""
    """Sentences about them; encrypted if the cut is."""
    accounts: int | None = None
    objects: int | None = None
    """How many files and folders; unknown in cuts of earlier versions."""

    @property
    def is_complete(self) -> bool:
        return self.lacking == 0

    @property
    def total_bytes(self) -> int:
        return self.stored + sum(pack.size for pack in self.database.packs)

    @property
    def time(self) -> str:
        return iso(self.at)


def iso(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_id(at: int, nonce: str) -> str:
    return f"{datetime.fromtimestamp(at // 1000, UTC).strftime('%Y%m%dT%H%M%S')}{at % 1000:03d}Z-{nonce}"


def encode(cut: Cut, key: bytes | None) -> bytes:
    """Three lines: the manifest, its hash and, with encryption, what only the holder of the key could have written."""
    text = msgspec.json.encode(cut)
    return b"\n".join((text, hashlib.sha256(text).hexdigest().encode(), _mac(text, key), b""))


def _mac(text: bytes, key: bytes | None) -> bytes:
    return hashlib.blake2b(text, key=key, digest_size=32).hexdigest().encode() if key else b"-"


def decode(data: bytes) -> Cut:
    """CutDamaged unless the manifest is whole; BackupRefused when a newer version wrote it."""
    try:
        text, seal, _, _ = data.split(b"\n")
        if hashlib.sha256(text).hexdigest().encode() != seal:
            raise CutDamaged("a manifest does not match its own hash")
        known = msgspec.json.decode(text)
        if known.get("format") not in {FORMAT, WITH_SEGMENTS}:
            raise BackupRefused(
                f"a cut has format {known.get('format')}, and this Skyshelf knows {FORMAT} and {WITH_SEGMENTS}:"
                " use a newer Skyshelf"
            )
        return msgspec.convert(known, Cut)
    except (ValueError, msgspec.MsgspecError, AttributeError) as error:
        raise CutDamaged("a manifest cannot be understood") from error


def check_key(data: bytes, key: bytes) -> None:
    """CutDamaged when the manifest was not written by a holder of the key."""
    text, _, mac, _ = data.split(b"\n")
    if not hmac.compare_digest(_mac(text, key), mac):
        raise CutDamaged("a manifest was changed by somebody who does not have the key of this backup")


class Manifest(msgspec.Struct, frozen=True):
    """A manifest found in a place: its cut, or why it cannot be read."""

    id: str
    data: bytes
    cut: Cut | None
    problem: str | None = None


def manifests(place: Place, prefix: str = CUTS) -> Iterator[Manifest]:
    """Yield every manifest, oldest first."""
    names = sorted(kept.name for kept in place.list(prefix))
    for name in names:
        identifier = name.removeprefix(prefix).removesuffix(".json")
        if not _ID.fullmatch(identifier):
            continue
        try:
            data = place.get(name)
        except FileNotFoundError:
            continue
        try:
            cut = decode(data)
        except (CutDamaged, BackupRefused) as error:
            yield Manifest(identifier, data, None, str(error))
            continue
        if cut.id == identifier:
            yield Manifest(identifier, data, cut)
        else:
            yield Manifest(identifier, data, None, "the manifest has the name of another cut")


def choose(place: Place, wanted: str | None) -> Manifest:
    """Return the cut of that id or time (a prefix is enough); without one the newest complete cut."""
    found = list(manifests(place))
    if not found:
        raise BackupRefused("there is no cut at this destination: name the folder or bucket of a backup")
    if wanted is None:
        for one in reversed(found):
            if one.cut is not None and one.cut.is_complete:
                return one
        raise BackupRefused("no cut at this destination is complete: choose one with --cut; `admin cuts` lists them")
    plain = re.sub(r"[-: ]", "", wanted.replace(" ", "T")).removesuffix("Z")
    matching = [one for one in found if one.id.startswith((wanted, plain))]
    if len(matching) != 1:
        what = "no cut" if not matching else f"{len(matching)} cuts"
        raise BackupRefused(f"{what} of {wanted}: `skyshelf admin cuts` lists them")
    if matching[0].cut is None:
        raise CutDamaged(f"the cut {matching[0].id} cannot be used: {matching[0].problem}")
    return matching[0]
