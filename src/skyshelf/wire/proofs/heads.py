"""Heads of the log of an account, and the keys that sign them.

A head is a text in the format of checkpoints (C2SP tlog-checkpoint, a signed note), so that other tools can read,
countersign and timestamp it: the log, how many changes it has, its root, then the number of its first change and the
time. A signature is a line below an empty one.
"""

import base64
import binascii
import hashlib
import re
from typing import Final

import msgspec

KEY_NAME: Final = "skyshelf-history"
NOTE_BYTES_MAX: Final = 4096
_ED25519: Final = b"\x01"
_KEY_HASH_BYTES: Final = 4
_SIGNATURE_BYTES: Final = 64
_NUMBER: Final = r"(?:0|[1-9][0-9]{0,17})"
_TEXT: Final = re.compile(
    rf"{KEY_NAME}/(?P<log>[0-9A-F]{{32}})\n(?P<size>{_NUMBER})\n(?P<root>[A-Za-z0-9+/]{{43}}=)\n"
    rf"start (?P<start>{_NUMBER})\ntime (?P<time>{_NUMBER})\n"
)
_SIGNATURE: Final = re.compile(r"\u2014 (?P<name>[^\s+]+) (?P<value>[A-Za-z0-9+/=]+)")


class Head(msgspec.Struct, frozen=True):
    """The state of a log at a time: the tree of its first `size` changes, which start with the number `start`."""

    log: str
    size: int
    root: bytes
    start: int
    time: int

    @property
    def newest(self) -> int:
        """The number of the last change that is in it."""
        return self.start + self.size - 1

    def text(self) -> bytes:
        """Return the text that is signed."""
        root = base64.b64encode(self.root).decode()
        return f"{KEY_NAME}/{self.log}\n{self.size}\n{root}\nstart {self.start}\ntime {self.time}\n".encode()


class SignedHead(msgspec.Struct, frozen=True):
    """A head with its signature: the first four bytes of the key's id, and 64 bytes."""

    head: Head
    key_hash: bytes
    signature: bytes

    def note(self) -> str:
        signed = base64.b64encode(self.key_hash + self.signature).decode()
        return f"{self.head.text().decode()}\n\u2014 {KEY_NAME} {signed}\n"


def read_note(note: str) -> SignedHead:
    """Parse a head that `note` wrote; further signatures are ignored. Raises ValueError for anything else."""
    if len(note) > NOTE_BYTES_MAX:
        raise ValueError("it is too long for a head")
    text, separator, signatures = note.partition("\n\n")
    found = _TEXT.fullmatch(f"{text}\n")
    if found is None or not separator:
        raise ValueError("it is not a head of a history")
    for line in signatures.splitlines():
        signed = _SIGNATURE.fullmatch(line)
        value = b"" if signed is None else _decoded(signed["value"])
        if signed is not None and signed["name"] == KEY_NAME and len(value) == _KEY_HASH_BYTES + _SIGNATURE_BYTES:
            head = Head(
                found["log"], int(found["size"]), _decoded(found["root"]), int(found["start"]), int(found["time"])
            )
            return SignedHead(head, value[:_KEY_HASH_BYTES], value[_KEY_HASH_BYTES:])
    raise ValueError("it has no signature")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""


# Keys.


def key_id(public: bytes) -> str:
    """Return the id of a public key; it begins with the hash that signatures carry."""
    return hashlib.sha256(f"{KEY_NAME}\n".encode() + _ED25519 + public).hexdigest()[:32]


def key_hash(identifier: str) -> bytes:
    """Return the part of the key's id that signatures carry."""
    return bytes.fromhex(identifier)[:_KEY_HASH_BYTES]


def succession(former: str, public: bytes, created_at: int) -> bytes:
    """Return the text that a key signs to name its successor."""
    encoded = base64.b64encode(public).decode()
    return f"{KEY_NAME} key\nafter {former}\nkey {encoded}\ntime {created_at}\n".encode()
