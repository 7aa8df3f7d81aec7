"""Search: a filter over a walk of everything, for servers that have none of their own."""

from collections.abc import AsyncIterator, Callable
from unicodedata import normalize

from skyshelf.client.search_conditions import Conditions
from skyshelf.client.walk import WalkedObject
from skyshelf.wire.search_rule import SearchText


def matcher(
    query: str, conditions: Conditions, *, case_sensitive: bool = False, folders: bool = True
) -> Callable[[WalkedObject], bool]:
    """Whether an object's name, or the path that a backup took it from, has all words, and the conditions hold.

    Accents and case do not count, by the rule that servers search by; with `case_sensitive` both do.
    """
    text = SearchText(query)
    exact = normalize("NFC", query).split()

    def has_all(spelled: str) -> bool:
        composed = normalize("NFC", spelled)
        return all(word in composed for word in exact)

    def matches(walked: WalkedObject) -> bool:
        found = walked.object
        if (found.is_folder and not folders) or not conditions.hold_for(found):
            return False
        if case_sensitive:
            return has_all(found.name) or (bool(found.source_folder) and has_all(found.source_folder))
        return text.rank(found.name, found.source_folder) is not None

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
