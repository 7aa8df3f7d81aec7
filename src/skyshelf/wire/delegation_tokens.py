"""The tokens of delegations: a chain of MACs that can only get longer.

    skyd1.<seed>[.<caveat>…].<signature>

The seed is random and names the delegation. A server derives the key of the first signature from the seed and its own
secret, and each caveat is signed with the signature before it. So anyone who has a token can add a caveat, and nobody
can leave one out: the signature that the caveat replaced is no longer known. Parts are base64url without padding.
"""

import base64
import binascii
import hashlib
import hmac
from typing import Final, NamedTuple

import msgspec

from skyshelf.wire.leave import TOKEN_PREFIX, is_token
from skyshelf.wire.limits import DELEGATION_CAVEATS_MAX, DELEGATION_TOKEN_CHARS_MAX
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.delegations import Caveat

SEED_BYTES: Final = 24
_SIGNATURE_BYTES: Final = 32
_FIRST: Final = b"skyshelf delegation 1 "
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Caveat).decode


class Token(NamedTuple):
    """The parts of a token; nothing says yet whether it is valid."""

    seed: bytes
    caveats: tuple[bytes, ...]
    signature: bytes

    @property
    def text(self) -> str:
        return TOKEN_PREFIX + ".".join(map(_text, (self.seed, *self.caveats, self.signature)))

    def signatures(self, key: bytes) -> list[bytes]:
        """Return the signatures of the chain under the key of its delegation, the first without any caveat."""
        chain = [hmac.digest(key, _FIRST + self.seed, hashlib.sha256)]
        for caveat in self.caveats:
            chain.append(hmac.digest(chain[-1], caveat, hashlib.sha256))
        return chain


def first_token(seed: bytes, key: bytes) -> Token:
    """Return the token of a new delegation."""
    unsigned = Token(seed, (), b"")
    return unsigned._replace(signature=unsigned.signatures(key)[-1])


def read_token(text: str) -> Token:
    """Return the parts of a token; raise InvalidRequest for a text that cannot be one."""
    parts = text[len(TOKEN_PREFIX) :].split(".") if len(text) <= DELEGATION_TOKEN_CHARS_MAX and is_token(text) else []
    try:
        seed, *caveats, signature = (base64.b64decode(_padded(part), altchars=b"-_", validate=True) for part in parts)
    except (binascii.Error, ValueError):
        raise InvalidRequest("This is not the token of a delegation: copy the whole of it") from None
    token = Token(seed, tuple(caveats), signature)
    is_spelled_so = token.text == text
    if len(seed) != SEED_BYTES or len(signature) != _SIGNATURE_BYTES or not is_spelled_so:
        raise InvalidRequest("This is not the token of a delegation: copy the whole of it")
    if len(caveats) > DELEGATION_CAVEATS_MAX:
        raise InvalidRequest(f"A delegation can be narrowed {DELEGATION_CAVEATS_MAX} times")
    return token


def caveats_of(token: Token) -> list[Caveat]:
    """Return what a token gives up, in order; raise InvalidRequest for what this version does not know."""
    try:
        return [_decode(caveat) for caveat in token.caveats]
    except (msgspec.MsgspecError, UnicodeDecodeError, InvalidRequest) as unknown:
        raise InvalidRequest("The token has a limit that is not known here: use it with a newer server") from unknown


def narrowed(text: str, caveat: Caveat) -> str:
    """Return a token that may do less than another one, without asking a server."""
    token = read_token(text)
    added = _encode(caveat)
    signature = hmac.digest(token.signature, added, hashlib.sha256)
    narrower = Token(token.seed, (*token.caveats, added), signature).text
    # As long and as many as a server reads.
    read_token(narrower)
    return narrower


def _text(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


def _padded(part: str) -> str:
    return part + "=" * (-len(part) % 4)
