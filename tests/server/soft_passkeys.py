"""An authenticator in software: it makes passkeys and signs challenges as a browser with a security key does.

Everything that a browser or a key decides can be set, so a test can be as hostile as it likes.
"""

import base64
import hashlib
import json
import struct
from itertools import count
from typing import Any

import httpx2
import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from tests.server.answers import answer_of
from tests.server.api import PASSWORD, Api

from skyshelf.storage.metadata.contracts.sessions import NewPasskey

PATH = "/x/v1/account/passkeys"
LOGIN = "/x/v1/login/passkey"
HOST = "localhost"
ORIGIN = f"http://{HOST}"
AT_HOST = {"host": HOST}
"""Browsers offer passkeys over https, and on localhost."""
UP, UV, BE, BS, AT = 1, 4, 8, 16, 64
# No two keys of a test may be the same: the address of an object may be, once the other is gone.
_NUMBERS = count()


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class SoftKey:
    """One passkey, with its private key."""

    def __init__(self, user_handle: bytes, *, id_bytes: int = 32, counts: bool = True) -> None:
        seed = str(next(_NUMBERS)).encode() + user_handle
        self.credential_id = hashlib.shake_128(seed).digest(id_bytes)
        # 31 bytes are less than the order of the curve.
        self.private = ec.derive_private_key(int.from_bytes(hashlib.shake_256(seed).digest(31), "big"), ec.SECP256R1())
        self.user_handle = user_handle
        self.counts = counts
        self.counter = 0
        self.flags = UP | UV

    @property
    def public(self) -> dict[int, Any]:
        numbers = self.private.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}

    def data(self, host: str, flags: int, more: bytes = b"") -> bytes:
        if self.counts:
            self.counter += 1
        return hashlib.sha256(host.encode()).digest() + struct.pack(">BI", flags, self.counter) + more

    def attested(self, public: dict[int, Any] | None = None) -> bytes:
        key = cbor.encode(self.public if public is None else public)
        return bytes(16) + struct.pack(">H", len(self.credential_id)) + self.credential_id + key

    def created(self, options: dict[str, Any], **changed: Any) -> dict[str, Any]:
        """What `navigator.credentials.create` returns."""
        how = _How(kind="webauthn.create", **changed)
        flags = (self.flags if how.flags is None else how.flags) | AT
        data = self.data(how.host, flags, self.attested(how.public))
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        return {
            "id": b64(self.credential_id),
            "rawId": b64(self.credential_id),
            "type": "public-key",
            "response": {
                "clientDataJSON": b64(_client_data(options, how)),
                "attestationObject": b64(attestation if how.raw is None else how.raw),
                "transports": ["internal", "hybrid"],
            },
            "clientExtensionResults": {"credProps": {"rk": how.is_resident}},
        }

    def signed(self, options: dict[str, Any], **changed: Any) -> dict[str, Any]:
        """What `navigator.credentials.get` returns."""
        how = _How(kind="webauthn.get", **changed)
        page = _client_data(options, how)
        data = self.data(how.host, self.flags if how.flags is None else how.flags)
        algorithm = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
        signature = self.private.sign(data + hashlib.sha256(page).digest(), algorithm)
        return {
            "id": b64(self.credential_id),
            "rawId": b64(self.credential_id),
            "type": "public-key",
            "response": {
                "clientDataJSON": b64(page),
                "authenticatorData": b64(data),
                "signature": b64(how.signature or signature),
                **({"userHandle": b64(self.user_handle)} if how.has_handle else {}),
            },
            "clientExtensionResults": {},
        }


class _How(msgspec.Struct, kw_only=True):
    """What a hostile browser or key says instead of the truth."""

    kind: str
    origin: str = ORIGIN
    host: str = HOST
    challenge: str | None = None
    flags: int | None = None
    cross_origin: bool = False
    is_resident: bool = True
    has_handle: bool = True
    signature: bytes = b""
    public: dict[int, Any] | None = None
    raw: bytes | None = None


def _client_data(options: dict[str, Any], how: _How) -> bytes:
    said = {
        "type": how.kind,
        "challenge": options["challenge"] if how.challenge is None else how.challenge,
        "origin": how.origin,
        "crossOrigin": how.cross_origin,
    }
    return json.dumps(said).encode()


# Calls


def begin(api: Api, **proof: Any) -> httpx2.Response:
    return api.post(f"{PATH}/begin", json=proof or {"password": PASSWORD}, headers=AT_HOST)


def begun(api: Api, **proof: Any) -> dict[str, Any]:
    options: dict[str, Any] = answer_of(begin(api, **proof), "begin_passkey")
    return options


def add(api: Api, credential: dict[str, Any], name: str = "Key") -> httpx2.Response:
    return api.post(PATH, json={"name": name, "credential": credential}, headers=AT_HOST)


def added(api: Api, name: str = "Key", **changed: Any) -> SoftKey:
    """A new passkey of the account."""
    key = SoftKey(bytes.fromhex(api.account.account_key), counts=changed.pop("counts", True))
    key.flags = changed.pop("always", key.flags)
    answer_of(add(api, key.created(begun(api), **changed), name), "add_passkey")
    return key


def listed(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get(PATH), "passkeys")["passkeys"]
    return found


def key_of(api: Api, name: str = "Key") -> str:
    key: str = next(one["passkeyKey"] for one in listed(api) if one["name"] == name)
    return key


def challenge(api: Api) -> dict[str, Any]:
    """For a change in this session."""
    options: dict[str, Any] = answer_of(api.post(f"{PATH}/challenge", headers=AT_HOST), "passkey_challenge")
    return options


def login_challenge(api: Api) -> dict[str, Any]:
    answer = api.client.post(f"{LOGIN}/begin", headers=AT_HOST)
    options: dict[str, Any] = answer_of(answer, "begin_passkey_login")
    return options


def enter(api: Api, assertion: dict[str, Any], **more: Any) -> httpx2.Response:
    """A login with a passkey, by somebody without a session."""
    response: httpx2.Response = api.client.post(LOGIN, json={"passkey": assertion, **more}, headers=AT_HOST)
    return response


def remove(api: Api, passkey_key: str, **proof: Any) -> httpx2.Response:
    return api.post(f"{PATH}/{passkey_key}/removal", json=proof or {"password": PASSWORD}, headers=AT_HOST)


def stored_passkey(api: Api, name: str = "Stored") -> str:
    """A passkey straight in the store, with which nobody can sign; its key."""
    new = NewPasskey(
        passkey_key=api.ctx.new_key(),
        credential_id=api.ctx.randomness.bytes(16),
        public_key=b"key",
        sign_count=0,
        host=HOST,
        name=name,
        transports="usb nfc",
        is_discoverable=True,
        is_verifying=True,
        can_be_backed_up=False,
        is_backed_up=False,
    )
    now = api.ctx.clock.now()
    assert api.ctx.metadata.write(lambda unit: unit.passkeys.add(api.account.account_id, new, now))
    return new.passkey_key
