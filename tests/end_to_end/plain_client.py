"""A client that somebody else wrote: from the interface's description alone, with nothing of our code in it."""

import hashlib
import itertools
import json
import time
from collections.abc import Iterable, Iterator
from typing import Any

import httpx2

Json = dict[str, Any]

PASSWORD = "correct horse battery"
# Public constants of every web session; the server lists them in its description of the interface.
API_KEY = "sky-web-5f1c07b29ad84e63"
APP_SECRET = "MGMzZDVmOWUtN2IxYS00ZTI4LTlkNjYtOGE0MjE1YzBlN2Yz"
JSON_TYPE = "application/json; charset=UTF-8"
RETRIES = 3
PATIENCE = 20


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class PlainClient:
    """One session. Requests go to the addresses in turn; one that does not answer is passed over for the next."""

    def __init__(
        self, urls: list[str], session: Json | None = None, *, retried: Iterable[int] = (), retries: int = RETRIES
    ) -> None:
        self.urls = urls
        self._retries = retries
        self._turn = itertools.count()
        self._retried = frozenset(retried)
        self._http = httpx2.Client(timeout=60)
        self.session: Json = session or {}

    def twin(self, urls: list[str] | None = None, *, retries: int = RETRIES) -> "PlainClient":
        """Use the same session over separate connections, for another thread or other addresses."""
        return PlainClient(urls or self.urls, self.session, retried=self._retried, retries=retries)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "PlainClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def root(self) -> str:
        key: str = self.session["rootFolderKey"]
        return key

    @property
    def headers(self) -> dict[str, str]:
        """All that every request carries; before the login there is nobody to name."""
        person = self.session and {
            "Authorization": f"Basic {self.session['authToken']}",
            "X-User-Id": self.session["userId"],
            "X-Device-Key": self.session["deviceKey"],
        }
        return {
            **person,
            "X-Device-Type": "W",
            "X-Api-Key": API_KEY,
            "X-App-Secret": APP_SECRET,
            "X-Client-Details": "clientType:WEB; appVersion:86.0.1",
            "Accept": JSON_TYPE,
            "Content-Type": JSON_TYPE,
            "User-Agent": "Mozilla/5.0 (a client of somebody else)",
            "Accept-Language": "en-US,en;q=0.9",
        }

    def request(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> httpx2.Response:
        """Transport errors, and the statuses that the client was told to retry, are tried again elsewhere.

        An address at which nobody listens has heard nothing: that is no try, and a server that comes back is found.
        """
        give_up, tries = time.monotonic() + PATIENCE, 0
        while True:
            url = self.urls[next(self._turn) % len(self.urls)]
            try:
                answer = self._http.request(method, url + path, headers=self.headers | (headers or {}), **more)
            except httpx2.ConnectError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.02)
            except httpx2.TransportError:
                tries += 1
                if tries > self._retries:
                    raise
            else:
                tries += 1
                if answer.status_code not in self._retried or tries > 40:
                    return answer

    def get(self, path: str, **more: Any) -> httpx2.Response:
        return self.request("GET", path, **more)

    def json(self, method: str, path: str, *, expect: int = 200, **more: Any) -> Any:
        """The body of an answer that has the expected status."""
        answer = self.request(method, path, **more)
        assert answer.status_code == expect, (method, path, answer.status_code, answer.text)
        return answer.json()

    def log_in(self, email: str, **more: str) -> "PlainClient":
        self.session = self.json("POST", "/x/v1/login", json={"emailId": email, "password": PASSWORD, **more})
        return self

    # Files and folders

    def page(self, folder: str | None = None, **query: Any) -> list[Json]:
        answer: Json = self.json("GET", "/nms/metadata", params={"folderKey": folder or self.root, **query})
        assert isinstance(answer["usedSpace"], int)
        assert answer["isUploadAllowed"] is True
        objects: list[Json] = answer["objects"]
        return objects

    def listing(self, folder: str | None = None, *, limit: int = 2000, **query: Any) -> list[Json]:
        """All of a folder: one run of pages per type, up to the first short page."""
        found: list[Json] = []
        for kind in ("w", "f"):
            for number in itertools.count():
                page = self.page(folder, type=kind, limit=limit, page=number, **query)
                found += page
                if len(page) < limit:
                    break
        return found

    def names(self, folder: str | None = None) -> list[str]:
        return [one["objectName"] for one in self.listing(folder)]

    def walk(self, folder: str | None = None) -> Iterator[Json]:
        """Everything below a folder."""
        for one in self.listing(folder):
            yield one
            if one["objectType"] == "FR":
                yield from self.walk(one["objectKey"])

    def folder(self, name: str, parent: str | None = None) -> Json:
        body = {"objectName": name, "parentObjectKey": parent or self.root, "sourceName": "DRIVE"}
        made: Json = self.json("POST", "/nms/folders", json=body, expect=201)
        return made

    def batch(self, operation: str, *echoes: Json, **changes: Any) -> Json:
        """One operation on several objects, each a full echo with the change in it."""
        entries = [
            {"operation": operation, "correlationId": self.session["userId"], "object": echo | changes}
            for echo in echoes
        ]
        answer: Json = self.json("PUT", "/nms/metadata/1.0", json={"objects": entries})
        return answer

    def changed(self, operation: str, echo: Json, **changes: Any) -> Json:
        """The object after an operation that went through."""
        answer = self.batch(operation, echo, **changes)
        assert answer["unprocessed"] == [], answer
        (processed,) = answer["objects"]
        assert processed["operation"] == operation
        after: Json = processed["object"]
        return after

    def trash(self) -> list[Json]:
        objects: list[Json] = self.json("GET", "/nms/trash", params={"limit": 2000})["objects"]
        return objects

    def restore(self, *keys: str) -> Json:
        answer: Json = self.json("PUT", "/nms/metadata/restore", json={"objectKeys": list(keys)})
        return answer

    # Content

    def described(self, name: str, data: bytes, folder: str | None = None, **more: Any) -> Json:
        return {"name": name, "size": len(data), "hash": md5(data), "folderKey": folder or self.root, **more}

    def upload(self, name: str, data: bytes, folder: str | None = None, **more: Any) -> Json:
        """One call for a small file."""
        about = json.dumps(self.described(name, data, folder, **more))
        request = httpx2.Request("POST", "http://form", files={"metadataString": (None, about), "file": (name, data)})
        kind = {"Content-Type": request.headers["content-type"]}
        made: Json = self.json("POST", "/upload/files", content=request.read(), headers=kind, expect=201)
        return made

    def initiate(self, name: str, data: bytes, folder: str | None = None) -> Json:
        """Begin or resume: the transaction and how far it came, or the finished object."""
        about = self.described(name, data, folder)
        answer: Json = self.json("POST", "/upload/files/chunked/initiate", json=about, expect=201)
        return answer

    def chunk(self, transaction: str, offset: int, data: bytes, *, content: Iterable[bytes] | None = None) -> Json:
        """Send a chunk; content is the same bytes in pieces."""
        answer = self.request(
            "PUT",
            "/upload/files/chunked",
            params={"uploadId": transaction},
            content=data if content is None else content,
            headers={
                "Content-Type": "application/octet-stream",
                "Content-Length": str(len(data)),
                "X-Offset": str(offset),
                "Content-MD5": md5(data),
            },
        )
        assert answer.status_code in {200, 201}, answer.text
        done: Json = answer.json()
        return done

    def download(self, key: str, **more: Any) -> bytes:
        """A whole file, checked against the hash that the server names for it."""
        answer = self.get(f"/download/files/{key}", **more)
        assert answer.status_code == 200, answer.text
        assert answer.headers["etag"] == f'"{md5(answer.content)}"'
        assert answer.headers["content-length"] == str(len(answer.content))
        return answer.content
