"""A process that writes as fast as it can and says, line by line, what was acknowledged. It is made to be killed.

python writer_process.py ROOT SEED
"""

import json
import os
import random
import sys
from dataclasses import asdict
from pathlib import Path

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.records import Part


def data_for(seed: str, size: int) -> bytes:
    """The reader makes the same bytes of the same seed."""
    return random.Random(seed).randbytes(size)


def report(**fact: object) -> None:
    os.write(sys.stdout.fileno(), json.dumps(fact).encode() + b"\n")


def put_one(store: DiskBlobs, dice: random.Random) -> None:
    seed, size = str(dice.random()), dice.choice([0, 100, 70_000, 1_500_000])
    data = data_for(seed, size)
    stored = store.put(data[at : at + 10_000] for at in range(0, size, 10_000))
    report(kind="blob", location=stored.location, pieces=[[seed, size]])


def upload_one(store: DiskBlobs, dice: random.Random) -> None:
    upload_id = f"{dice.getrandbits(128):032x}"
    parts: list[Part] = []
    pieces: list[tuple[str, int]] = []
    for _ in range(dice.randint(1, 4)):
        seed, size = str(dice.random()), dice.choice([1, 5_000, 300_000])
        with store.uploading(upload_id) as upload:
            parts.append(upload.append([data_for(seed, size)], after=parts[-1] if parts else None))
        pieces.append((seed, size))
        report(kind="parts", upload_id=upload_id, parts=[asdict(part) for part in parts], pieces=pieces)
    if dice.random() < 0.7:
        with store.uploading(upload_id) as upload:
            stored = upload.finish(parts, parts[-1].end)
            report(kind="blob", location=stored.location, pieces=pieces, ends=upload_id)
            upload.discard()


def main() -> None:
    store, dice = DiskBlobs(Path(sys.argv[1])), random.Random(sys.argv[2])
    while True:
        dice.choice([put_one, upload_one])(store, dice)


if __name__ == "__main__":
    main()
