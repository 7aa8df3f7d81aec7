"""A real OpenID Connect provider on this machine: Canaille, in a process of its own, with people and groups.

It is installed once, at locked versions, into an environment of its own: its wheel contains a package called tests.
"""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from joserfc import jwk, jwt
from tests.real_parts.locked_environment import python_with

START_SECONDS = 120
_LOCKED = Path(__file__).with_suffix(".txt")


def canaille_python() -> Path:
    """The Python that has it."""
    return python_with(_LOCKED)


class Person(NamedTuple):
    name: str
    given_name: str
    family_name: str
    email: str
    groups: tuple[str, ...] = ()
    password: str = "correct horse battery staple"


ADA = Person("ada", "Ada", "Byron", "ada@example.org", ("staff", "admins"))
GRACE = Person("grace", "Grace", "Hopper", "grace@example.org", ("guests",))
PEOPLE = (ADA, GRACE)


class Client(NamedTuple):
    """What a relying party knows."""

    id: str
    secret: str


class Canaille:
    """Where it is, and the key that it signs with."""

    def __init__(self, port: int, key: jwk.RSAKey) -> None:
        # Another host than that of our own servers, so that browsers see two sites.
        self.issuer = f"http://localhost:{port}"
        self._key = key

    def register(self, redirect_uri: str) -> Client:
        """Make the relying party known; it is trusted, so people are not asked whether they agree."""
        answer = httpx2.post(
            f"{self.issuer}/oauth/register",
            json={
                "client_name": "Skyshelf",
                "client_uri": redirect_uri.rpartition("/oidc/")[0],
                "redirect_uris": [redirect_uri],
                "grant_types": ["authorization_code"],
                "response_types": ["code"],
                "scope": "openid email profile groups",
                "token_endpoint_auth_method": "client_secret_basic",
            },
        )
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return Client(made["client_id"], made["client_secret"])

    def signed(self, claims: dict[str, Any], header: dict[str, Any] | None = None) -> str:
        """A token as it would sign it itself."""
        return jwt.encode({"alg": "RS256", "kid": self._key.kid, **(header or {})}, claims, self._key)


def _new_key() -> jwk.RSAKey:
    return jwk.RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256", "kid": "of-canaille"}, private=True)


@contextmanager
def running_canaille(folder: Path, people: tuple[Person, ...] = PEOPLE) -> Iterator[Canaille]:
    """At a free port, until the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    key = _new_key()
    settings, log = folder / "canaille.json", folder / "canaille.log"
    settings.write_text(
        json.dumps({"port": port, "key": key.as_dict(private=True), "people": [one._asdict() for one in people]})
    )
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(canaille_python()), "-P", str(Path(__file__).with_name("canaille_process.py")), str(settings)],
            stdout=output,
            stderr=output,
            cwd=folder,
        )
    try:
        provider = Canaille(port, key)
        deadline = time.monotonic() + START_SECONDS
        while not _answers(provider):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield provider
    finally:
        process.kill()
        process.wait()


def _answers(provider: Canaille) -> bool:
    try:
        return httpx2.get(f"{provider.issuer}/.well-known/openid-configuration").status_code == 200
    except httpx2.TransportError:
        return False
