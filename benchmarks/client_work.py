"""The client's work in its benchmark, each in a separate process: `python -m benchmarks.client_work WORK FOLDER`.

The session comes from the environment, as for every client. The last line that it prints is JSON: seconds, the
largest memory of the process, how many objects or bytes it was, and the processor time of the client.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

from skyshelf.client.async_client import AsyncClient


async def walk(client: AsyncClient, _: Path) -> int:
    count = 0
    async for _one in client.walk("/tree"):
        count += 1
    return count


async def pages(client: AsyncClient, _: Path) -> int:
    """A folder of 10,000 files, page by page, 200 times: 1,000 full pages and more."""
    folder = await client.get("/small")
    count = 0
    for _round in range(200):
        async for _one in client.list_folder(folder, kind="f"):
            count += 1
    return count


async def bulk(client: AsyncClient, folder: Path) -> int:
    summary = await client.download_all(folder / "bulk", "/small", workers=16)
    summary.raise_for_failures()
    return summary.done + summary.skipped


async def large(client: AsyncClient, folder: Path) -> int:
    done = await client.download("/large.bin", folder / "large.bin", overwrite=True)
    assert done.verified
    return done.size


async def upload_small(client: AsyncClient, folder: Path) -> int:
    summary = await client.upload_all(folder / "files" / "new", await client.create_folder("uploaded"))
    assert not summary.failed, summary.failed
    return summary.done + summary.skipped


async def upload_large(client: AsyncClient, folder: Path) -> int:
    done = await client.upload(folder / "files" / "large.bin", name="uploaded.bin")
    return done.size or 0


WORKS = {work.__name__: work for work in (walk, pages, bulk, large, upload_small, upload_large)}


def main() -> None:
    work, folder = WORKS[sys.argv[1]], Path(sys.argv[2])

    async def timed() -> tuple[int, float, float]:
        async with AsyncClient() as client:
            # What the first request loads and connects is not the work.
            await client.account.profile()
            began, busy = time.perf_counter(), time.process_time()
            return await work(client, folder), time.perf_counter() - began, time.process_time() - busy

    amount, seconds, cpu = asyncio.run(timed())
    print(json.dumps({"seconds": seconds, "peak": peak_memory(), "amount": amount, "cpu": cpu}))


def peak_memory() -> int:
    """The largest memory of this process so far; not from getrusage, whose figure begins with that of its parent."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main()
