"""Moving an object to another folder under another name, for which the interface has no single call."""

import secrets
from collections.abc import Callable

from skyshelf.client.errors import InvalidRequestError, SkyshelfError
from skyshelf.client.objects.outcomes import BatchResult
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.wire.error_codes import NAME_TAKEN


class PartlyMovedError(SkyshelfError):
    """A step was refused, and an earlier one could not be undone; `reason` is the refusal."""

    def __init__(self, where: str, reason: SkyshelfError) -> None:
        super().__init__(f"only partly done: {str(reason).rstrip('.')}. {where}")
        self.where = where
        self.reason = reason


def move_and_rename(client: Client, found: RemoteObject, folder: RemoteObject, name: str) -> BatchResult:
    """Move and rename an object. If one step is refused, the others are undone, or the error says how far it came."""
    if (found.parent_key or "").upper() == folder.key.upper():
        return client.rename_many([(found, name)], on_error="return")
    if found.name == name:
        return client.move([found], folder, on_error="return")
    try:
        return _Move(client, found, folder).run(name)
    except InvalidRequestError as error:
        if error.code != NAME_TAKEN.code:
            raise
    # The name may be taken in the old folder, which does not matter in the new one: move it under a temporary name, and
    # rename it there.
    return _Move(client, found, folder).run(f"moving-{secrets.token_hex(8)}", name)


class _Move:
    """Steps that are undone in reverse order if one of them is refused."""

    def __init__(self, client: Client, found: RemoteObject, folder: RemoteObject) -> None:
        self._client = client
        self._original = found
        self._current = found
        self._folder = folder
        self._undo_steps: list[Callable[[], object]] = []

    def run(self, name: str, final_name: str | None = None) -> BatchResult:
        """Rename, move, and rename again if there is a final name."""
        try:
            self._rename(name)
            self._undo_steps.append(lambda: self._rename(self._original.name))
            result = self._move(self._folder)
            self._undo_steps.append(lambda: self._move(self._original.parent_key or "/"))
            if final_name is not None:
                result = self._rename(final_name)
        except SkyshelfError as error:
            self._undo(error)
            raise
        return result

    def _rename(self, name: str) -> BatchResult:
        result = self._client.rename_many([(self._current, name)])
        self._current = result.outcomes[0].object or self._current
        return result

    def _move(self, folder: RemoteObject | str) -> BatchResult:
        result = self._client.move([self._current], folder)
        self._current = result.outcomes[0].object or self._current
        return result

    def _undo(self, error: SkyshelfError) -> None:
        while self._undo_steps:
            try:
                self._undo_steps.pop()()
            except SkyshelfError:
                moved = self._current.parent_key == self._folder.key
                where = f"in {self._folder.name or 'the top folder'}" if moved else "in its old folder"
                raise PartlyMovedError(
                    f"The item is now {where} as {self._current.name}: move it again", error
                ) from error
