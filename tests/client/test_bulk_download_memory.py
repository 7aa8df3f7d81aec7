"""The memory of a bulk download does not depend on how much there is."""

import subprocess
import sys

# A run over a folder of that many files, all of which are there: listing, naming and looking, and no network.
SCRIPT = """
import asyncio, resource, sys, tempfile
from pathlib import Path
from msgspec import json
from skyshelf.client import bulk_download
from skyshelf.client.already_there import There
from skyshelf.client.objects import remote_object

count, page = int(sys.argv[1]), 2000

async def pages(engine, folder_key, kind, *, limit, careful):
    if kind == "f":
        for start in range(0, count, page):
            yield [
                remote_object(json.encode({
                    "objectKey": f"{number:032X}", "objectName": f"photo {number % (count // 2)}.jpg",
                    "objectType": "FE", "sizeInBytes": 100000, "hash": f"{number:032x}",
                    "lastModifiedDate": 1700000000000 + number,
                }))
                for number in range(start, start + page)
            ]

bulk_download.folder_pages = pages
bulk_download.look_for = lambda file, folder, known, overwrite: There()

class Policy:
    retries = 0

class Nobody:
    policy = Policy()

async def main():
    with tempfile.TemporaryDirectory() as destination:
        summary = await bulk_download.BulkDownload(Nobody(), "0" * 32, Path(destination)).run()
        assert summary.skipped == count, summary.skipped

asyncio.run(main())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_kib(count: int) -> int:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(count)], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_memory_stays_flat_over_200_000_files_of_one_folder() -> None:
    small, large = peak_kib(10_000), peak_kib(200_000)
    assert large - small < 16 * 1024, f"{small} KiB with 10,000 files, {large} KiB with 200,000"
