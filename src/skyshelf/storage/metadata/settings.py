"""Settings: what all instances of one service must agree on."""

from typing import Protocol


class Settings(Protocol):
    def get(self, name: str) -> bytes | None: ...

    def set_once(self, name: str, value: bytes) -> bytes:
        """Propose a value. The first one committed stays for good, and everybody gets that one back."""
