"""A bounded load of mixed requests over one address, none of which may fail, and what must be there afterwards.

No request is repeated: the first answer that is not the expected one, and the first broken connection, is a failure.
"""

import io
import itertools
import json
import os
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from tests.end_to_end.plain_client import PlainClient, md5

PATIENCE = 120
_OWN = threading.local()
"""The connections of a thread."""
PAUSE = 0.05
"""Between two requests of one client, so the load is bounded on a fast machine."""
KIB = 1024


class Load:
    """Clients that work until the test ends. What each of them does is counted by its name."""

    def __init__(self, url: str, email: str, app_password: str) -> None:
        self.url = url
        self.email = email
        self._app = (email, app_password)
        self.client = PlainClient([url], retries=0).log_in(email)
        self.cursor: str = self.client.json("GET", "/x/v1/changes")["cursor"]
        self.done: Counter[str] = Counter()
        self.failures: list[str] = []
        self.stored: dict[str, dict[str, bytes]] = {}
        """The contents of acknowledged uploads by folder and name."""
        self.deleted: list[str] = []
        """The names of folders that are in the trash."""
        self.streamed: set[tuple[str, str]] = set()
        self.streams = 0
        self.hints = 0
        """How often a stream has ended with a request to reconnect."""
        self._before_end: set[tuple[str, str]] = set()
        self._last: tuple[str, str] | None = None
        """The change after all others, once the stream is to end."""
        self._other = self.client.twin()
        self._changed = threading.Condition()
        self._is_over = threading.Event()
        self._folders = {name: self.client.folder(name)["objectKey"] for name in ("small", "chunked", "trashed", "dav")}

    def close(self) -> None:
        self.client.close()
        self._other.close()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        works = (
            self._small,
            self._chunked,
            self._look,
            self._trash,
            self._dav,
            self._nextcloud,
            self._log_in,
            self._zip,
        )
        threads = [threading.Thread(target=self._repeat, args=(work,)) for work in works]
        stream = threading.Thread(target=self._follow)
        for thread in (*threads, stream):
            thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            for thread in threads:
                thread.join()
            self._end_stream()
            stream.join()

    def wait_for_more(self, count: int = 2) -> None:
        """Wait until every client has done its work that many times more."""
        with self._changed:
            goal = {name: self.done[name] + count for name in self.done}
            reached = self._changed.wait_for(
                lambda: bool(self.failures) or all(self.done[name] >= goal[name] for name in goal), PATIENCE
            )
        assert not self.failures, self.failures
        assert reached, self.done

    def check(self) -> None:
        """Compare everything with what was acknowledged: nothing is lost, and nothing was done twice."""
        assert self.failures == []
        for folder, contents in self.stored.items():
            found = {one["objectName"]: one for one in self.client.listing(self._folders[folder])}
            assert found.keys() == contents.keys()
            for name, content in contents.items():
                assert (found[name]["hash"], found[name].get("version", 1)) == (md5(content), 1), name
            for name in list(contents)[::10]:
                assert self.client.download(found[name]["objectKey"]) == contents[name]
        assert sorted(one["objectName"] for one in self.client.trash()) == sorted(self.deleted)
        assert self._before_end - self.streamed == set()

    def _all_changes(self) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        cursor, has_more = self.cursor, True
        while has_more:
            page = self.client.json("GET", "/x/v1/changes", params={"cursor": cursor})
            found |= {(one["kind"], one["objectKey"]) for one in page["changes"]}
            cursor, has_more = page["cursor"], page["hasMore"]
        return found

    def _repeat(self, work: Callable[[PlainClient, int], None]) -> None:
        name = work.__name__.removeprefix("_")
        with self._changed:
            self.done[name] += 0
        try:
            with self.client.twin(retries=0) as client, httpx2.Client(timeout=PATIENCE) as _OWN.http:
                for number in itertools.count():
                    work(client, number)
                    with self._changed:
                        self.done[name] += 1
                        self._changed.notify_all()
                    if self._is_over.wait(PAUSE):
                        return
        except (AssertionError, httpx2.HTTPError, KeyError, ValueError) as failure:
            with self._changed:
                self.failures.append(f"{name}: {failure!r}")
                self._changed.notify_all()

    def _acknowledge(self, folder: str, name: str, content: bytes) -> None:
        self.stored.setdefault(folder, {})[name] = content

    # What the clients do

    def _small(self, client: PlainClient, number: int) -> None:
        name, content = f"{number}.bin", os.urandom(1 + number * 977 % (300 * KIB))
        assert client.upload(name, content, self._folders["small"])["version"] == 1
        self._acknowledge("small", name, content)

    def _chunked(self, client: PlainClient, number: int) -> None:
        name, size = f"{number}.bin", 128 * KIB
        content = os.urandom(3 * size)
        transaction = client.initiate(name, content, self._folders["chunked"])["transactionId"]
        for offset in range(0, len(content), size):
            answer = client.chunk(transaction, offset, content[offset : offset + size])
        assert (answer["hash"], answer["version"]) == (md5(content), 1)
        self._acknowledge("chunked", name, content)

    def _look(self, client: PlainClient, number: int) -> None:
        names = client.page(self._folders["small"], type="f", limit=50)
        if names:
            client.download(names[number % len(names)]["objectKey"])

    def _trash(self, client: PlainClient, number: int) -> None:
        content = f"trashed {number}".encode()
        made = client.upload(f"{number}.txt", content, self._folders["trashed"])
        client.changed("TRASH", made, status="T")
        client.restore(made["objectKey"])
        self._acknowledge("trashed", f"{number}.txt", content)

    def _dav(self, _: PlainClient, number: int) -> None:
        # Half of them larger than what a proxy reads with the head.
        name, content = f"{number}.bin", os.urandom(200 if number % 2 else 200 * KIB)
        put = self._call("PUT", f"/dav/dav/{name}", content=content)
        assert put.status_code == 201, put.text
        self._acknowledge("dav", name, content)

    def _nextcloud(self, _: PlainClient, number: int) -> None:
        """An upload in chunks, then a folder that is made, moved and deleted: nothing of it may be repeated."""
        base, files = f"/remote.php/dav/uploads/{self.email}/{number}", f"/remote.php/dav/files/{self.email}"
        content = os.urandom(300)
        for method, path, headers, expected in (
            ("MKCOL", base, {}, 201),
            ("PUT", f"{base}/1", {}, 201),
            ("MOVE", f"{base}/.file", {"Destination": f"{self.url}{files}/dav/cloud-{number}.bin"}, 201),
            ("MKCOL", f"{files}/made-{number}", {}, 201),
            ("MOVE", f"{files}/made-{number}", {"Destination": f"{self.url}{files}/moved-{number}"}, 201),
            ("DELETE", f"{files}/moved-{number}", {}, 204),
        ):
            answer = self._call(method, path, headers=headers, content=content if method == "PUT" else None)
            assert answer.status_code == expected, (method, path, answer.status_code, answer.text)
        self._acknowledge("dav", f"cloud-{number}.bin", content)
        self.deleted.append(f"moved-{number}")

    def _log_in(self, _: PlainClient, number: int) -> None:
        """A session is known at once to the instance that has not made it; the device's former one has ended."""
        device = {"deviceKey": self._other.session["deviceKey"]} if number else {}
        with self._other:
            self._other = PlainClient([self.url], retries=0).log_in(self.email, **device)
        self._other.page(limit=1)

    def _zip(self, client: PlainClient, number: int) -> None:
        del number
        body = {"objectKeys": [self._folders["trashed"]], "archiveName": "all"}
        key = client.json("POST", "/x/v1/archives", json=body, expect=201)["archiveKey"]
        answer = client.get(f"/download/archives/{key}")
        assert answer.status_code == 200, answer.text
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert archive.testzip() is None

    def _call(self, method: str, path: str, **more: Any) -> httpx2.Response:
        answer: httpx2.Response = _OWN.http.request(method, self.url + path, auth=self._app, **more)
        return answer

    # The stream of changes

    def _follow(self) -> None:
        """Read events until all are there; a stream that ends is continued where it was."""
        cursor = self.cursor
        try:
            with httpx2.Client(base_url=self.url, timeout=PATIENCE) as http:
                while not self._has_all():
                    headers = {**self.client.headers, "Last-Event-ID": cursor}
                    with http.stream("GET", "/x/v1/changes/stream", headers=headers) as events:
                        assert events.status_code == 200, events.status_code
                        self.streams += 1
                        for line in events.iter_lines():
                            cursor = self._take(line, cursor)
                            if self._has_all():
                                return
        except (AssertionError, httpx2.HTTPError, ValueError) as failure:
            with self._changed:
                self.failures.append(f"stream: {failure!r}")
                self._changed.notify_all()

    def _take(self, line: str, cursor: str) -> str:
        kind, _, value = line.partition(": ")
        self.hints += line == ": the server stops, reconnect"
        if kind == "data" and value != "{}":
            self.streamed |= {(one["kind"], one["objectKey"]) for one in json.loads(value)["changes"]}
        return value if kind == "id" else cursor

    def _has_all(self) -> bool:
        return bool(self.failures) or self._last in self.streamed

    def _end_stream(self) -> None:
        """Make one more change, which is the last one that the stream waits for."""
        if not self.failures:
            made = self.client.folder("last")
            self._before_end = self._all_changes()
            self._last = next(one for one in self._before_end if one[1] == made["objectKey"])
            # It may have been streamed already: this one makes the stream look again.
            self.client.folder("after the last")
