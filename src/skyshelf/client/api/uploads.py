"""Uploads that are not finished."""

from collections.abc import AsyncIterator
from typing import Final

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints.uploads import CANCEL_UPLOAD, UNFINISHED_UPLOADS
from skyshelf.wire.resources.uploads import UnfinishedUpload, UnfinishedUploads

_FEATURE: Final = "list unfinished uploads"


class AsyncUploads(Calls):
    """Unfinished uploads, for which the server reserves space. An extension: see `NotOfferedError`.

    Example:
        ```python
        for upload in client.uploads.unfinished():
            client.uploads.cancel(upload.transaction_id)
        ```
    """

    def unfinished(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[UnfinishedUpload]:
        """List unfinished uploads, newest first.

        Args:
            page_size: How many uploads one request asks for.
        """
        return self._by_cursor(
            UNFINISHED_UPLOADS,
            UnfinishedUploads,
            lambda page: page.uploads,
            lambda cursor: CursorQuery(cursor=cursor, limit=page_size),
            feature=_FEATURE,
        )

    async def cancel(self, transaction_id: str) -> None:
        """Cancel an unfinished upload; its reserved space is free immediately.

        Args:
            transaction_id: The upload, as `unfinished` lists it.
        """
        await self._remove(CANCEL_UPLOAD, feature=_FEATURE, keys={"upload_key": transaction_id})
