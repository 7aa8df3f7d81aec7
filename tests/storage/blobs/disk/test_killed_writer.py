"""A writer is killed at any moment, again and again, and nothing that it acknowledged is lost."""

import hashlib
import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import pytest
from tests.storage.blobs.disk import writer_process
from tests.storage.blobs.disk.writer_process import data_for

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.records import Part

ROUNDS = 25


class Fact(TypedDict, total=False):
    kind: str
    location: str
    upload_id: str
    parts: list[dict[str, int | str]]
    pieces: list[tuple[str, int]]
    ends: str


@dataclass
class Acknowledged:
    blobs: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    uploads: dict[str, Fact] = field(default_factory=dict)

    def note(self, fact: Fact) -> None:
        if fact["kind"] == "parts":
            self.uploads[fact["upload_id"]] = fact
        else:
            self.blobs[fact["location"]] = fact["pieces"]
            self.uploads.pop(fact.get("ends", ""), None)


def write_until_killed(root: Path, seed: int, acknowledged: Acknowledged) -> None:
    dice = random.Random(seed)
    command = [sys.executable, writer_process.__file__, str(root), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for _ in range(dice.randint(1, 15)):
            acknowledged.note(json.loads(writer.stdout.readline()))
        # Not at the moment of an answer but somewhere after it: a step takes less than a millisecond.
        until = time.perf_counter() + dice.uniform(0, 0.004)
        while time.perf_counter() < until:
            pass
        writer.kill()
        # What it said before it died counts too; a last line that broke off was never said.
        for line in writer.stdout.read().splitlines(keepends=True):
            if line.endswith(b"\n"):
                acknowledged.note(json.loads(line))


def content_of(pieces: list[tuple[str, int]]) -> bytes:
    return b"".join(data_for(seed, size) for seed, size in pieces)


def test_whatever_a_killed_writer_acknowledged_is_whole(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """A quarter of --crash-rounds, where the run has that option."""
    rounds = int(pytestconfig.getoption("--crash-rounds", default=4 * ROUNDS)) // 4
    acknowledged = Acknowledged()
    for number in range(rounds):
        write_until_killed(tmp_path, number, acknowledged)
        store = DiskBlobs(tmp_path)
        for location, pieces in acknowledged.blobs.items():
            assert b"".join(store.read(location)) == content_of(pieces)
        for blob in store.list():
            read = b"".join(store.read(blob.location))
            assert hashlib.sha256(read).hexdigest() == blob.location[:64]
            if blob.location not in acknowledged.blobs:
                store.delete(blob.location)
        for upload_id, fact in acknowledged.uploads.items():
            parts = [Part(**part) for part in fact["parts"]]  # type: ignore[arg-type]
            with store.uploading(upload_id) as upload:
                stored = upload.finish(parts, parts[-1].end)
                assert b"".join(store.read(stored.location)) == content_of(fact["pieces"])
                store.delete(stored.location)
        # Everything else is the sweeper's, and nothing that the dead process held is still held.
        for listed in store.list_uploads():
            if listed.upload_id not in acknowledged.uploads:
                store.discard(listed.upload_id)
        assert {listed.upload_id for listed in store.list_uploads()} == set(acknowledged.uploads)
        assert {blob.location for blob in store.list()} == set(acknowledged.blobs)
        # Keep the rounds equally fast.
        for location in acknowledged.blobs:
            store.delete(location)
        acknowledged.blobs.clear()
