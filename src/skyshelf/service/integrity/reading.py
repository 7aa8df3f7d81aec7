"""Reads on behalf of users: damage becomes an error, a line in the log and an entry in the list of damage.

A read of a whole content never ends well with wrong bytes. Where the content was not verified lately, it is hashed
while it is sent, and its last piece is sent only when the hash is right: the receiver sees a transfer that broke off.
"""

import hashlib
import os
from collections.abc import Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError, StoreUnavailable
from skyshelf.wire.limits import KIB, MIB

VERIFIED_FIRST_MAX = 8 * MIB
"""Content up to this size is hashed before its first byte is sent, so that damage becomes a proper error."""
SMALL_MAX = 64 * KIB
AT_ONCE_MAX = 256 * KIB
"""Content up to this size is hashed in a fraction of a millisecond."""

DAMAGE = (BlobMissing, BlobCorrupt, BadLocation)


def check(ctx: ServiceContext, sha256: str, location: str) -> str | None:
    """Raise where the content is missing, cut short or known to be damaged; returns its fingerprint."""
    try:
        fingerprint = ctx.blobs.fingerprint(location)
    except DAMAGE as problem:
        raise report(ctx, sha256, location, problem) from problem
    if ctx.integrity.has_damage() and ctx.integrity.is_refused(location, fingerprint, ctx.clock.now()):
        ctx.integrity.count_damaged_read()
        raise BlobCorrupt(f"The content at {location} is known to be damaged.")
    return fingerprint


def check_size(ctx: ServiceContext, sha256: str, location: str) -> None:
    """The same, with a look at every kind of store."""
    check(ctx, sha256, location)
    try:
        ctx.blobs.size(location)
    except DAMAGE as problem:
        raise report(ctx, sha256, location, problem) from problem


def is_verified(ctx: ServiceContext, sha256: str, location: str) -> bool:
    """Whether the content was verified lately, and its file is the same since; raises where it is damaged."""
    return ctx.integrity.is_trusted(location, check(ctx, sha256, location), ctx.clock.now())


def verify_first(ctx: ServiceContext, sha256: str, location: str, size: int) -> bool:
    """Whether a file of this machine can be sent as it is; raises where it is damaged.

    False for a large one that was not verified lately: it is verified while it is sent.
    """
    fingerprint = check(ctx, sha256, location)
    if ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now()):
        return True
    if fingerprint is None or size > VERIFIED_FIRST_MAX:
        return False
    stream = _open(ctx, sha256, location, 0, None)
    try:
        for _ in VerifiedStream(ctx, stream, sha256, location, fingerprint):
            pass
    finally:
        stream.close()
    return True


def read(
    ctx: ServiceContext, sha256: str, location: str, size: int, *, start: int = 0, length: int | None = None
) -> ByteStream:
    """As a read of the store; one of the whole content is verified. Known damage is refused, whatever the range."""
    is_whole = start == 0 and (length is None or length == size)
    # A small content is hashed in less time than a look takes.
    looks = size > SMALL_MAX or ctx.integrity.has_damage()
    fingerprint = check(ctx, sha256, location) if looks else None
    is_trusted = ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now())
    needs_hash = is_whole and not is_trusted
    if not is_whole and not is_trusted:
        _refuse_listed(ctx, sha256, location, fingerprint)
    stream = _open(ctx, sha256, location, start, length)
    return VerifiedStream(ctx, stream, sha256 if needs_hash else None, location, fingerprint, of=sha256)


def read_at_once(
    ctx: ServiceContext, sha256: str, location: str, size: int, *, start: int, length: int
) -> bytes | None:
    """The bytes, if reading and verifying them takes no time; None where it may, and where they are damaged."""
    if length > AT_ONCE_MAX or ctx.integrity.has_damage():
        return None
    cached = ctx.blobs.read_if_cached(location, start, length)
    if cached is None:
        return None
    fingerprint, data = cached
    if ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now()):
        return data
    if length != size or hashlib.sha256(data).hexdigest() != sha256:
        return None
    ctx.integrity.verified(location, fingerprint, ctx.clock.now())
    return data


def open_at_once(ctx: ServiceContext, location: str, size: int) -> int | None:
    """A descriptor of the whole content, if sending it takes no time; None where it may, or is not verified yet."""
    if size > AT_ONCE_MAX or ctx.integrity.has_damage():
        return None
    opened = ctx.blobs.open_if_cached(location)
    if opened is None:
        return None
    fingerprint, file = opened
    if ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now()):
        return file
    os.close(file)
    return None


def _refuse_listed(ctx: ServiceContext, sha256: str, location: str, fingerprint: str | None) -> None:
    """A part cannot be verified, but another process may have found the damage: clients that resume get the error."""
    with ctx.metadata.read() as unit:
        is_listed = unit.damage.is_listed(sha256, location)
    if is_listed:
        ctx.integrity.damaged(location, fingerprint, ctx.clock.now())
        ctx.integrity.count_damaged_read()
        raise BlobCorrupt(f"The content at {location} is known to be damaged.")


def _open(ctx: ServiceContext, sha256: str, location: str, start: int, length: int | None) -> ByteStream:
    try:
        return ctx.blobs.read(location, start, length)
    except DAMAGE as problem:
        raise report(ctx, sha256, location, problem) from problem


def report(ctx: ServiceContext, sha256: str, location: str, problem: StorageError) -> StorageError:
    """Note damage that a read has met; the error for the caller."""
    if not damage.note(ctx, sha256, location, damage.fault_of(problem)):
        # A new copy has taken its place, or the file was deleted: the next request sees how it is now.
        return StoreUnavailable(f"The content at {location} has another place now.")
    ctx.integrity.count_damaged_read()
    return problem


class VerifiedStream:
    """The pieces of a stream. Of a whole content, the last piece comes when the hash of all of them is right."""

    def __init__(
        self,
        ctx: ServiceContext,
        stream: ByteStream,
        expected: str | None,
        location: str,
        fingerprint: str | None = None,
        *,
        of: str | None = None,
    ) -> None:
        self._ctx = ctx
        self._stream = stream
        self._expected = expected
        self._sha256 = of or expected or ""
        self._location = location
        self._fingerprint = fingerprint
        self._digest = hashlib.sha256()
        self._held: bytes | None = None
        self._has_begun = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._expected is None:
            piece = self._pull()
        else:
            if not self._has_begun:
                self._has_begun = True
                self._held = self._pull()
            piece, self._held = self._held, self._pull() if self._held is not None else None
            if piece is not None and self._held is None:
                self._verify(self._expected)
        if piece is None:
            raise StopIteration
        return piece

    def close(self) -> None:
        self._held = None
        self._stream.close()

    def _pull(self) -> bytes | None:
        try:
            piece = next(self._stream, None)
        except DAMAGE as problem:
            raise report(self._ctx, self._sha256, self._location, problem) from problem
        if piece is not None and self._expected is not None:
            self._digest.update(piece)
        return piece

    def _verify(self, expected: str) -> None:
        if self._digest.hexdigest() != expected:
            self.close()
            problem = BlobCorrupt(f"The bytes at {self._location} do not match their hash.")
            raise report(self._ctx, self._sha256, self._location, problem)
        if self._ctx.integrity.has_damage():
            # It may have been restored in its place.
            damage.clear_if_listed(self._ctx, expected)
        if self._fingerprint is not None:
            self._ctx.integrity.verified(self._location, self._fingerprint, self._ctx.clock.now())
