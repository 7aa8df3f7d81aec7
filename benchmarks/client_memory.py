"""How much memory a bulk download of many files needs: `python -m benchmarks.client_memory COUNT`.

One folder with that many up-to-date files: listing, naming and comparing, without a network.
Half of the names are there twice. The line that it prints is JSON: seconds, the largest memory of the process, and how
many files it was.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast
from unittest.mock import patch

from benchmarks.client_work import peak_memory
from skyshelf.client.download.bulk import lister
from skyshelf.client.download.bulk import run as bulk_download
from skyshelf.client.download.bulk.state import UpToDate
from skyshelf.client.engine.engine import Engine
from skyshelf.client.hosts import Hosts
from skyshelf.client.http.transport import Transport
from skyshelf.client.objects.remote_object import RemoteObject, remote_object

PAGE = 2000


def described(number: int, count: int) -> RemoteObject:
    shown = {
        "objectKey": f"{number:032X}",
        "objectName": f"photo {number % (count // 2)}.jpg",
        "objectType": "FE",
        "sizeInBytes": 100_000,
        "hash": f"{number:032x}",
        "lastModifiedDate": 1_700_000_000_000 + number,
    }
    return remote_object(json.dumps(shown).encode())


async def run(count: int, destination: Path) -> int:
    async def pages(_engine: Engine, _key: str, kind: str, **_: object) -> AsyncIterator[list[RemoteObject]]:
        for start in range(0, count if kind == "f" else 0, PAGE):
            yield [described(number, count) for number in range(start, min(start + PAGE, count))]

    def there(*_: object, **__: object) -> UpToDate:
        return UpToDate()

    engine = Engine(Hosts.of("http://127.0.0.1:9"), None, cast("Transport", None))
    with patch.object(lister, "folder_pages", pages), patch.object(lister, "compare_with_local", there):
        summary = await bulk_download.BulkDownload(engine, "0" * 32, destination).run()
    return summary.skipped


def main() -> None:
    count, began = int(sys.argv[1]), time.perf_counter()
    with tempfile.TemporaryDirectory() as destination:
        amount = asyncio.run(run(count, Path(destination)))
    seconds = time.perf_counter() - began
    assert amount == count, amount
    cpu = time.process_time()
    peak = peak_memory()
    print(json.dumps({"seconds": seconds, "peak": peak, "amount": amount, "cpu": cpu}))


if __name__ == "__main__":
    main()
