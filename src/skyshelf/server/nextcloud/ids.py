"""Ids of files as Nextcloud's clients know them: a number, and a string that is certainly unique.

Both derive from the object's key, so they survive moves and need no row. A key begins with its millisecond; 41 bits of
that and the 22 random bits that follow make a positive 64-bit number, and lead back to the key in an index.
"""

import base64
from typing import Final

from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secret_table import NEXTCLOUD
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

SETTING: Final = NEXTCLOUD
_MS_BITS: Final = 41
_A_BITS, _B_BITS = 12, 10
_NUMBER_DIGITS_MAX: Final = 19


def number_of(object_key: str) -> int:
    whole = int(object_key, 16)
    ms, a, b = whole >> 80, whole >> 64 & 0xFFF, whole >> 52 & 0x3FF
    return (ms % (1 << _MS_BITS)) << (_A_BITS + _B_BITS) | a << _B_BITS | b


def id_of(object_key: str, instance: str) -> str:
    """Return the id as a string: the usual number and instance, and the rest of the key to make it unique."""
    return f"{number_of(object_key):08}{instance}{object_key[-13:].lower()}"


def keys_of(number: str) -> tuple[str, str] | None:
    """Return the first and the last key that can have this number; None if it is not a number."""
    if not number.isascii() or not number.isdigit() or len(number) > _NUMBER_DIGITS_MAX or int(number) >> 63:
        return None
    value = int(number)
    ms, a, b = value >> (_A_BITS + _B_BITS), value >> _B_BITS & 0xFFF, value & 0x3FF
    # Version 7 and variant 2 of RFC 9562 stand between the parts.
    begin = ms << 80 | 0x7 << 76 | a << 64 | 0b10 << 62 | b << 52
    return f"{begin:032X}", f"{begin | (1 << 52) - 1:032X}"


def key_of(unit: Unit, account_id: int, number: str) -> str | None:
    """Return the key of the account's object with this number, if there is one, whatever its state."""
    keys = keys_of(number)
    return None if keys is None else unit.tree.first_key_between(account_id, keys)


def instance_of(ctx: ServiceContext) -> str:
    """Return the name of this installation in the ids; for a worker thread."""
    secret = ctx.secret(SETTING)
    return "oc" + base64.b32encode(secret[:10]).decode().lower()[:10]


def visible(unit: Unit, app: App, number: str) -> StoredObject:
    """Return the object with this number; raise OBJECT_NOT_FOUND if the app sees none."""
    account_id = app.caller.account_id
    key = key_of(unit, account_id, number)
    if key is None:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    try:
        stored = unit.tree.visible(account_id, key)
    except ObjectMissing as missing:
        raise ServiceError(codes.OBJECT_NOT_FOUND) from missing
    if not is_within(unit, app, stored):
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return stored


def visible_file(unit: Unit, app: App, number: str) -> StoredObject:
    stored = visible(unit, app, number)
    if stored.is_folder:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return stored


def is_within(unit: Unit, app: App, stored: StoredObject) -> bool:
    """Return whether an app sees the object, which must be below the folder that the app is confined to."""
    return is_below(unit, stored.account_id, stored.object_key, app.scope.folder_key)


def is_below(unit: Unit, account_id: int, object_key: str, folder_key: str | None) -> bool:
    """Return whether an object is that folder or below it; everything is below None, the whole drive."""
    if folder_key is None or object_key == folder_key:
        return True
    return any(one.object_key == folder_key for one in unit.tree.ancestors(account_id, object_key))
