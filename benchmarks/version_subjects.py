"""Two versions of our server, each started by its own command and filled over HTTP with the same files."""

import base64
import http.client
import json
import os
import subprocess
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import server_load as load
from benchmarks import server_ours as ours
from benchmarks.dav_servers import Server
from benchmarks.other_version import program
from benchmarks.server_process import ServerProcess, free_port
from benchmarks.server_subjects import PAGE_OBJECTS, Ask, Files, Subject
from skyshelf.wire.headers import session_headers

FOLDER, CHANGING = f"list-{PAGE_OBJECTS}", "IMG_000000.bin"
AT_ONCE = 8
IDLE = 0.02
"""Processor time in half a second below which nothing goes on in the background."""


@dataclass
class Version:
    """One version: its server as the interface and as WebDAV see it, on one account."""

    subject: Subject
    dav: Server
    root_key: str
    not_modified: Ask
    """The page again, by its ETag."""

    @property
    def process(self) -> ServerProcess:
        return self.subject.process


def filled(name: str, checkout: Path, files: Files, data: Path, metadata: str | None) -> Version:
    """Start the server of a checkout on new stores, and upload the files. It runs afterwards."""
    data.mkdir(mode=0o700)
    stores = ["--data", str(data), *(["--metadata", metadata] if metadata else [])]
    command = program(checkout)
    _run(command, "admin", "init", *stores)
    new = ["admin", "user", "add", ours.EMAIL, "--first-name", "A", "--last-name", "B", "--password-stdin"]
    _run(command, *new, *stores, typed=ours.PASSWORD)
    port = free_port()
    process = ServerProcess([command, "serve", *stores, "--port", str(port)], port, ready="/healthz")
    process.start()
    try:
        return _uploaded(name, process, files)
    except BaseException:
        process.stop()
        raise


def settle(process: ServerProcess) -> None:
    """Wait until it does nothing in the background."""
    for _ in range(60):
        before = process.cpu_seconds()
        time.sleep(0.5)
        if process.cpu_seconds() - before < IDLE:
            return


def _run(*command: str, typed: str = "") -> None:
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} failed: {done.stderr[-2000:]}")


def _uploaded(name: str, process: ServerProcess, files: Files) -> Version:
    login = ours.log_in(process.port)
    headers = session_headers(login["authToken"], login["userId"], login["deviceKey"])
    root, port = login["rootFolderKey"], process.port
    keys = {
        folder: _asked(port, headers, "POST", "/nms/folders", _folder(root, folder))["objectKey"]
        for folder in (FOLDER, "pictures", "uploads")
    }
    page = Ask("GET", f"/nms/metadata?folderKey={keys[FOLDER]}&type=f&limit={PAGE_OBJECTS}")
    subject = Subject(
        name=name, process=process, headers=headers, page=page, tiny=Ask("GET", "/security/users"),
        small_paths=[], thumbnail_paths=[],
        put_small=lambda number, content: ours.form(keys["uploads"], f"upload {number}.bin", content),
    )  # fmt: skip
    uploads = [ours.form(keys[FOLDER], path.name, path.read_bytes()) for path in files.small]
    uploads += [ours.form(keys["pictures"], path.name, path.read_bytes()) for path in files.pictures]
    load.each_once(subject, uploads, at_once=AT_ONCE)
    small = _listed(port, headers, page.path)
    pictures = _listed(port, headers, f"/nms/metadata?folderKey={keys['pictures']}&type=f&limit={PAGE_OBJECTS}")
    subject.small_paths = [f"/download/files/{key}" for file, key in small.items() if file != CHANGING]
    subject.thumbnail_paths = [f"/download/avimages/{key}?size=256" for key in pictures.values()]
    if (len(small), len(pictures)) != (len(files.small), len(files.pictures)):
        raise RuntimeError(f"{name} lists {len(small)} files and {len(pictures)} pictures")
    ours.prepare_thumbnails(port, headers, subject.thumbnail_paths, files.thumbnails)
    dav = _by_webdav(name, process, headers)
    with closing(dav.connection()) as connection:
        dav.ask(connection, "PUT", "small.bin", os.urandom(4096))
        dav.ask(connection, "PUT", "large.bin", os.urandom(1 << 20))
    url = f"{subject.url}/upload/files"
    load.upload_by(subject, ours.upload_by_curl(url, headers, root, "the large file.bin", files.large))
    (large,) = [key for file, key in _listed(port, headers, f"/nms/metadata?folderKey={root}&type=f").items()
                if file == "the large file.bin"]  # fmt: skip
    subject.large_path = f"/download/files/{large}"
    etag = _response(port, headers, "GET", page.path)[0]["ETag"]
    return Version(subject, dav, root, Ask("GET", page.path, {"If-None-Match": etag}))


def _by_webdav(name: str, process: ServerProcess, headers: Mapping[str, str]) -> Server:
    asked = json.dumps({"name": "bench", "password": ours.PASSWORD}).encode()
    made = _asked(process.port, headers, "POST", "/x/v1/app-passwords", asked)
    basic = base64.b64encode(f"{made['userName']}:{made['password']}".encode()).decode()
    return Server(name, process, "/dav/", {"Authorization": f"Basic {basic}"})


def _folder(parent: str, name: str) -> bytes:
    return json.dumps({"objectName": name, "parentObjectKey": parent, "sourceName": "DRIVE"}).encode()


def _listed(port: int, headers: Mapping[str, str], path: str) -> dict[str, str]:
    """Return the keys of a page's objects by their names."""
    return {one["objectName"]: one["objectKey"] for one in _asked(port, headers, "GET", path)["objects"]}


def _asked(port: int, headers: Mapping[str, str], method: str, path: str, body: bytes = b"") -> Any:
    return json.loads(_response(port, headers, method, path, body)[1])


def _response(
    port: int, headers: Mapping[str, str], method: str, path: str, body: bytes = b""
) -> tuple[http.client.HTTPMessage, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body=body or None, headers=dict(headers))
        answer = connection.getresponse()
        content = answer.read()
    if answer.status >= 300:
        raise RuntimeError(f"{method} {path} was answered with {answer.status}: {content[:500].decode()}")
    return answer.headers, content
