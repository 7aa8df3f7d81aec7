"""What a server says to all its clients."""

from skyshelf.client.api.calls import Calls
from skyshelf.wire.endpoints.account import APP_SETTINGS
from skyshelf.wire.endpoints.banners import BANNERS
from skyshelf.wire.endpoints.feeds import SUPPORTED_DOCUMENTS
from skyshelf.wire.resources.account import AppSettings, AppSettingsQuery
from skyshelf.wire.resources.banners import BannerCard, BannerList
from skyshelf.wire.resources.feeds import SupportedDocuments, SupportedExtensions


class AsyncServerInfo(Calls):
    """What the server says to all its clients: settings, announcements, supported documents.

    Example:
        ```python
        for banner in client.server_info.banners():
            print(banner.title)
        ```
    """

    async def app_settings(self) -> AppSettings:
        """Get the backup policy and the server's other settings for clients."""
        return await self._call(APP_SETTINGS, AppSettings, query=AppSettingsQuery())

    async def banners(self) -> list[BannerCard]:
        """List the operator's current announcements."""
        return (await self._call(BANNERS, BannerList)).cards or []

    async def supported_documents(self) -> SupportedExtensions:
        """Get the extensions of the documents that the web client can show and edit."""
        supported = await self._call(SUPPORTED_DOCUMENTS, SupportedDocuments)
        return supported.supported_extensions or SupportedExtensions()
