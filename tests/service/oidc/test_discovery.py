"""Discovery: what is fetched from a provider is bounded and checked, and every refusal is a sentence."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from tests.real_parts.scripted_provider import ScriptedProvider, new_key, scripted_provider, send

from skyshelf.service.oidc import fetch as fetching
from skyshelf.service.oidc.discovery import AGAIN_SECONDS, FRESH_SECONDS, STALE_SECONDS, Document
from skyshelf.service.oidc.fetch import AT_ONCE_MAX, BYTES_MAX, ProviderBusy, ProviderUnavailable, fetch
from skyshelf.service.oidc.relying_party import RelyingParty
from skyshelf.service.oidc.settings import Provider

DOCUMENT = "/.well-known/openid-configuration"


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedProvider]:
    with scripted_provider(new_key()) as provider:
        yield provider


@pytest.fixture
def provider(running: ScriptedProvider) -> ScriptedProvider:
    running.discovery, running.answers, running.asked = {}, {}, []
    running.published = [running.key]
    return running


def party(provider: ScriptedProvider, **settings: Any) -> RelyingParty:
    given = {"id": "company", "name": "Company", "issuer": provider.issuer, "client_id": "skyshelf", **settings}
    return RelyingParty(Provider(**given))


def problem_of(provider: ScriptedProvider, **settings: Any) -> str:
    with pytest.raises(ProviderUnavailable) as caught:
        party(provider, **settings).check()
    return str(caught.value)


def test_a_usable_provider_is_described(provider: ScriptedProvider) -> None:
    lines = party(provider).check()
    assert lines[0] == f"The provider is {provider.issuer} and has 1 key."
    assert any("back-channel" in line for line in lines)
    assert any("client-secret-file" in line for line in lines)


@pytest.mark.parametrize(
    ("discovery", "sentence"),
    [
        ({"issuer": "https://evil.example"}, "says that its issuer is https://evil.example"),
        ({"issuer": None}, "says that its issuer is missing"),
        ({"token_endpoint": None}, "cannot be used"),
        ({"token_endpoint": 7}, "cannot be used"),
        ({"token_endpoint": "http://evil.example/token"}, "token_endpoint must begin with https://"),
        ({"jwks_uri": "file:///etc/passwd"}, "jwks_uri must begin with https://"),
        ({"userinfo_endpoint": "https://user:pw@example.org/"}, "userinfo_endpoint must have neither a user"),
        ({"response_types_supported": ["id_token"]}, "authorization code flow"),
        ({"code_challenge_methods_supported": ["plain"]}, "PKCE"),
        ({"id_token_signing_alg_values_supported": ["HS256", "none"]}, "no algorithm"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused(
    provider: ScriptedProvider, discovery: dict[str, Any], sentence: str
) -> None:
    provider.discovery = discovery
    assert sentence in problem_of(provider)


def test_the_issuer_is_compared_exactly(provider: ScriptedProvider) -> None:
    assert "write it exactly as the provider does" in problem_of(provider, issuer=f"{provider.issuer}/")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b"7"])
def test_what_is_no_json_object_is_refused(provider: ScriptedProvider, content: bytes) -> None:
    provider.answers[DOCUMENT] = lambda request: send(request, content)
    assert "is not a JSON object" in problem_of(provider)


def test_a_huge_document_is_refused_and_not_kept_in_memory(provider: ScriptedProvider) -> None:
    provider.answers[DOCUMENT] = lambda request: send(request, b" " * (BYTES_MAX + 1))
    assert "is larger than 512 KiB" in problem_of(provider)


def test_a_document_without_end_is_refused(provider: ScriptedProvider) -> None:
    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        while True:
            request.wfile.write(b" " * 65536)

    provider.answers[DOCUMENT] = endless
    assert "is larger than 512 KiB" in problem_of(provider)


def test_redirects_are_refused(provider: ScriptedProvider) -> None:
    provider.answers[DOCUMENT] = lambda request: send(request, b"", 302, location="http://169.254.169.254/")
    assert "is redirected, which is refused" in problem_of(provider)
    assert provider.asked == [DOCUMENT]


def test_other_answers_and_hosts_that_are_not_there_are_named(provider: ScriptedProvider) -> None:
    provider.answers[DOCUMENT] = lambda request: send(request, {}, 404)
    assert "answers 404 instead of a discovery document: check the issuer" in problem_of(provider)
    assert "cannot be fetched: Connection refused" in problem_of(provider, issuer="http://127.0.0.1:1")
    provider.answers = {"/jwks": lambda request: send(request, {"keys": [{"kty": "oct", "k": "AA"}, 7]})}
    assert "no key that could sign" in problem_of(provider)
    provider.answers = {"/jwks": lambda request: send(request, {"keys": "x"})}
    assert "no list of keys" in problem_of(provider)


@pytest.mark.parametrize("part", ["head", "body"])
def test_a_provider_that_drips_is_cut_off(provider: ScriptedProvider, part: str) -> None:
    over = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\n" if part == "head" else b"HTTP/1.1 200 OK\r\n\r\n")
        while not over.wait(0.05):
            request.wfile.write(b"x")

    provider.answers["/slow"] = drip
    began = time.monotonic()
    try:
        with pytest.raises(ProviderUnavailable, match=r"took longer than 0\.5 s"):
            fetch(f"{provider.issuer}/slow", "it", seconds=0.5)
    finally:
        over.set()
    # Generous for a busy machine; without a limit it would go on for ever.
    assert time.monotonic() - began < 60


def test_only_so_many_requests_wait_for_providers(provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    over, waiting = threading.Event(), threading.Semaphore(0)

    def wait(request: BaseHTTPRequestHandler) -> None:
        waiting.release()
        over.wait(60)
        send(request, {})

    provider.answers["/slow"] = wait
    threads = [
        threading.Thread(target=fetch, args=(f"{provider.issuer}/slow", "it"), kwargs={"seconds": 120})
        for _ in range(AT_ONCE_MAX)
    ]
    monkeypatch.setattr(fetching, "_PATIENCE_SECONDS", 0.01)
    for thread in threads:
        thread.start()
        # One after the other: none of them is to be refused.
        assert waiting.acquire(timeout=60)
    try:
        with pytest.raises(ProviderBusy):
            fetch(f"{provider.issuer}/jwks", "it")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert fetch(f"{provider.issuer}/jwks", "it").status == 200


# What is kept


class Source:
    """Something to fetch, a clock, and how often it was fetched."""

    def __init__(self) -> None:
        self.now, self.fetched, self.is_away = 0.0, 0, False
        self.document = Document(self._load, lambda: self.now)

    def _load(self) -> int:
        self.fetched += 1
        if self.is_away:
            raise ProviderUnavailable("it is away")
        return self.fetched


def test_a_document_is_fetched_again_after_an_hour() -> None:
    source = Source()
    assert [source.document.get(), source.document.get()] == [1, 1]
    source.now += FRESH_SECONDS
    assert source.document.get() == 2


def test_what_is_known_counts_for_a_day_while_the_provider_is_away() -> None:
    source = Source()
    source.document.get()
    source.is_away = True
    source.now += FRESH_SECONDS
    assert [source.document.get(), source.document.get()] == [1, 1]
    assert source.fetched == 2
    source.now += AGAIN_SECONDS
    assert (source.document.get(), source.fetched) == (1, 3)
    source.now += STALE_SECONDS
    with pytest.raises(ProviderUnavailable, match="it is away"):
        source.document.get()
    with pytest.raises(ProviderUnavailable, match="it is away"):
        source.document.get()
    assert source.fetched == 4
