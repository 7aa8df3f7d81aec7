"""Recovery codes: 80 random bits that people can copy by hand, each valid for one login.

They use Crockford's 32 characters, which leave out those that are easily confused.
"""

import hmac
from typing import Final

from skyshelf.service.context import Randomness

COUNT: Final = 10
_CHARACTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans("OIL", "011")
_LENGTH, _GROUP = 16, 4


def new_codes(randomness: Randomness) -> list[str]:
    """A set of codes in readable groups."""
    return [_grouped(randomness.bytes(_LENGTH)) for _ in range(COUNT)]


def _grouped(noise: bytes) -> str:
    # A byte has exactly eight times as many values as there are characters, so all are equally likely.
    text = "".join(_CHARACTERS[byte % len(_CHARACTERS)] for byte in noise)
    return "-".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


def plain(code: str) -> str:
    """A code as it is compared: without spaces and hyphens, in capitals."""
    return "".join(code.split()).replace("-", "").upper()


def digest(secret: bytes, account_key: str, code: str) -> bytes:
    """The stored digest of a code. It is useless for another account, and without the server's secret."""
    text = f"recovery {account_key} {plain(code).translate(_MISREAD)}"
    return hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")
