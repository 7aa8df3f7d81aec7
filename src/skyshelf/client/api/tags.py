"""Tags."""

from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError
from skyshelf.client.objects.batch import change_in_parts
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.outcomes import BatchResult, OnError, TolerantAnswer
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import JsonEndpoint
from skyshelf.wire.endpoints import feeds as endpoints
from skyshelf.wire.models import RequestModel
from skyshelf.wire.resources.feeds import ManualTag, TagGiving, TagRenaming, TagTaking


class AsyncTags(Calls):
    """Tags on files and folders. All but `recent` and `of` is an extension: see `NotOfferedError`.

    Example:
        ```python
        client.tags.add("sea", ["/Photos/beach.jpg"])
        (tag,) = client.tags.of("/Photos/beach.jpg")
        print([found.name for found in client.tags.objects(tag.tag_id)])
        ```
    """

    _feature = "change tags; it only shows them"

    async def recent(self) -> list[ManualTag]:
        """List recently used tags."""
        return await self._call(endpoints.RECENT_TAGS)

    async def of(self, target: Target) -> list[ManualTag]:
        """List an object's tags.

        Args:
            target: The object, its key or its path.
        """
        key = await PathResolver(self._engine).key(target)
        return await self._call(endpoints.OBJECT_TAGS, keys={"object_key": key})

    async def add(self, name: str, targets: Iterable[Target], *, on_error: OnError = "raise") -> BatchResult:
        """Tag files and folders; a new tag is created as needed.

        Args:
            name: The tag.
            targets: Objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        result = await self._change(endpoints.ADD_TAG, targets, lambda keys: TagGiving(tag_name=name, object_keys=keys))
        return result.settled(on_error)

    async def remove(self, tag_id: str, targets: Iterable[Target], *, on_error: OnError = "raise") -> BatchResult:
        """Remove a tag from files and folders. A tag that is on nothing disappears.

        Args:
            tag_id: The tag's id.
            targets: Objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """

        def request(keys: list[str]) -> TagTaking:
            return checked(TagTaking, tag_id=tag_id, object_keys=keys)

        return (await self._change(endpoints.REMOVE_TAG, targets, request)).settled(on_error)

    async def rename(self, tag_id: str, name: str) -> ManualTag:
        """Rename a tag on everything that has it.

        Args:
            tag_id: The tag's id.
            name: The new name.

        Raises:
            ConflictError: Another tag has the new name; tags are never merged.
        """
        return await self._call(endpoints.RENAME_TAG, body=TagRenaming(tag_name=name), keys={"tag_key": tag_id})

    async def delete(self, tag_id: str) -> None:
        """Delete a tag; the objects stay.

        Args:
            tag_id: The tag's id.
        """
        await self._remove(endpoints.DELETE_TAG, keys={"tag_key": tag_id})

    def objects(self, tag_id: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """List everything with a tag, most recently tagged first.

        Args:
            tag_id: The tag's id.
            page_size: How many objects one request asks for.
        """
        return self._objects_by_cursor(
            endpoints.TAGGED_OBJECTS,
            partial(CursorQuery, limit=page_size),
            feature="list the objects with a tag",
            keys={"tag_key": tag_id},
        )

    async def _change(
        self, endpoint: JsonEndpoint[Any], targets: Iterable[Target], request: Callable[[list[str]], RequestModel]
    ) -> BatchResult:
        async def change(keys: list[str]) -> TolerantAnswer:
            async def attempt(is_repeated: bool) -> TolerantAnswer:
                may_be_done = is_repeated and endpoint is endpoints.REMOVE_TAG
                try:
                    response = await self._call(endpoint.read_as(TolerantAnswer), body=request(keys))
                except NotOfferedError:
                    raise
                except ObjectNotFoundError:
                    # A tag that nothing has disappears: the first request succeeded, and its response was lost.
                    if not may_be_done:
                        raise
                    return TolerantAnswer()
                # Likewise, an object no longer has the tag that the first request removed.
                return TolerantAnswer(None, None if may_be_done else response.unprocessed)

            return await self._repeating(attempt)

        return await change_in_parts(await PathResolver(self._engine).keys(targets), change)

    def list(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ManualTag]:
        """List all tags by name.

        Args:
            page_size: How many tags one request asks for.
        """
        return self._by_cursor(endpoints.TAG_LIST, lambda page: page.tags, partial(CursorQuery, limit=page_size))
