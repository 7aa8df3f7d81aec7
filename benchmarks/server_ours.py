"""Our own server on the same files, over SQLite and over PostgreSQL."""

import hashlib
import http.client
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.server_process import ServerProcess, free_port
from benchmarks.server_subjects import PAGE_OBJECTS, Ask, Files, Subject
from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.headers import session_headers

EMAIL, PASSWORD = "bench@example.org", "correct horse battery"
ON_SQLITE, ON_POSTGRESQL = "Skyshelf, SQLite", "Skyshelf, PostgreSQL"
PIECE = 1024 * 1024


def on_sqlite(files: Files, data: Path, *, workers: int) -> Subject:
    data.mkdir(mode=0o700)
    metadata, blobs = embedded_urls(data)
    return _subject(ON_SQLITE, files, data, metadata, blobs, ["--workers", str(workers)], large=True)


def on_postgresql(files: Files, data: Path, url: str, *, workers: int) -> Subject:
    """Its files are on disk too: what differs is where a page comes from."""
    data.mkdir(mode=0o700)
    store = PostgresStore(url)
    store.migrate()
    store.close()
    options = ["--workers", str(workers), "--metadata", url]
    return _subject(ON_POSTGRESQL, files, data, url, embedded_urls(data)[1], options, large=False)


def again(subject: Subject, options: list[str]) -> Subject:
    """Return the same server and data with more options; the first one must not be running."""
    command = [*subject.process.command, *options]
    return replace(subject, process=ServerProcess(command, subject.process.port, ready="/healthz"))


def _subject(
    name: str, files: Files, data: Path, metadata: str, blobs: str, options: list[str], *, large: bool
) -> Subject:
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    filled = _FilledAccount(ctx, files, large=large)
    ctx.metadata.close()
    ctx.blobs.close()
    port = free_port()
    command = [str(Path(sys.executable).with_name("skyshelf")), "serve", "--data", str(data), "--port", str(port)]
    process = ServerProcess([*command, *options], port, ready="/healthz")
    process.start()
    thumbnail_paths = [f"/download/avimages/{key}?size=256" for key in filled.picture_keys]
    try:
        login = log_in(port)
        headers = session_headers(login["authToken"], login["userId"], login["deviceKey"])
        prepare_thumbnails(port, headers, thumbnail_paths, files.thumbnails)
    finally:
        process.stop()
    url = f"http://127.0.0.1:{port}/upload/files"
    root = login["rootFolderKey"]

    def put_large(number: int) -> list[str]:
        return upload_by_curl(url, headers, root, f"large {number}", files.large)

    return Subject(
        name=name,
        process=process,
        headers=headers,
        page=Ask("GET", f"/nms/metadata?folderKey={filled.folder_key}&type=f&limit={PAGE_OBJECTS}"),
        tiny=Ask("GET", "/security/users"),
        small_paths=[f"/download/files/{key}" for key in filled.small_keys],
        thumbnail_paths=thumbnail_paths,
        large_path=f"/download/files/{filled.large_key}" if large else None,
        put_small=(lambda number, data: form(root, f"upload {number}.bin", data)) if large else None,
        put_large=put_large if large else None,
    )


class _FilledAccount:
    """An account that has the files."""

    def __init__(self, ctx: ServiceContext, files: Files, *, large: bool) -> None:
        account = accounts.add_account(ctx, EMAIL, "A", "B", PASSWORD)
        now = ctx.clock.now()
        folder = NewFolder(object_key=ctx.new_key(), parent_key=account.root_key, name="small")
        self.folder_key = folder.object_key
        new = [_new_file(ctx, path, self.folder_key) for path in files.small]
        self.small_keys = [one.object_key for one in new]
        pictures = [_new_file(ctx, path, account.root_key) for path in files.pictures]
        self.picture_keys = [one.object_key for one in pictures]
        new += pictures
        self.large_key = ""
        if large:
            new.append(_new_file(ctx, files.large, account.root_key))
            self.large_key = new[-1].object_key

        def work(unit: Unit) -> None:
            unit.tree.add_folder(account.account_id, folder, now)
            for one in new:
                unit.files.put(account.account_id, one, now, keep_versions=20)

        ctx.metadata.write(work)


def _new_file(ctx: ServiceContext, path: Path, folder_key: str) -> NewFile:
    stored, is_picture = ctx.blobs.put(_pieces(path)), path.suffix == ".jpg"
    now = ctx.clock.now()
    return NewFile(
        object_key=ctx.new_key(),
        parent_key=folder_key,
        name=path.name,
        sha256=stored.sha256,
        md5=_md5_of(path),
        size=path.stat().st_size,
        location=stored.location,
        category="photo" if is_picture else "document",
        mime_type="image" if is_picture else "application",
        mime_subtype="jpeg" if is_picture else "octet-stream",
        file_created_at=now,
        last_modified_at=now,
        created_by="A",
    )


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


@cache
def _md5_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def log_in(port: int) -> dict[str, Any]:
    """Return the answer to a login with the account's password."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = json.dumps({"emailId": EMAIL, "password": PASSWORD})
    connection.request("POST", "/x/v1/login", body=body, headers={"Content-Type": "application/json"})
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def prepare_thumbnails(port: int, headers: Mapping[str, str], paths: Sequence[str], folder: Path) -> None:
    """Have them made, and kept as files for the others."""
    folder.mkdir(exist_ok=True)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number, path in enumerate(paths):
        connection.request("GET", path, headers=dict(headers))
        answer = connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"the thumbnail {path} was answered with {answer.status}")
        (folder / f"{number:04d}.jpg").write_bytes(data)
    connection.close()


def upload_by_curl(url: str, headers: Mapping[str, str], folder_key: str, name: str, path: Path) -> list[str]:
    """Return the arguments of curl that upload a large file."""
    about = {"name": name, "size": path.stat().st_size, "hash": _md5_of(path), "folderKey": folder_key}
    sent = {key: value for key, value in headers.items() if key != "Content-Type"}
    named = [part for key, value in sent.items() for part in ("-H", f"{key}: {value}")]
    return [*named, "-F", f"metadataString={json.dumps(about)}", "-F", f"file=@{path}", url]


def form(folder_key: str, name: str, data: bytes) -> Ask:
    """Return the upload of a small file."""
    digest = hashlib.md5(data, usedforsecurity=False).hexdigest()
    about = json.dumps({"name": name, "size": len(data), "hash": digest, "folderKey": folder_key})
    parts = (("metadataString", about.encode()), ("file", data))
    body = b"".join(
        f'--bench\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + content + b"\r\n"
        for name, content in parts
    )
    headers = {"Content-Type": "multipart/form-data; boundary=bench"}
    return Ask("POST", "/upload/files", headers, body + b"--bench--\r\n")
