"""Encryption to age recipients, and the names that contents have with and without it.

The format is age's own (https://age-encryption.org/v1): every blob and every pack can be opened with the `age` tool.
"""

import hashlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from skyshelf.backup.places import BackupRefused, CutDamaged

KEY_BYTES: Final = 32
_SMALL: Final = 1024 * 1024
_BLOCK: Final = 1024 * 1024
_WAITING: Final = 4
_STOPPED: Final = 0.2


class Names:
    """The names of contents: their SHA-256, or a digest that only the key gives."""

    def __init__(self, key: bytes | None) -> None:
        self.key = key

    def of(self, sha256: bytes) -> bytes:
        if self.key is None:
            return sha256
        return hashlib.blake2b(sha256, key=self.key, digest_size=32).digest()


class Plain:
    """No encryption."""

    def seal(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        return iter(chunks)

    def open(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        return iter(chunks)


class AgeSealer:
    """Encrypts to recipients."""

    def __init__(self, recipients: Sequence[str]) -> None:
        self._recipients = [_recipient(one) for one in recipients]

    def seal(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        import pyrage

        first, rest = _beginning(chunks)
        if rest is None:
            return iter((pyrage.encrypt(first, self._recipients),))
        return _piped(rest, lambda reader, writer: pyrage.encrypt_io(reader, writer, self._recipients))


class AgeOpener:
    """Decrypts with identities."""

    def __init__(self, identities: Sequence[Any]) -> None:
        self._identities = identities

    def open(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the plain bytes; CutDamaged when they are not what was sealed."""
        import pyrage

        try:
            first, rest = _beginning(chunks)
            if rest is None:
                yield pyrage.decrypt(first, self._identities)
            else:
                yield from _piped(rest, lambda reader, writer: pyrage.decrypt_io(reader, writer, self._identities))
        except pyrage.DecryptError as error:
            raise CutDamaged("it cannot be decrypted: it is damaged, or for another identity") from error


Sealer = Plain | AgeSealer
Opener = Plain | AgeOpener


def open_identities(path: Path) -> AgeOpener:
    """Return the identities of a file as age-keygen writes it, or an SSH key without a passphrase."""
    import pyrage

    try:
        if path.read_bytes().startswith(b"-----BEGIN"):
            return AgeOpener([pyrage.ssh.Identity.from_buffer(path.read_bytes())])
        return AgeOpener([pyrage.x25519.Identity.from_str(line) for line in recipients_in(path)])
    except pyrage.IdentityError as error:
        raise BackupRefused(f"{path} has no age identities: age-keygen writes such a file ({error})") from error


def recipients_in(path: Path) -> list[str]:
    """Return the lines of a file without comments (#), as `age -R` reads recipients."""
    try:
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BackupRefused(f"{path} cannot be read: {error}") from error
    return [line for line in lines if line and not line.startswith("#")]


def _recipient(text: str) -> Any:
    import pyrage

    try:
        if text.startswith("ssh-"):
            return pyrage.ssh.Recipient.from_str(text)
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError as error:
        raise BackupRefused(f"'{text}' is not an age recipient (age1…): age-keygen prints one") from error


def _beginning(chunks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes] | None]:
    """Return all bytes of something small; of something large nothing, and an iterator over all of it."""
    coming = iter(chunks)
    begun = []
    size = 0
    for chunk in coming:
        begun.append(chunk)
        size += len(chunk)
        if size > _SMALL:
            return b"", chain(begun, coming)
    return b"".join(begun), None


class _Reader:
    """The chunks as a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = b""
        self.error: BaseException | None = None

    def read(self, size: int = -1) -> bytes:
        if not self._left:
            try:
                self._left = next(self._chunks, b"")
            except BaseException as error:
                self.error = error
                raise
        if size < 0:
            size = len(self._left)
        taken, self._left = self._left[:size], self._left[size:]
        return taken


class _Writer:
    """A file whose blocks another thread takes."""

    def __init__(self) -> None:
        self.blocks: queue.Queue[bytes | BaseException | None] = queue.Queue(_WAITING)
        self.stopped = False
        self._block = bytearray()

    def write(self, data: bytes) -> int:
        self._block += data
        if len(self._block) >= _BLOCK:
            self.flush()
        return len(data)

    def flush(self) -> None:
        if self._block:
            self.hand_over(bytes(self._block))
            self._block.clear()

    def hand_over(self, block: bytes | BaseException | None) -> None:
        while True:
            if self.stopped:
                raise BrokenPipeError
            try:
                self.blocks.put(block, timeout=_STOPPED)
            except queue.Full:
                continue
            return


def _piped(chunks: Iterator[bytes], work: Callable[[_Reader, _Writer], None]) -> Iterator[bytes]:
    """Yield what the work writes while it reads the chunks, in its own thread; a few blocks are held at most."""
    reader, writer = _Reader(chunks), _Writer()

    def run() -> None:
        ended: BaseException | None = None
        try:
            work(reader, writer)
            writer.flush()
        except BaseException as error:  # noqa: BLE001 - it is raised where the blocks are taken
            ended = reader.error or error
        try:
            writer.hand_over(ended)
        except BrokenPipeError:
            return

    thread = threading.Thread(target=run, daemon=True, name="backup-age")
    thread.start()
    try:
        while True:
            block = writer.blocks.get()
            if block is None:
                return
            if isinstance(block, BaseException):
                raise block
            yield block
    finally:
        writer.stopped = True
        thread.join()
