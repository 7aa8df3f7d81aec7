"""Below a path of a host, behind a real nginx and a real HAProxy, with a browser and the command line."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.end_to_end.browser import chromium
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.proxies import example, free_port, running_haproxy, running_nginx_with
from tests.server.api import PASSWORD, new_account
from tests.server.running import RunningServer, opened

from skyshelf.client.sync_client import Client

EMAIL = "grace@example.org"
PATIENCE_MS = 60_000


class Site:
    """A server below /drive, behind proxies that keep the path or remove it."""

    def __init__(self, until: ExitStack, make: pytest.TempPathFactory) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/drive"
        server = RunningServer(make.mktemp("below") / "data", "--public-url", self.url)
        put_migrated(server.data)
        server.start()
        until.callback(server.close)
        with opened(server.data) as ctx:
            new_account(ctx, EMAIL)
        self.server = server
        self.port = port
        self._folder = make.mktemp


@pytest.fixture(scope="module", params=["nginx", "nginx that removes it", "haproxy", "haproxy that removes it"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as until:
        site = Site(until, tmp_path_factory)
        backend, removes = f"127.0.0.1:{site.server.port}", "removes" in request.param
        if request.param.startswith("nginx"):
            changes = {" /skyshelf": " /drive"} | ({"http://skyshelf;": "http://skyshelf/;"} if removes else {})
            text = re.sub(r"^#.*\n", "", example("nginx-path.conf", {}), flags=re.MULTILINE)
            for old, new in changes.items():
                text = text.replace(old, new)
            until.enter_context(
                running_nginx_with(
                    tmp_path_factory.mktemp("nginx"),
                    f"server {{\nlisten 127.0.0.1:{site.port};\n{text}\n}}",
                    site.port,
                    outside=f"upstream skyshelf {{ server {backend}; keepalive 4; }}",
                )
            )
        else:
            removing = r"    http-request replace-path ^/drive(/.*)?$ \1" + "\n" if removes else ""
            text = example(
                "haproxy.cfg",
                {
                    "    bind :80\n": "",
                    "bind :443 ssl crt /etc/haproxy/drive.example.org.pem alpn h2,http/1.1": (
                        f"bind 127.0.0.1:{site.port}"
                    ),
                    "    http-request redirect scheme https code 308 unless { ssl_fc }\n": "",
                    "    default_backend skyshelf\n": "    acl drive path /drive\n    acl drive path_beg /drive/\n"
                    "    use_backend skyshelf if drive\n",
                    "    option httpchk GET /readyz\n": f"    option httpchk GET /readyz\n{removing}",
                    "127.0.0.1:8600": backend,
                },
            )
            until.enter_context(running_haproxy(tmp_path_factory.mktemp("haproxy"), text, site.port))
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    context = browser.new_context(service_workers="allow", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page = context.new_page()
    outside: list[str] = []
    failed: list[str] = []
    page.on("request", lambda sent: None if _is_below(sent.url, site) else outside.append(sent.url))
    page.on("response", lambda got: failed.append(f"{got.status} {got.url}") if got.status in {404, 405, 500} else None)
    page.on("pageerror", lambda wrong: failed.append(str(wrong)))
    yield page
    context.close()
    assert outside == []
    assert failed == []


def _is_below(url: str, site: Site) -> bool:
    return url.startswith((f"{site.url}/", "data:", "blob:")) or url == site.url


def test_a_person_works_below_the_path(page: Page, site: Site, tmp_path: Path) -> None:
    """Log in, upload, look at a picture, make a link, open the albums by their address, and reload them."""
    page.goto(f"{site.url}/")
    page.locator("input[type=email]").fill(EMAIL)
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    expect(page.locator("main#content")).to_be_visible()
    notes = tmp_path / "notes.txt"
    notes.write_text("below the path")
    page.get_by_role("button", name="Upload", exact=True).first.click()
    with page.expect_response(lambda got: "/upload/files" in got.url and got.request.method == "POST") as sent:
        with page.expect_file_chooser() as choosing:
            page.get_by_role("menuitem", name="Upload files").click()
        choosing.value.set_files(notes)
    assert sent.value.ok
    expect(page.get_by_text("notes.txt").first).to_be_visible()
    page.goto(f"{site.url}/drive/boards")
    expect(page.locator("main#content")).to_be_visible()
    assert page.url == f"{site.url}/drive/boards"
    page.reload()
    expect(page.locator("main#content")).to_be_visible()
    workers = page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)")
    assert workers == f"{site.url}/"
    cookies = {cookie["name"]: cookie["path"] for cookie in page.context.cookies()}
    assert cookies == {"skyshelf_session": "/drive", "skyshelf_nonce": "/drive/download"}


def test_a_link_opens_for_everybody(page: Page, site: Site, tmp_path: Path) -> None:
    (tmp_path / "shared.txt").write_bytes(b"for everybody")
    with Client(site.url) as client:
        client.login(EMAIL, PASSWORD)
        stored = client.upload(tmp_path / "shared.txt")
        link = client.shares.create([stored]).url
    assert link.startswith(f"{site.url}/l/?u=")
    page.goto(link)
    expect(page.get_by_role("heading", name="shared.txt")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download").first.click()
    assert Path(saved.value.path()).read_bytes() == b"for everybody"


def test_outside_of_the_path_there_is_nothing(site: Site) -> None:
    host = site.url.removesuffix("/drive")
    assert httpx2.get(f"{host}/livez").status_code in {404, 503}
    assert httpx2.get(f"{site.url}/livez").status_code == 200
