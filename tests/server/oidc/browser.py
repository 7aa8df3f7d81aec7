"""A browser between the server and the provider: it follows redirects by hand, and keeps cookies per path."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from tests.real_parts.scripted_provider import ScriptedProvider
from tests.server.in_process import TestClient

from skyshelf.wire.headers import API_KEY, APP_SECRET

HEADERS = {
    "x-api-key": API_KEY,
    "x-app-secret": APP_SECRET,
    "content-type": "application/json",
    "accept-language": "en",
    "sec-fetch-site": "same-origin",
}


class Browser:
    """The cookies that the server has set are sent back by the client itself."""

    def __init__(self, client: TestClient, provider: ScriptedProvider) -> None:
        self.client = client
        self.provider = provider

    def another(self) -> "Browser":
        """Return somebody else's browser, without cookies."""
        return Browser(TestClient(self.client.app, follow_redirects=False), self.provider)

    def begin(self, back: str = "/drive", **query: str) -> str:
        """Choose the provider: its page."""
        answer = self.client.get("/oidc/company/login", params={"return": back, **query})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def come_back(self, query: dict[str, str]) -> str:
        """Come back from the provider: the page of the web client."""
        answer = self.client.get("/oidc/company/callback", params=query)
        assert answer.status_code == 303, answer.text
        assert answer.headers["cache-control"] == "no-store"
        return str(answer.headers["location"])

    def outcome(self) -> str:
        """Log in at the provider, up to the page of the web client: done, or a problem."""
        return outcome_in(self.come_back(self.provider.authorize(self.begin())))

    def finish(self, **body: Any) -> httpx2.Response:
        """What the page of the web client does then."""
        answer: httpx2.Response = self.client.post("/x/v1/login/provider", json=body, headers=HEADERS)
        return answer

    def log_in(self) -> httpx2.Response:
        assert self.outcome() == "done"
        return self.finish()

    def profile(self) -> httpx2.Response:
        answer: httpx2.Response = self.client.get("/security/users", headers=HEADERS)
        return answer


def outcome_in(page: str, name: str = "login") -> str:
    return parse_qs(urlsplit(page).query)[name][0]
