"""Share links: made by a client, visited by somebody without an account."""

import io
import re
import zipfile
from html import unescape
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from tests.end_to_end.plain_client import Json, PlainClient
from tests.real_parts.servers import Stack

pytestmark = pytest.mark.plain


def visit(client: PlainClient, url: str) -> httpx2.Response:
    """Open a link like a browser without a session, at whichever server answers."""
    with PlainClient(client.urls) as visitor:
        parts = urlsplit(url)
        return visitor.get(f"{parts.path}?{parts.query}", headers={"Content-Type": "", "Accept": "*/*"})


def shared(client: PlainClient, *objects: Json) -> str:
    body = {
        "objects": [{"objectKey": one["objectKey"]} for one in objects],
        "shareName": "06May2024_070809",
        "shareType": "L",
    }
    url: str = client.json("POST", "/share/ulinks", json=body, expect=201)["shareURL"]
    return url


def links(page: httpx2.Response, path: str, base: str) -> list[str]:
    """The addresses on a page whose path begins so."""
    found = [urljoin(base, unescape(one)) for one in re.findall(r'href="([^"]+)"', page.text)]
    return [one for one in found if urlsplit(one).path.startswith(path)]


def test_a_link_is_a_page_with_its_files_and_everything_as_one_archive(stack: Stack, client: PlainClient) -> None:
    folder = client.folder("Holidays & more")
    client.upload("inside.txt", b"inside", folder["objectKey"])
    single = client.upload("single.txt", b"single")
    client.upload("secret.txt", b"secret")
    url = shared(client, folder, single)
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/l/\?u=[\w-]{22,}", url)
    stack.strike()
    page = visit(client, url)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "Holidays &amp; more" in page.text
    assert "single.txt" in page.text
    assert "secret.txt" not in page.text
    archive = visit(client, links(page, "/l/zip", url)[0])
    with zipfile.ZipFile(io.BytesIO(archive.content)) as content:
        assert content.testzip() is None
        read = {name: content.read(name) for name in content.namelist() if not name.endswith("/")}
    assert read == {"Holidays & more/inside.txt": b"inside", "single.txt": b"single"}
    by_me = client.json("GET", "/nms/collshare/byme", params={"page": 0, "limit": 10, "sort": "-smd"})["objects"]
    assert {one["objectKey"] for one in by_me} == {folder["objectKey"], single["objectKey"]}


def test_a_link_shows_what_exists_at_the_time_of_the_visit(stack: Stack, client: PlainClient) -> None:
    folder = client.folder("shared")
    file = client.upload("first.txt", b"first", folder["objectKey"])
    url = shared(client, folder)
    stack.strike()
    client.changed("RENAME", file, objectName="second.txt")
    assert "second.txt" in visit(client, url).text
    client.changed("TRASH", folder, status="T")
    hidden = visit(client, url)
    assert "second.txt" not in hidden.text
    unknown = visit(client, url.partition("?u=")[0] + "?u=" + "A" * 43)
    assert unknown.status_code == 404
    client.restore(folder["objectKey"])
    assert "second.txt" in visit(client, url).text
