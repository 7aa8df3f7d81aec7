"""Counts what objects contain, folders with everything below them: within limits, and never by a guess."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from hashlib import sha256

from msgspec import Struct

from skyshelf.agent.redaction import NAMES_MAX, quote_names
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import NetworkError, RateLimitError, ServerError
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject
from skyshelf.wire.sizes import format_size

COUNTED_MAX = 100_000
"""Objects that are counted at most."""
SECONDS_MAX = 30.0
"""How long counting may take."""


def fingerprint_of(keys: Iterable[str]) -> str:
    """Identifies a set of objects."""
    return sha256("\n".join(sorted(key.upper() for key in keys)).encode()).hexdigest()


class Contents(Struct):
    """What some objects contain, themselves included. What is not `whole` was counted in part."""

    names: list[str]
    files: int = 0
    folders: int = 0
    bytes: int = 0
    has_sizes: bool = True
    whole: bool = True
    keys: set[str] = set()

    @property
    def objects(self) -> int:
        """The number of files and folders."""
        return self.files + self.folders

    @property
    def fingerprint(self) -> str:
        """Identifies the objects that were counted."""
        return fingerprint_of(self.keys)

    def add(self, found: RemoteObject) -> bool:
        """Count an object once; returns whether it was new."""
        key = found.key.upper()
        if key in self.keys:
            return False
        self.keys.add(key)
        if found.is_folder:
            self.folders += 1
        else:
            self.files += 1
            self.has_sizes = self.has_sizes and found.size is not None
            self.bytes += found.size or 0
        return True

    def sentence(self) -> str:
        """The names, and how much it is unless the names say it all: «Photos» with 3,000 files, 12 GiB,"""
        names = quote_names(self.names)
        if self.whole and not self.folders and len(self.names) <= NAMES_MAX:
            return names
        if self.whole and not self.files:
            return f"{names}, without a file,"
        size = f", {'' if self.has_sizes else 'at least '}{format_size(self.bytes)}" if self.bytes else ""
        counted = f"{self.files:,} {'file' if self.files == 1 else 'files'}{size}"
        return f"{names} with {counted}," if self.whole else f"{names} with at least {counted} (not all was counted),"


async def contents_of(client: AsyncClient, objects: Sequence[RemoteObject]) -> Contents:
    """Count objects and everything below them; it ends early where that is too much, or cannot be listed."""
    counted = Contents([one.name for one in objects], keys=set())
    folders = [one for one in objects if counted.add(one) and one.is_folder]

    def enter(found: FoundObject) -> bool:
        # A selected folder inside another one is counted once.
        return found.object.key.upper() not in counted.keys

    try:
        async with asyncio.timeout(SECONDS_MAX):
            for folder in folders:
                walking = client.walk(folder, enter=enter, vanished=lambda _parts, _error: None)
                async with aclosing(walking):  # type: ignore[type-var]
                    async for found in walking:
                        counted.add(found.object)
                        if counted.objects > COUNTED_MAX:
                            counted.whole = False
                            return counted
    except (TimeoutError, ServerError, NetworkError, RateLimitError):
        counted.whole = False
    return counted
