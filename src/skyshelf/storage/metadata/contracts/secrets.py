"""Generations of the server's secrets."""

from collections.abc import Mapping

import msgspec


class Generations(msgspec.Struct, frozen=True):
    """A secret: its value now, and earlier ones on which something still depends."""

    current: int
    values: Mapping[int, bytes]

    def __repr__(self) -> str:
        return f"Generations({self.current}, <hidden>)"

    @property
    def value(self) -> bytes:
        return self.values[self.current]

    @property
    def former(self) -> dict[int, bytes]:
        return {number: value for number, value in self.values.items() if number != self.current}


class SecretAge(msgspec.Struct, frozen=True):
    """How old a secret is, and how much depends on its earlier values."""

    current: int
    begun_at: int
    """0 for one that is as old as the store, or made by a version before 0.3.0."""
    depending: int


class OlderFactor(msgspec.Struct, frozen=True):
    """A second factor whose authenticator's key an earlier value derives."""

    account_id: int
    account_key: str
    salt: bytes
    mask: bytes | None
    generation: int
