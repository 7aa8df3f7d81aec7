"""What a browser meets at the address that the server prints."""

from starlette.testclient import TestClient


def test_the_address_of_the_service_shows_a_page_that_leads_on(anonymous: TestClient) -> None:
    answer = anonymous.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert 'href="/docs"' in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_what_the_page_links_to_is_there(anonymous: TestClient) -> None:
    for path in ("/docs", "/openapi.json"):
        assert anonymous.get(path).status_code == 200
