"""Quirks that the client does not handle everywhere yet. A row is removed once it does, and the list becomes empty."""

NOT_YET: tuple[str, ...] = ()
