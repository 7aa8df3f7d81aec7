"""Values of settings that an operator has changed, as stored and as a process remembers them."""

import msgspec


class SettingChange(msgspec.Struct, frozen=True, kw_only=True):
    """A new value, from a time on; the one before holds until then."""

    value: int
    before: int
    from_at: int
    set_at: int

    def at(self, now: int) -> int:
        """The value at that time."""
        return self.value if now >= self.from_at else self.before


class KnownSettings:
    """What a process has read last, so requests need no query for it."""

    def __init__(self) -> None:
        self.retention: dict[str, SettingChange] = {}
        self.is_loaded = False
