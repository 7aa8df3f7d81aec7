"""What a backup, a verification or a restore reports while it runs."""

from typing import Protocol


class Progress(Protocol):
    """Every call may come from any thread."""

    def step(self, sentence: str) -> None:
        """A new part of the work has begun."""

    def queued(self, size: int) -> None:
        """One more file is to be copied or read."""

    def all_queued(self) -> None: ...

    def moved(self, name: str, done: int) -> None:
        """So many bytes of a file are done."""

    def finished(self, name: str, size: int) -> None: ...

    def failed(self, name: str, reason: str) -> None: ...


class Silent:
    """Reports nothing."""

    def step(self, sentence: str) -> None: ...

    def queued(self, size: int) -> None: ...

    def all_queued(self) -> None: ...

    def moved(self, name: str, done: int) -> None: ...

    def finished(self, name: str, size: int) -> None: ...

    def failed(self, name: str, reason: str) -> None: ...
