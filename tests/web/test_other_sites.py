"""Pages of other sites in the browser of somebody who is logged in: they read nothing and change nothing.

The names end in .test, so for the browser these are plain HTTP and two sites: it reports neither a site with a request
nor keeps a page from asking. On 127.0.0.1 it does both.
"""

import hashlib
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page
from tests.server.api import PASSWORD, Api, new_account
from tests.server.running import RunningServer
from tests.web.visiting import PATIENCE_MS, log_in

FORM = """([address, kind, name, value]) => {
  const form = Object.assign(document.createElement('form'), { method: 'POST', enctype: kind, action: address });
  form.append(Object.assign(document.createElement('input'), { name, value }));
  document.body.append(form);
  form.submit();
}"""
FETCH = """async ([address, method, mode, type, body]) => {
  const given = body === null ? {} : { body: new Blob([body], { type }) };
  try {
    const answer = await fetch(address, {
      method,
      mode,
      credentials: 'include',
      signal: AbortSignal.timeout(10_000),
      ...given,
    });
    return [answer.type, await answer.text()];
  } catch {
    return null;
  }
}"""


class Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Elsewhere</h1>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """The port of a server with a page of somebody else."""
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = Thread(target=serving.serve_forever)
    thread.start()
    yield serving.server_port
    serving.shutdown()
    thread.join()
    serving.server_close()


@pytest.fixture(params=["drive.test", "127.0.0.1"])
def host(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def visited(browser: Browser) -> Iterator[Page]:
    with browser.new_context(service_workers="block") as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()


def is_logged_in(page: Page, address: str) -> bool:
    """Whether the drive opens for the browser, and not the login."""
    page.goto(f"{address}/drive")
    opened = page.locator("main#content")
    opened.or_(page.locator("input[type=email]")).first.wait_for()
    return opened.is_visible()


def names(api: Api) -> list[str]:
    """The names of all files and folders of the account."""
    listings = (api.get(f"/nms/metadata?folderKey={api.root_key}&type={kind}&limit=50&page=0") for kind in "wf")
    return sorted({one["objectName"] for listed in listings for one in listed.json()["objects"]})


def test_a_form_elsewhere_logs_nobody_in(
    visited: Page, server: RunningServer, api: Api, elsewhere: int, host: str
) -> None:
    address = f"http://{host}:{server.port}"
    intruder = new_account(api.ctx, f"intruder-{host}@example.org")
    body = json.dumps({"emailId": intruder.email, "password": PASSWORD, "inCookie": True, "x": ""})
    visited.goto(f"http://elsewhere.test:{elsewhere}/")
    visited.evaluate(FORM, [f"{address}/x/v1/login", "text/plain", body[:-2], '"}'])
    visited.wait_for_url("**/x/v1/login")
    assert not [one for one in visited.context.cookies() if "session" in one.get("name", "")]
    assert not is_logged_in(visited, address)


def test_a_page_elsewhere_cannot_use_the_session(
    visited: Page, server: RunningServer, api: Api, elsewhere: int, host: str
) -> None:
    address = f"http://{host}:{server.port}"
    visited.goto(f"{address}/drive")
    log_in(visited, api)
    kept = api.file("kept.txt", b"mine")
    # Another port of the same host is the same site: the browser sends even cookies for one site alone.
    for page in (f"http://elsewhere.test:{elsewhere}/", f"http://{host}:{elsewhere}/"):
        visited.goto(page)
        for method, path, body in (
            ("GET", "/security/users", None),
            ("GET", "/x/v1/session", None),
            ("GET", f"/download/files/{kept.object_key}", None),
            ("PUT", "/security/users/logout", None),
            ("POST", "/security/users/logout", None),
            ("POST", "/nms/folders", json.dumps({"name": "made elsewhere"})),
            ("POST", "/x/v1/admin/accounts", json.dumps({"emailId": "new@example.org"})),
            ("DELETE", f"/dav/{kept.name}", None),
            ("MKCOL", "/dav/made elsewhere", None),
        ):
            for mode in ("cors", "no-cors"):
                for kind in ("text/plain", "application/json"):
                    if mode == "no-cors" and method not in {"GET", "POST"}:
                        continue
                    seen = visited.evaluate(FETCH, [address + path, method, mode, kind, body])
                    assert seen is None or seen == ["opaque", ""], (method, path, mode)
    assert is_logged_in(visited, address)
    assert names(api) == ["kept.txt"]


def test_a_page_elsewhere_cannot_use_the_password_of_an_app(
    visited: Page, server: RunningServer, api: Api, elsewhere: int, host: str
) -> None:
    address = f"http://{host}:{server.port}"
    api.file("kept.txt", b"mine")
    made = api.post("/x/v1/app-passwords", json={"name": "Browser", "password": PASSWORD}).json()
    signed = f"http://{made['userName'].replace('@', '%40')}:{made['password']}@{host}:{server.port}"
    # The browser keeps the name and password, and sends them from now on.
    assert visited.goto(f"{signed}/dav/").status == 200  # type: ignore[union-attr]
    assert visited.goto(f"{address}/dav/").status == 200  # type: ignore[union-attr]
    content = b"sent elsewhere"
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    part = f"Content-Length: {len(content)}\r\nX-File-Path: /sent.txt\r\nX-File-MD5: {digest}\r\n\r\n{content.decode()}"
    for page in (f"http://elsewhere.test:{elsewhere}/", f"http://{host}:{elsewhere}/"):
        visited.goto(page)
        bulk = f"--x\r\n{part}\r\n--x--\r\n"
        for kind in ("multipart/form-data; boundary=x", "multipart/related; boundary=x", "text/plain"):
            for mode in ("cors", "no-cors"):
                seen = visited.evaluate(FETCH, [f"{address}/remote.php/dav/bulk", "POST", mode, kind, bulk])
                assert seen is None or seen == ["opaque", ""]
        for method in ("PUT", "DELETE", "PROPFIND", "MOVE", "MKCOL"):
            assert visited.evaluate(FETCH, [f"{address}/dav/kept.txt", method, "cors", "text/plain", None]) is None
        for mode in ("cors", "no-cors"):
            seen = visited.evaluate(FETCH, [f"{address}/dav/kept.txt", "GET", mode, "", None])
            assert seen is None or seen == ["opaque", ""]
    assert names(api) == ["kept.txt"]
