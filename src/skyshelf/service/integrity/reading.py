"""Reads on behalf of users: damage becomes an error, a line in the log and an entry in the list of damage.

A read of a whole content never succeeds with wrong bytes. If the content was not verified recently, it is hashed while
it is sent, and its last piece is sent only if the hash is right: the receiver sees a transfer that broke off.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError, StoreUnavailable
from skyshelf.wire.limits import KIB, MIB

VERIFIED_FIRST_MAX = 8 * MIB
"""Content up to this size is hashed before its first byte is sent, so damage becomes a proper error."""
SMALL_MAX = 64 * KIB
AT_ONCE_MAX = 256 * KIB
"""Content up to this size is hashed in a fraction of a millisecond."""

DAMAGE = (BlobMissing, BlobCorrupt, BadLocation)


def check(ctx: ServiceContext, sha256: str, location: str) -> str | None:
    """Raise if the content is missing, truncated or known to be damaged; returns its fingerprint."""
    try:
        fingerprint = ctx.blobs.fingerprint(location)
    except DAMAGE as problem:
        raise report(ctx, sha256, location, problem) from problem
    if ctx.integrity.has_damage() and ctx.integrity.is_refused(location, fingerprint, ctx.clock.now()):
        ctx.integrity.count_damaged_read()
        raise BlobCorrupt(f"The content at {location} is known to be damaged.")
    return fingerprint


def check_size(ctx: ServiceContext, sha256: str, location: str) -> None:
    """Raise if the content is missing, truncated or known to be damaged, for stores without fingerprints as well."""
    check(ctx, sha256, location)
    try:
        ctx.blobs.size(location)
    except DAMAGE as problem:
        raise report(ctx, sha256, location, problem) from problem


def is_verified(ctx: ServiceContext, sha256: str, location: str) -> bool:
    """Whether the content was verified recently, and its file is unchanged since; raises if it is damaged."""
    return ctx.integrity.is_trusted(location, check(ctx, sha256, location), ctx.clock.now())


def verify_first(ctx: ServiceContext, sha256: str, location: str, size: int) -> bool:
    """Whether a file of this machine can be sent directly; raises if it is damaged.

    False for a large one that was not verified recently: it is verified while it is sent.
    """
    fingerprint = check(ctx, sha256, location)
    if ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now()):
        return True
    if fingerprint is None or size > VERIFIED_FIRST_MAX:
        return False
    with closing(VerifiedStream(ctx, _open(ctx, sha256, location, 0, None), sha256, location, fingerprint)) as stream:
        for _ in stream:
            pass
    return True


def read(
    ctx: ServiceContext, sha256: str, location: str, size: int, *, start: int = 0, length: int | None = None
) -> ByteStream:
    """Read content or a range of it; a read of the whole is verified. Known damage is refused for any range."""
    is_whole = start == 0 and (length is None or length == size)
    # Small content is hashed in less time than the check takes.
    looks = size > SMALL_MAX or ctx.integrity.has_damage()
    fingerprint = check(ctx, sha256, location) if looks else None
    is_trusted = ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now())
    if not is_whole and not is_trusted:
        _refuse_listed(ctx, sha256, location, fingerprint)
    stream = _open(ctx, sha256, location, start, length)
    return VerifiedStream(ctx, stream, sha256, location, fingerprint, is_verified=is_whole and not is_trusted)


def read_at_once(
    ctx: ServiceContext, sha256: str, location: str, size: int, *, start: int, length: int
) -> bytes | None:
    """Return the bytes if reading and verifying them will not block; None if it might, or if they are damaged."""
    if length > AT_ONCE_MAX or ctx.integrity.has_damage():
        return None
    try:
        cached = ctx.blobs.read_if_cached(location, start, length)
    except DAMAGE:
        return None
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
    """Return a descriptor of the whole content if sending it will not block; None if it might, or it is unverified."""
    if size > AT_ONCE_MAX or ctx.integrity.has_damage():
        return None
    try:
        opened = ctx.blobs.open_if_cached(location)
    except DAMAGE:
        return None
    if opened is None:
        return None
    fingerprint, file = opened
    if ctx.integrity.is_trusted(location, fingerprint, ctx.clock.now()):
        return file
    os.close(file)
    return None


def _refuse_listed(ctx: ServiceContext, sha256: str, location: str, fingerprint: str | None) -> None:
    """Raise if another process has found damage. A part cannot be verified, but clients that resume get the error."""
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
    """Record damage that a read has found; returns the error to raise."""
    if not damage.note(ctx, sha256, location, damage.fault_of(problem)):
        # A new copy has replaced it, or the file was deleted: the next request sees the current state.
        return StoreUnavailable(f"The content at {location} has another place now.")
    ctx.integrity.count_damaged_read()
    return problem


@dataclass(eq=False)
class VerifiedStream:
    """The pieces of a stream. The last piece of a whole content is yielded only if the hash of all is right."""

    ctx: ServiceContext
    stream: ByteStream
    sha256: str
    location: str
    fingerprint: str | None
    is_verified: bool = True

    def __post_init__(self) -> None:
        self._digest = hashlib.sha256()
        self._held: bytes | None = None
        self._has_begun = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if not self.is_verified:
            piece = self._pull()
        else:
            if not self._has_begun:
                self._has_begun = True
                self._held = self._pull()
            piece, self._held = self._held, self._pull() if self._held is not None else None
            if piece is not None and self._held is None:
                self._verify()
        if piece is None:
            raise StopIteration
        return piece

    def close(self) -> None:
        self._held = None
        self.stream.close()

    def _pull(self) -> bytes | None:
        try:
            piece = next(self.stream, None)
        except DAMAGE as problem:
            raise report(self.ctx, self.sha256, self.location, problem) from problem
        if piece is not None and self.is_verified:
            self._digest.update(piece)
        return piece

    def _verify(self) -> None:
        if self._digest.hexdigest() != self.sha256:
            self.close()
            problem = BlobCorrupt(f"The bytes at {self.location} do not match their hash.")
            raise report(self.ctx, self.sha256, self.location, problem)
        if self.ctx.integrity.has_damage():
            # It may have been restored at the same location.
            damage.clear_if_listed(self.ctx, self.sha256)
        if self.fingerprint is not None:
            self.ctx.integrity.verified(self.location, self.fingerprint, self.ctx.clock.now())
