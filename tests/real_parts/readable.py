"""Wait for a descriptor. Not by `select`, which knows none above 1,023: a long run of tests may have more."""

import select


def is_readable(descriptor: int, seconds: float | None) -> bool:
    """Whether there is something to read, or its other end is gone, within these seconds."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1000))
