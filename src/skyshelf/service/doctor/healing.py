"""Healing of damaged and missing contents from copies elsewhere, such as those in a backup.

A copy is compared with its SHA-256 before it takes the place of the damaged one, for every file that has the content.
"""

from collections.abc import Callable, Iterator

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.blob_checks import damaged_blobs, named_holders
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.integrity import damage
from skyshelf.service.uploads.duplicates import is_sound, settle
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, SizeMismatch
from skyshelf.storage.metadata.contracts.content import StoredContent

Copies = Callable[[str], Iterator[Iterator[bytes]]]
"""Yields the copies of a content, by its SHA-256."""
_PAGE = 500


class HealResult(msgspec.Struct, rename="camel"):
    """What was found damaged, and what became of it, each as a sentence."""

    healed: list[str] = []
    not_healed: list[str] = []


def heal(ctx: ServiceContext, copies: Copies, run: CheckRun) -> HealResult:
    """Heal what reads and the scrub have listed, and what is damaged or missing now."""
    result, seen = HealResult(), set[str]()
    for content, fault in _found(ctx, run):
        if content.sha256 in seen:
            continue
        seen.add(content.sha256)
        sentence = f"content {content.sha256} {fault}; it belongs to {named_holders(ctx, content)}"
        if _heal(ctx, content, copies):
            result.healed.append(sentence)
        else:
            result.not_healed.append(sentence)
    return result


def _found(ctx: ServiceContext, run: CheckRun) -> Iterator[tuple[StoredContent, str]]:
    after = ""
    while page := damage.listed(ctx, after, _PAGE):
        for one in page:
            with ctx.metadata.read() as unit:
                content = unit.content.get(one.sha256)
            if content is not None and not is_sound(ctx, content.sha256, content.size, content.location):
                yield content, one.fault
        after = page[-1].sha256
    yield from damaged_blobs(ctx, run)


def _heal(ctx: ServiceContext, content: StoredContent, copies: Copies) -> bool:
    """Return whether the content is sound now."""
    for copy in copies(content.sha256):
        try:
            blob = ctx.blobs.put(copy, expected_size=content.size)
        except (BlobMissing, BlobCorrupt, BadLocation, SizeMismatch):
            continue
        if blob.sha256 != content.sha256:
            ctx.blobs.delete(blob.location)
            continue
        settle(ctx, content.sha256, content.size, new=blob.location)
        return _is_sound_now(ctx, content.sha256)
    return _is_sound_now(ctx, content.sha256)


def _is_sound_now(ctx: ServiceContext, sha256: str) -> bool:
    """Look again: an upload may have healed it, and a content without files needs no healing."""
    with ctx.metadata.read() as unit:
        content = unit.content.get(sha256)
    return content is None or content.refs == 0 or is_sound(ctx, sha256, content.size, content.location)
