"""To another folder under another name. The interface has no one call for both, so that half of it must not stay."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from skyshelf.cli.failures import CommandFailed, sentence_for
from skyshelf.client.errors import InvalidRequestError, SkyshelfError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.error_codes import NAME_TAKEN

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult
    from skyshelf.client.sync_client import Client


def move_to_name(client: "Client", found: RemoteObject, folder: RemoteObject, name: str) -> "BatchResult":
    """Move an object and rename it; what was done is undone where the rest is refused, and said where it cannot be."""
    if found.parent_key == folder.key:
        return client.rename_many([(found, name)])
    if found.name == name:
        return client.move([found], folder)
    try:
        return _Moving(client, found, folder).by_way_of(name)
    except InvalidRequestError as refused:
        if refused.code != NAME_TAKEN.code:
            raise
    # The name may be taken where the object is now, which says nothing about where it goes: under a third name it
    # can leave, and take the name that was asked for when it is there.
    return _Moving(client, found, folder).by_way_of(f"moving-{secrets.token_hex(8)}", name)


class _Moving:
    """Steps that are taken back, last one first, when one of them is refused."""

    def __init__(self, client: "Client", found: RemoteObject, folder: RemoteObject) -> None:
        self._client = client
        self._begin = found
        self._now = found
        self._folder = folder
        self._back: list[Callable[[], object]] = []

    def by_way_of(self, name: str, last_name: str | None = None) -> "BatchResult":
        """Renamed, moved, and renamed once more where there is a last name."""
        try:
            self._rename(name)
            self._back.append(lambda: self._rename(self._begin.name))
            result = self._move(self._folder)
            self._back.append(lambda: self._move(self._begin.parent_key or "/"))
            if last_name is not None:
                result = self._rename(last_name)
        except SkyshelfError as refused:
            self._undo(refused)
            raise
        return result

    def _rename(self, name: str) -> "BatchResult":
        result = self._client.rename_many([(self._now, name)]).raise_for_failures()
        self._now = result.outcomes[0].object or self._now
        return result

    def _move(self, folder: RemoteObject | str) -> "BatchResult":
        result = self._client.move([self._now], folder).raise_for_failures()
        self._now = result.outcomes[0].object or self._now
        return result

    def _undo(self, refused: SkyshelfError) -> None:
        while self._back:
            try:
                self._back.pop()()
            except SkyshelfError:
                moved = self._now.parent_key == self._folder.key
                where = f"in {self._folder.name or 'the top of your drive'}" if moved else "where it was"
                told = sentence_for(refused).rstrip(".")
                raise CommandFailed(
                    f"only half of it was done: {told}. It is {where}, and called {self._now.name}: move it again",
                    refused.exit_code,
                ) from refused
