"""Search: a filter over a walk of everything, because the interface has none of its own."""

from collections.abc import AsyncIterator, Callable
from unicodedata import normalize

from skyshelf.client.walk import WalkedObject


def matcher(
    query: str = "", *, extension: str | None = None, case_sensitive: bool = False, folders: bool = True
) -> Callable[[WalkedObject], bool]:
    """Whether an object's name, or the path that a backup took it from, contains the text, and its extension fits."""

    def spelled(text: str) -> str:
        text = normalize("NFC", text)
        return text if case_sensitive else text.casefold()

    wanted = spelled(query)
    ending = extension.lstrip(".").lower() if extension else None

    def matches(walked: WalkedObject) -> bool:
        found = walked.object
        if found.is_folder and (not folders or ending is not None):
            return False
        if ending is not None and found.extension != ending:
            return False
        return wanted in spelled(found.name) or (bool(found.source_folder) and wanted in spelled(found.source_folder))

    return matches


async def search(
    walked: AsyncIterator[WalkedObject], matches: Callable[[WalkedObject], bool], limit: int | None = None
) -> AsyncIterator[WalkedObject]:
    """What matches, and no more than `limit` of it where there is one."""
    count = 0
    if limit is not None and limit <= 0:
        return
    async for one in walked:
        if matches(one):
            yield one
            count += 1
            if count == limit:
                return
