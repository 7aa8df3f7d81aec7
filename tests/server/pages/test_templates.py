"""Templates of pages are compiled once, and never while the event loop waits for them."""

import asyncio
from typing import Any

import jinja2
import pytest
from tests.server.in_process import TestClient

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.pages import rendering
from skyshelf.server.pages.web_client import routes
from skyshelf.server.pipeline.admission.kinds import RESPONSES

BROWSER = {"Accept": "text/html"}


@pytest.fixture
def compiled(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The templates of a process that has shown no page yet, as they are compiled: never by the event loop."""
    compiled: list[str | None] = []
    compile_one = jinja2.Environment.compile

    def counted(environment: jinja2.Environment, source: Any, name: str | None = None, *rest: Any, **more: Any) -> Any:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        compiled.append(name)
        return compile_one(environment, source, name, *rest, **more)

    monkeypatch.setattr(jinja2.Environment, "compile", counted)
    monkeypatch.setattr(routes, "built_files", lambda _="": {})
    rendering._environment.cache_clear()
    rendering._loaded.cache_clear()
    return compiled


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/l/?u=unknown", 404),
        ("/l/zip?u=unknown", 404),
        ("/index.php/login/v2/flow/none", 404),
        ("/none", 404),
        ("/", 200),
    ],
)
def test_the_first_page_is_compiled_in_a_thread(
    client: TestClient, compiled: list[str | None], path: str, status: int
) -> None:
    """The first visitor of a process held its event loop for a fifth of a second."""
    assert client.get(path, headers=BROWSER).status_code == status
    assert "base.html" in compiled
    compiled.clear()
    assert client.get(path, headers=BROWSER).status_code == status
    assert compiled == []


@pytest.mark.parametrize("path", ["/l/?u=unknown", "/l/send?u=unknown"])
def test_so_is_the_page_of_a_visitor_who_is_not_admitted(
    app: SkyshelfApp, client: TestClient, compiled: list[str | None], path: str
) -> None:
    unread = app.pipeline.admission.take(RESPONSES, key="testclient", weight=RESPONSES.share)
    try:
        assert client.request("POST" if "send" in path else "GET", path, headers=BROWSER).status_code == 429
    finally:
        unread.release()
    assert "base.html" in compiled
