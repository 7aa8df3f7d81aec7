"""The power is cut before every single step, and whatever was acknowledged is whole afterwards."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.storage.blobs.disk.losing_power import LosingPower, PowerCut, WhatSurvives

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.protocols import Part

UPLOAD, OTHER_UPLOAD = "a" * 32, "b" * 32
FOREVER = 10**9


@dataclass
class Acknowledged:
    """What callers may rely on, because it was acknowledged to them."""

    blobs: dict[str, bytes] = field(default_factory=dict)
    parts: dict[str, tuple[list[Part], bytes]] = field(default_factory=dict)


def a_busy_day(store: DiskBlobs, acknowledged: Acknowledged) -> None:
    """Every kind of write, and the way in which a crash makes them come again."""
    for content in (b"", b"small", b"large" * 300_000):
        acknowledged.blobs[store.put([content]).location] = content
    with store.uploading(UPLOAD) as upload:
        first = upload.append([b"first "], after=None)
        acknowledged.parts[UPLOAD] = [first], b"first "
        upload.append([b"never acknowledged"], after=first)
        second = upload.append([b"second"], after=first)
        acknowledged.parts[UPLOAD] = [first, second], b"first second"
        upload.append([b"never acknowledged either"], after=second)
        acknowledged.blobs[upload.finish([first, second], 12).location] = b"first second"
    with store.uploading(UPLOAD) as upload:
        # Finished, yet it grows: its blob must not grow with it.
        third = upload.append([b" third"], after=second)
        acknowledged.parts[UPLOAD] = [first, second, third], b"first second third"
        acknowledged.blobs[upload.finish([first, second, third], 18).location] = b"first second third"
        del acknowledged.parts[UPLOAD]
        upload.discard()
    with store.uploading(OTHER_UPLOAD) as upload:
        part = upload.append([b"other"], after=None)
        acknowledged.parts[OTHER_UPLOAD] = [part], b"other"


def check(root: Path, acknowledged: Acknowledged) -> None:
    store = DiskBlobs(root)
    for location, content in acknowledged.blobs.items():
        assert b"".join(store.read(location)) == content
    for blob in store.list():
        # Whatever can be seen at all is whole: its location names its content.
        read = b"".join(store.read(blob.location))
        assert hashlib.sha256(read).hexdigest() == blob.location[:64]
    for upload_id, (parts, content) in acknowledged.parts.items():
        with store.uploading(upload_id) as upload:
            stored = upload.finish(parts, len(content))
            assert b"".join(store.read(stored.location)) == content
    for listed in store.list_uploads():
        store.discard(listed.upload_id)
    assert list(store.list_uploads()) == []
    for location, content in acknowledged.blobs.items():
        assert b"".join(store.read(location)) == content


@pytest.mark.parametrize(
    "what",
    [
        WhatSurvives(names=False, contents=False),
        WhatSurvives(names=True, contents=False),
        WhatSurvives(names=False, contents=True),
        WhatSurvives(names=True, contents=True),
    ],
    ids=["only-synced", "names-run-ahead", "contents-run-ahead", "process-killed"],
)
def test_what_was_acknowledged_survives_a_power_cut_before_any_step(tmp_path: Path, what: WhatSurvives) -> None:
    cut, steps = 0, FOREVER
    while cut <= steps:
        root = tmp_path / f"cut-{cut}"
        root.mkdir()
        files, acknowledged = LosingPower(root, cut), Acknowledged()
        try:
            a_busy_day(DiskBlobs(root, files), acknowledged)
            steps = files.steps
        except PowerCut:
            assert files.steps == cut
        try:
            files.survivors(what, tmp_path / f"after-{cut}")
        finally:
            files.close_all()
        check(tmp_path / f"after-{cut}", acknowledged)
        cut += 1
    assert steps > 40
    assert len(acknowledged.blobs) == 5
