"""A provider of OpenID Connect that does what a test says: it speaks HTTP, signs with real keys, and may lie.

Canaille (canaille.py) shows that a well-behaved one works; this one is for all others. `authorize` stands for the
person at the provider's page.
"""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwk, jwt

CLIENT, SECRET = "skyshelf", "s3cret:+/ü"
Claims = dict[str, Any]


def new_key(kid: str = "one") -> jwk.RSAKey:
    return jwk.RSAKey.generate_key(2048, {"use": "sig", "kid": kid}, private=True)


class ScriptedProvider:
    """What it says; a test changes that before somebody logs in."""

    def __init__(self, issuer: str, key: jwk.RSAKey) -> None:
        self.issuer = issuer
        self.key = key
        self.published: list[jwk.RSAKey] = [key]
        self.discovery: Claims = {}
        """What its document says instead."""
        self.claims: Claims = {}
        """What its ID tokens say instead; None leaves a claim out."""
        self.header: Claims = {}
        self.sign: Callable[[Claims], str] = self.signed
        self.userinfo: Claims = {}
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        """What happens at a path instead."""
        self.asked: list[str] = []
        self.auth: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}

    # At the provider's page

    def authorize(self, url: str) -> dict[str, str]:
        """Somebody has logged in: what the browser comes back with."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert url.startswith(f"{self.issuer}/authorize?")
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT)
        assert query["code_challenge_method"] == "S256"
        code = f"code {len(self._codes)}"
        self._codes[code] = query
        return {"code": code, "state": query["state"]}

    # Tokens

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims: Claims = {
            "iss": self.issuer,
            "sub": "ada",
            "aud": CLIENT,
            "exp": now + 300,
            "iat": now,
            "nonce": nonce,
            "email": "ada@example.org",
            "email_verified": True,
            "given_name": "Ada",
            "family_name": "Byron",
        }
        return self.sign({name: value for name, value in {**claims, **self.claims}.items() if value is not None})

    def signed(self, claims: Claims) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.key.kid, **self.header}, claims, self.key)

    def logout_token(self, **claims: Any) -> str:
        now = int(time.time())
        given: Claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 120,
            "jti": f"jti {time.time_ns()}",
            "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
        }
        return self.sign({name: value for name, value in {**given, **claims}.items() if value is not None})

    # HTTP

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = urlsplit(request.path).path
        self.asked.append(path)
        if path in self.answers:
            self.answers[path](request)
        elif path == "/.well-known/openid-configuration":
            send(request, self._document())
        elif path == "/jwks":
            send(request, {"keys": [key.as_dict(private=False) for key in self.published]})
        elif path == "/token":
            self._token(request)
        elif path == "/userinfo":
            self.auth.append(request.headers["authorization"])
            send(request, {"sub": "ada", **self.userinfo})
        else:
            send(request, {}, 404)

    def _document(self) -> Claims:
        document = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }
        return {name: value for name, value in {**document, **self.discovery}.items() if value is not None}

    def _token(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["content-length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.auth.append(request.headers.get("authorization") or f"post {form.get('client_secret')}")
        asked = self._codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        is_right = asked is not None and asked["code_challenge"] == challenge
        if asked is None or not is_right or asked["redirect_uri"] != form["redirect_uri"]:
            send(request, {"error": "invalid_grant"}, 400)
            return
        token = self.id_token(asked["nonce"])
        send(request, {"access_token": "an access token", "token_type": "Bearer", "id_token": token})


def send(request: BaseHTTPRequestHandler, content: object, status: int = 200, **headers: str) -> None:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@contextmanager
def scripted_provider(key: jwk.RSAKey) -> Iterator[ScriptedProvider]:
    """At a free port, until the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            provider.answer(self)

        do_POST = do_GET  # noqa: N815 - theirs

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """The other side may hang up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        provider = ScriptedProvider(f"http://127.0.0.1:{server.server_address[1]}", key)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
