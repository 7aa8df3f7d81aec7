"""Discovery: a provider's metadata and signing keys, both cached.

A provider that is unreachable for a moment does not stop logins as long as its data is cached. An unknown key makes the
server fetch the keys again at most once a minute, so strangers cannot make it flood the provider.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from skyshelf.service.oidc.fetch import OidcError, ProviderUnavailable, fetch
from skyshelf.service.oidc.settings import Provider, WrongSetting, check_address
from skyshelf.service.oidc.tokens import ALGORITHMS, TokenRefused

_KEY_TYPES: Final = {"R": "RSA", "P": "RSA", "E": "EC", "Ed": "OKP"}
_KEYS_MAX: Final = 100
FRESH_SECONDS: Final = 60 * 60
STALE_SECONDS: Final = 24 * 60 * 60
"""How long cached data is used while the provider is unreachable."""
AGAIN_SECONDS: Final = 15.0
"""How long a failed lookup is cached."""
BRAKE_SECONDS: Final = 60.0
_OK: Final = 200
_SHOWN_MAX: Final = 200


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of the discovery document that we use."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    response_types_supported: tuple[str, ...] = ("code",)
    code_challenge_methods_supported: tuple[str, ...] | None = None
    backchannel_logout_supported: bool = False
    authorization_response_iss_parameter_supported: bool = False


class Document:
    """A document that is fetched from a provider and cached."""

    def __init__(self, load: Callable[[], Any], clock: Callable[[], float] = time.monotonic) -> None:
        self._load = load
        self._clock = clock
        self._lock = threading.Lock()
        self._known: Any = None
        self._at = 0.0
        self._again_at: float | None = None
        self._failure: tuple[float, OidcError] | None = None

    def get(self) -> Any:
        """Return the cached document, or fetch it; simultaneous callers share one request."""
        with self._lock:
            now = self._clock()
            if self._known is not None and now - self._at < FRESH_SECONDS:
                return self._known
            if self._failure is not None and now - self._failure[0] < AGAIN_SECONDS:
                return self._stale(now, self._failure[1])
            failure = self._fetch()
            return self._known if failure is None else self._stale(now, failure)

    def again(self) -> Any | None:
        """Fetch it even if it is cached; None if that was done a moment ago, or fails."""
        with self._lock:
            if self._again_at is not None and self._clock() - self._again_at < BRAKE_SECONDS:
                return None
            self._again_at = self._clock()
            return self._known if self._fetch() is None else None

    def _fetch(self) -> OidcError | None:
        """Fetch and keep the document; returns why that failed."""
        try:
            self._known = self._load()
        except OidcError as failure:
            self._failure = (self._clock(), failure)
            return failure
        self._at, self._failure = self._clock(), None
        return None

    def _stale(self, now: float, failure: OidcError) -> Any:
        if self._known is not None and now - self._at < STALE_SECONDS:
            return self._known
        # A copy: raising the same exception again would accumulate tracebacks.
        raise type(failure)(*failure.args)


def load_metadata(provider: Provider) -> Metadata:
    """Fetch and check the discovery document; ProviderUnavailable, with a sentence, if it cannot be used."""
    url = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
    answer = fetch(url, "the discovery document")
    if answer.status != _OK:
        raise ProviderUnavailable(f"{url} answers {answer.status} instead of a discovery document: check the issuer")
    document = answer.json("the discovery document")
    issuer = document.get("issuer")
    if issuer != provider.issuer:
        shown = issuer[:_SHOWN_MAX] if isinstance(issuer, str) and issuer.isprintable() else "missing"
        raise ProviderUnavailable(
            f"the provider says that its issuer is {shown}, and the settings say"
            f" {provider.issuer}: write it exactly as the provider does"
        )
    try:
        found = msgspec.convert(document, Metadata)
    except msgspec.ValidationError as wrong:
        raise ProviderUnavailable(f"the discovery document cannot be used: {wrong}") from None
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"):
        _check_endpoint(provider, name, getattr(found, name))
    if "code" not in found.response_types_supported:
        raise ProviderUnavailable("the provider does not offer the authorization code flow (response type code)")
    if found.code_challenge_methods_supported is not None and "S256" not in found.code_challenge_methods_supported:
        raise ProviderUnavailable("the provider does not offer PKCE with S256")
    if ALGORITHMS.isdisjoint(found.id_token_signing_alg_values_supported):
        raise ProviderUnavailable("the provider signs with no algorithm that is accepted, such as RS256 or ES256")
    return found


def _check_endpoint(provider: Provider, name: str, url: str | None) -> None:
    if url is None:
        return
    try:
        check_address(url)
    except WrongSetting as wrong:
        raise ProviderUnavailable(f"the provider's {name} {wrong}") from None
    if urlsplit(url).scheme == "http" and urlsplit(provider.issuer).scheme == "https":
        raise ProviderUnavailable(f"the provider's {name} is not on https, although its issuer is")


# Keys


def load_keys(url: str) -> list[dict[str, Any]]:
    """Fetch the provider's keys that can verify a signature."""
    answer = fetch(url, "the key set")
    if answer.status != _OK:
        raise ProviderUnavailable(f"the key set at {urlsplit(url).hostname} is answered with {answer.status}")
    keys = answer.json("the key set").get("keys")
    if not isinstance(keys, list):
        raise ProviderUnavailable("the key set has no list of keys")
    usable = [
        key
        for key in keys[:_KEYS_MAX]
        if isinstance(key, dict) and key.get("kty") in _KEY_TYPES.values() and key.get("use", "sig") == "sig"
    ]
    if not usable:
        raise ProviderUnavailable("the key set has no key that could sign a token")
    return usable


def find_key(keys: list[dict[str, Any]], algorithm: str, kid: object) -> dict[str, Any] | None:
    """Find the key of a signature by its id; without one, the only key of the right type."""
    kind = _KEY_TYPES["Ed" if algorithm.startswith("Ed") else algorithm[0]]
    fitting = [key for key in keys if key["kty"] == kind and key.get("alg", algorithm) == algorithm]
    if kid is None:
        return fitting[0] if len(fitting) == 1 else None
    return next((key for key in fitting if key.get("kid") == kid), None)


class KeySet:
    def __init__(self, address: Callable[[], str]) -> None:
        self._document = Document(lambda: load_keys(address()))

    def count(self) -> int:
        return len(self._document.get())

    def find(self, algorithm: str, kid: object) -> dict[str, Any]:
        """Return the key; for an unknown id the keys are fetched again, since the provider may have a new one."""
        key = find_key(self._document.get(), algorithm, kid)
        if key is None and (keys := self._document.again()) is not None:
            key = find_key(keys, algorithm, kid)
        if key is None:
            raise TokenRefused("the token is signed with a key that the provider does not have")
        return key
