"""Recovery codes: 80 random bits that people can copy by hand, each good for one login.

They are written in the 32 characters of Crockford, which leave out those that are easily taken for another.
"""

import hmac
from typing import Final

from skyshelf.service.context import Randomness

HOW_MANY: Final = 10
_CHARACTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans("OIL", "011")
_LENGTH, _GROUP = 16, 4


def new_codes(randomness: Randomness) -> list[str]:
    """A set of codes, in groups that the eye can follow."""
    return [_grouped(randomness.bytes(_LENGTH)) for _ in range(HOW_MANY)]


def _grouped(noise: bytes) -> str:
    # A byte has eight times as many values as there are characters, so that each is as likely as any other.
    text = "".join(_CHARACTERS[byte % len(_CHARACTERS)] for byte in noise)
    return "-".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


def plain(code: str) -> str:
    """A code as it is compared: without blanks and hyphens, in capitals."""
    return "".join(code.split()).replace("-", "").upper()


def digest(secret: bytes, account_key: str, code: str) -> bytes:
    """What is stored of a code: worth nothing for another account, nor to who has the table alone."""
    text = f"recovery {account_key} {plain(code).translate(_MISREAD)}"
    return hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")
