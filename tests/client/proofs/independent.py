"""A verifier written from docs/history-proof.md alone; it shares no code with the client.

`get` sends a GET request to `/x/v1/history/proof/…` and returns the JSON of its answer.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Get = Callable[..., Any]


class Seen:
    """What a machine keeps: heads, ids of keys, and from where on records are kept, for how many days."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.keys: list[str] = []
        self.kept_from = 1
        self.days = 0


def verify(get: Get, seen: Seen | None = None) -> tuple[int, int]:
    """Return how many changes and records the log has; some exception if anything is wrong.

    The changes of the tests are young: none may be gone that was seen.
    """
    seen = seen or Seen()
    head, published = get("head"), get("keys")["keys"]
    if "note" not in head:
        assert not seen.notes
        return 0, 0
    log, size, root, start, signer = _read_head(head["note"], published)
    ids = [key["keyId"] for key in published]
    assert set(seen.keys) <= set(ids)
    assert not seen.notes or head["keptFrom"] <= seen.kept_from
    assert head["days"] >= seen.days
    hashes: list[bytes] = []
    records = 0
    while len(hashes) < size:
        for leaf in get("leaves", number=start + len(hashes), limit=100)["leaves"]:
            assert leaf["number"] == start + len(hashes)
            hashes.append(_decoded(leaf["hash"]))
            if leaf["number"] < head["keptFrom"]:
                assert "record" not in leaf
                continue
            records += 1
            body = _decoded(leaf["record"])
            content = [1, leaf["number"], leaf["date"], hashlib.sha256(body).digest()]
            assert hashes[-1] == _sha(b"\0", msgspec.msgpack.encode(content))
            _check_body(body)
    hashes = hashes[:size]
    assert _root(hashes) == root
    for note in seen.notes:
        old_log, old_size, old_root, old_start, old_signer = _read_head(note, published)
        assert (old_log, old_start) == (log, start)
        assert old_size <= size
        assert ids.index(old_signer) <= ids.index(signer)
        assert _root(hashes[:old_size]) == old_root
        assert _hashes(get("consistency", oldSize=old_size, size=size)) == _consistency(old_size, hashes, whole=True)
    for index in range(0, size, 7):
        assert _hashes(get("inclusion", number=start + index, size=size)) == _inclusion(index, hashes)
    seen.notes, seen.keys = [*seen.notes, head["note"]], [*seen.keys, signer]
    seen.kept_from, seen.days = max(start, head["keptFrom"]), head["days"]
    return size, records


def _read_head(note: str, keys: list[dict[str, Any]]) -> tuple[str, int, bytes, int, str]:
    """Return the log, the size, the root, the number of the first change and the key of a head that is signed well."""
    text, signature = note.split("\n\n")
    text += "\n"
    log, size_line, root_line, start_line, time_line = text.splitlines()
    assert log.startswith("skyshelf-history/")
    signer = _check_signature(keys, text, signature, int(time_line.removeprefix("time ")))
    return log, int(size_line), _decoded(root_line), int(start_line.removeprefix("start ")), signer


def _check_signature(keys: list[dict[str, Any]], text: str, line: str, time: int) -> str:
    for former, key in zip([None, *keys], keys, strict=False):
        public = _decoded(key["publicKey"])
        assert key["keyId"] == _sha(b"skyshelf-history\n\x01", public).hex()[:32]
        if former is not None:
            succession = (
                f"skyshelf-history key\nafter {former['keyId']}\nkey {key['publicKey']}\ntime {key['createdDate']}\n"
            )
            _verify(former, _decoded(key["signature"]), succession)
    dash, name, value = line.strip().split(" ")
    assert (dash, name) == ("—", "skyshelf-history")
    [signer] = [key for key in keys if bytes.fromhex(key["keyId"])[:4] == _decoded(value)[:4]]
    assert time <= signer.get("retiredDate", time)
    _verify(signer, _decoded(value)[4:], text)
    return str(signer["keyId"])


def _verify(key: dict[str, Any], signature: bytes, text: str) -> None:
    Ed25519PublicKey.from_public_bytes(_decoded(key["publicKey"])).verify(signature, text.encode())


def _check_body(body: bytes) -> None:
    layout, kind, object_key, actor, before, after = msgspec.msgpack.decode(body)
    assert (layout, type(kind), len(object_key), type(actor)) == (1, str, 16, str)
    if after is not None:
        fields = msgspec.msgpack.decode(after)
        assert len(fields) == 11
        _check_object(fields[0], fields[2], fields[3], fields[6], fields[7])
    if before is not None and kind != "emptied":
        fields = msgspec.msgpack.decode(before)
        assert len(fields) == 25
        _check_object(fields[0], fields[2], fields[3], fields[8], fields[9])


def _check_object(layout: int, is_folder: bool, status: str, sha256: bytes | None, md5: bytes | None) -> None:
    assert (layout, status in set("ATP")) == (1, True)
    if is_folder:
        assert (sha256, md5) == (None, None)
    else:
        assert (len(sha256 or b""), len(md5 or b"")) == (32, 16)


# RFC 6962, section 2.1, with leaves that are hashed already.


def _split(hashes: Sequence[bytes]) -> int:
    return 1 << (len(hashes) - 1).bit_length() - 1


def _root(hashes: Sequence[bytes]) -> bytes:
    if len(hashes) == 1:
        return hashes[0]
    return _sha(b"\1", _root(hashes[: _split(hashes)]), _root(hashes[_split(hashes) :]))


def _inclusion(index: int, hashes: Sequence[bytes]) -> list[bytes]:
    if len(hashes) == 1:
        return []
    left, right = hashes[: _split(hashes)], hashes[_split(hashes) :]
    if index < len(left):
        return [*_inclusion(index, left), _root(right)]
    return [*_inclusion(index - len(left), right), _root(left)]


def _consistency(old: int, hashes: Sequence[bytes], *, whole: bool) -> list[bytes]:
    if old == len(hashes):
        return [] if whole else [_root(hashes)]
    left, right = hashes[: _split(hashes)], hashes[_split(hashes) :]
    if old <= len(left):
        return [*_consistency(old, left, whole=whole), _root(right)]
    return [*_consistency(old - len(left), right, whole=False), _root(left)]


def _hashes(answer: dict[str, Any]) -> list[bytes]:
    return [_decoded(one) for one in answer["hashes"]]


def _sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _decoded(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
