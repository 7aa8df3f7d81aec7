"""The time, as the stores count it."""

import time


def now_ms() -> int:
    return int(time.time() * 1000)
