"""Two accounts at work at once: each sees exactly what it did itself, and nothing of the other."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tests.end_to_end.plain_client import Json, PlainClient, md5
from tests.real_parts.servers import Stack

OPERATIONS = 70
Seen = dict[str, tuple[str, str, str | None]]


class Worker:
    """Works at random on an account, and remembers what the server has acknowledged."""

    def __init__(self, client: PlainClient, seed: int) -> None:
        self.client = client
        self.random = random.Random(seed)
        self.expected: Seen = {}
        self.trashed: set[str] = set()
        self.numbers = iter(range(1000))
        self.halfway = threading.Event()

    def work(self) -> None:
        ways = [self.add_folder, self.add_file, self.add_file, self.rename, self.move, self.trash, self.restore]
        for done in range(OPERATIONS):
            self.random.choice(ways)()
            if done == OPERATIONS // 2:
                self.halfway.set()

    def add_folder(self) -> None:
        parent, name = self.some_folder(), f"name {next(self.numbers)}"
        body = {"objectName": name, "parentObjectKey": parent, "sourceName": "DRIVE"}
        answer = self.client.request("POST", "/nms/folders", json=body)
        # The answer to the first try may have died with its server.
        assert answer.status_code in {201, 409}, answer.text
        made = answer.json() if answer.status_code == 201 else self.echo(parent, name)
        self.expected[made["objectKey"]] = (name, parent, None)

    def add_file(self) -> None:
        parent, name, data = self.some_folder(), f"name {next(self.numbers)}", self.random.randbytes(2000)
        made = self.client.upload(name, data, parent)
        self.expected[made["objectKey"]] = (name, parent, md5(data))

    def rename(self) -> None:
        if (found := self.some_object()) is not None:
            key, (old, parent, digest) = found
            name = f"name {next(self.numbers)}"
            self.client.changed("RENAME", self.echo(parent, old), objectName=name)
            self.expected[key] = (name, parent, digest)

    def move(self) -> None:
        found, target = self.some_object(files=True), self.some_folder()
        if found is not None:
            key, (name, parent, digest) = found
            self.client.changed("MOVE", self.echo(parent, name), parentObjectKey=target)
            self.expected[key] = (name, target, digest)

    def trash(self) -> None:
        if (found := self.some_object(files=True)) is not None:
            key, (name, parent, _) = found
            self.client.changed("TRASH", self.echo(parent, name), status="T")
            self.trashed.add(key)

    def restore(self) -> None:
        if self.trashed:
            key = self.random.choice(sorted(self.trashed))
            assert self.client.restore(key)["unprocessed"] == []
            self.trashed.discard(key)

    def some_folder(self) -> str:
        folders = [key for key, (_, _, digest) in self.expected.items() if digest is None]
        return self.random.choice([self.client.root, *sorted(folders)])

    def some_object(self, *, files: bool = False) -> tuple[str, tuple[str, str, str | None]] | None:
        here = [item for item in self.expected.items() if item[0] not in self.trashed and (item[1][2] or not files)]
        return self.random.choice(sorted(here)) if here else None

    def echo(self, parent: str, name: str) -> Json:
        (found,) = [one for one in self.client.page(parent, limit=2000) if one["objectName"] == name]
        return found

    def seen(self) -> Seen:
        return {
            one["objectKey"]: (one["objectName"], one["parentObjectKey"], one.get("hash")) for one in self.client.walk()
        }


def test_two_accounts_that_work_at_once_see_exactly_their_own(
    stack: Stack, new_client: Callable[..., PlainClient]
) -> None:
    workers = [Worker(new_client(), seed) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        working = [pool.submit(worker.work) for worker in workers]
        workers[0].halfway.wait(120)
        stack.strike()
        for one in working:
            one.result()
    for worker in workers:
        assert worker.seen() == {k: v for k, v in worker.expected.items() if k not in worker.trashed}
        assert {one["objectKey"] for one in worker.client.trash()} == worker.trashed
        assert len(worker.expected) > OPERATIONS // 4
    ada, ben = workers
    assert not ada.expected.keys() & ben.expected.keys()
    for key, (_, _, digest) in ben.expected.items():
        other = f"/download/files/{key}" if digest else f"/nms/metadata?folderKey={key}"
        unknown = other.replace(key, "0" * 32)
        theirs, nobodys = ada.client.get(other), ada.client.get(unknown)
        assert theirs.status_code == 404
        assert theirs.content == nobodys.content
