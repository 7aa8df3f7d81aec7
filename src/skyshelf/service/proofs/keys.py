"""The keys that sign heads of logs: one for all instances, kept in the database, and replaced by an operator."""

from typing import TYPE_CHECKING

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.history.log import HistoryKey
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.proofs.heads import Head, SignedHead, key_hash, key_id, succession

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def current_key(ctx: ServiceContext) -> HistoryKey:
    """The key in use; the first one is made here. Of several instances that make one, the first one's stays."""
    with ctx.metadata.read() as unit:
        known = unit.history_keys.current()
    if known is not None:
        return known
    proposal = _new_key(ctx, None)

    def work(unit: Unit) -> HistoryKey:
        unit.history_keys.add(proposal)
        kept = unit.history_keys.current()
        assert kept is not None
        return kept

    return ctx.metadata.write(work)


def rotate(ctx: ServiceContext) -> HistoryKey:
    """Replace the key in use. It signs the new one, and is destroyed; its public key stays published."""
    while True:
        proposal = _new_key(ctx, current_key(ctx))
        event = new_event(ctx, kinds.HISTORY_KEY_ROTATED, key=proposal.key_id)

        def work(unit: Unit, proposal: HistoryKey = proposal) -> bool:
            added = unit.history_keys.add(proposal)
            if added:
                unit.audit.add([event])  # noqa: B023 - run before the next turn
            return added

        if ctx.metadata.write(work):
            return proposal


def sign(key: HistoryKey, head: Head) -> SignedHead:
    """A head with the signature of a key."""
    return SignedHead(head, key_hash(key.key_id), _private(key).sign(head.text()))


def _new_key(ctx: ServiceContext, former: HistoryKey | None) -> HistoryKey:
    private = ctx.randomness.bytes(32)
    public = _loaded(private).public_key().public_bytes_raw()
    now = ctx.clock.now()
    signature = b"" if former is None else _private(former).sign(succession(former.key_id, public, now))
    return HistoryKey(
        number=1 if former is None else former.number + 1,
        key_id=key_id(public),
        public=public,
        private=private,
        created_at=now,
        signature=signature,
    )


def _private(key: HistoryKey) -> "Ed25519PrivateKey":
    assert key.private is not None, "only the key in use signs"
    return _loaded(key.private)


def _loaded(private: bytes) -> "Ed25519PrivateKey":
    # Loaded with the first key: not every process signs.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(private)
