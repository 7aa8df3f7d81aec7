"""Over TLS, browsers are asked to come back over TLS alone; over a plain connection they would ignore it."""

import pytest
from msgspec.structs import replace
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext

HEADER = "strict-transport-security"
PATHS = ["/", "/healthz", "/docs", "/l/?u=unknown", "/l/style.css", "/security/users", "/nowhere", "/assets/none.js"]


def visitor(ctx: ServiceContext, settings: ServerSettings, url: str, peer: str = "203.0.113.9") -> TestClient:
    return TestClient(app_for(ctx, settings), base_url=url, client=(peer, 4000), raise_server_exceptions=False)


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_over_tls_says_so_and_none_over_a_plain_connection(
    ctx: ServiceContext, settings: ServerSettings, path: str
) -> None:
    assert visitor(ctx, settings, "https://drive.example.org").get(path).headers[HEADER] == "max-age=31536000"
    assert HEADER not in visitor(ctx, settings, "http://drive.example.org").get(path).headers


def test_a_proxy_is_believed_only_if_it_is_trusted(ctx: ServiceContext, settings: ServerSettings) -> None:
    by_tls = {"x-forwarded-proto": "https"}
    url = "http://drive.example.org"
    assert HEADER in visitor(ctx, settings, url, peer="127.0.0.1").get("/", headers=by_tls).headers
    assert HEADER not in visitor(ctx, settings, url).get("/", headers=by_tls).headers
    # The proxy's own word is the last one, whatever the client has sent.
    forged = {"x-forwarded-proto": "https, http"}
    assert HEADER not in visitor(ctx, settings, url, peer="127.0.0.1").get("/", headers=forged).headers


def test_a_public_url_decides(ctx: ServiceContext, settings: ServerSettings) -> None:
    public = replace(settings, public_url="https://drive.example.org")
    assert HEADER in visitor(ctx, public, "http://10.0.0.1").get("/").headers
