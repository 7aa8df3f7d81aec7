"""Settings: what all instances of one service must agree on."""

from typing import Protocol

import msgspec


class Settings(Protocol):
    def get(self, name: str) -> bytes | None: ...

    def set_once(self, name: str, value: bytes) -> bytes:
        """Propose a value. The first one committed stays for good, and everybody gets that one back."""

    def set(self, name: str, value: bytes) -> None:
        """Replace the value."""

    def delete(self, name: str) -> None: ...


# Banners: the operator's announcements to all users.


class Banner(msgspec.Struct, frozen=True, kw_only=True):
    """Shown from start_at on, and no longer at end_at."""

    banner_key: str
    title: str
    text: str
    image_url: str = ""
    action_url: str = ""
    start_at: int
    end_at: int


class Banners(Protocol):
    def add(self, banner: Banner) -> None: ...

    def live(self, now: int) -> list[Banner]:
        """Those to show now, the newest start first."""

    def everything(self) -> list[Banner]:
        """Those of the past and the future too, the newest start first."""

    def remove(self, banner_key: str) -> bool:
        """False when there is none."""
