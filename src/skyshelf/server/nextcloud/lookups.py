"""Objects by their numbers, for an app that may be confined to a folder."""

from skyshelf.server.nextcloud.ids import key_of
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes


def visible(unit: Unit, app: App, number: str) -> StoredObject:
    """The object with this number; OBJECT_NOT_FOUND where the app sees none."""
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
    """Whether an app sees it: a folder that it is confined to is above it."""
    return is_below(unit, stored.account_id, stored.object_key, app.scope.folder_key)


def is_below(unit: Unit, account_id: int, object_key: str, folder_key: str | None) -> bool:
    """Whether an object is that folder or below it; everything is below None, the whole drive."""
    if folder_key is None or object_key == folder_key:
        return True
    return any(one.object_key == folder_key for one in unit.tree.ancestors(account_id, object_key))


def refuse_confined(app: App) -> None:
    """Trash and search are about the whole drive: APP_SCOPE for an app that sees one folder."""
    if app.scope.folder_key is not None:
        raise ServiceError(codes.APP_SCOPE)
