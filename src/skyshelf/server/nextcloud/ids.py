"""Ids of files as Nextcloud's clients know them: a number, and a text that is unique for certain.

Both are made of the object's key, so they survive moves and cost no row. A key begins with its millisecond; 41 bits of
that and the 22 random bits that follow make a positive 64-bit number, and lead back to the key in an index.
"""

import base64
from typing import Final

from skyshelf.service.context import ServiceContext
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.storage.metadata.store import Unit

SETTING: Final = "nextcloud.instance"
_MS_BITS: Final = 41
_A_BITS, _B_BITS = 12, 10
_NUMBER_DIGITS_MAX: Final = 19


def number_of(object_key: str) -> int:
    """The numeric id of an object."""
    whole = int(object_key, 16)
    ms, a, b = whole >> 80, whole >> 64 & 0xFFF, whole >> 52 & 0x3FF
    return (ms % (1 << _MS_BITS)) << (_A_BITS + _B_BITS) | a << _B_BITS | b


def id_of(object_key: str, instance: str) -> str:
    """The id as a text: number and instance as everywhere, and the rest of the key, so that no two are alike."""
    return f"{number_of(object_key):08}{instance}{object_key[-13:].lower()}"


def keys_of(number: str) -> tuple[str, str] | None:
    """The first and the last key that can have this number; None for what is no number."""
    if not number.isascii() or not number.isdigit() or len(number) > _NUMBER_DIGITS_MAX or int(number) >> 63:
        return None
    value = int(number)
    ms, a, b = value >> (_A_BITS + _B_BITS), value >> _B_BITS & 0xFFF, value & 0x3FF
    # Version 7 and variant 2 of RFC 9562 stand between the parts.
    begin = ms << 80 | 0x7 << 76 | a << 64 | 0b10 << 62 | b << 52
    return f"{begin:032X}", f"{begin | (1 << 52) - 1:032X}"


def key_of(unit: Unit, account_id: int, number: str) -> str | None:
    """The key of the account's object with this number, if there is one, whatever its state."""
    keys = keys_of(number)
    return None if keys is None else unit.tree.first_key_between(account_id, keys)


def instance_of(ctx: ServiceContext) -> str:
    """The name of this installation in the ids; for a worker thread."""
    secret = get_or_create_secret(ctx, SETTING)
    return "oc" + base64.b32encode(secret[:10]).decode().lower()[:10]
