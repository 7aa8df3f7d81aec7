"""What this process has set aside of delegations' numbers, so that not every read is a write to the store.

It is used up in the store first, in blocks, and then here: after a crash, what was set aside and not used is lost to
the delegation, and it never gets more than it allows. Blocks are small where little is left.
"""

import threading
from typing import Final

import msgspec

from skyshelf.storage.metadata.contracts.leave import Amounts
from skyshelf.wire.limits import MIB

Chain = tuple[bytes, ...]
"""A token: the delegation and the links that limit numbers."""
SPARE: Final = Amounts(reads=64, read_bytes=16 * MIB, calls=64)
"""The most that is set aside beyond what a call needs."""
_CHAINS_MAX: Final = 1024
_NAMES: Final = ("reads", "read_bytes", "calls")


class _Block(msgspec.Struct):
    reads: int = 0
    read_bytes: int = 0
    calls: int = 0
    minute: int = 0


class Allowances:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks: dict[Chain, _Block] = {}

    def take(self, chain: Chain, wanted: Amounts, minute: int) -> Amounts:
        """Take what is set aside, if that is enough; return what is missing otherwise, and take nothing."""
        with self._lock:
            block = self._block(chain, minute)
            missing = {name: max(0, getattr(wanted, name) - getattr(block, name)) for name in _NAMES}
            if not any(missing.values()):
                for name in _NAMES:
                    setattr(block, name, getattr(block, name) - getattr(wanted, name))
            return Amounts(**missing)

    def add(self, chain: Chain, granted: Amounts, wanted: Amounts, minute: int) -> bool:
        """Set aside what was granted, and take what is wanted; false if somebody else has taken it since."""
        with self._lock:
            block = self._block(chain, minute)
            for name in _NAMES:
                setattr(block, name, getattr(block, name) + getattr(granted, name))
        return self.take(chain, wanted, minute) == Amounts()

    def unused(self, delegation: bytes) -> Amounts:
        """Return what is set aside here of a delegation, and of the tokens made from it."""
        with self._lock:
            blocks = [block for chain, block in self._blocks.items() if chain[0] == delegation]
            return Amounts(**{name: sum(getattr(block, name) for block in blocks) for name in ("reads", "read_bytes")})

    def _block(self, chain: Chain, minute: int) -> _Block:
        block = self._blocks.pop(chain, None) or _Block(minute=minute)
        if block.minute != minute:
            block.calls, block.minute = 0, minute
        self._blocks[chain] = block
        if len(self._blocks) > _CHAINS_MAX:
            del self._blocks[next(iter(self._blocks))]
        return block
