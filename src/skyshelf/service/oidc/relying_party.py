"""The dialogue with a login provider: where a browser is sent, and who comes back. `Parties` are all providers."""

import base64
import hashlib
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from skyshelf.service.oidc import tokens as oidc_tokens
from skyshelf.service.oidc.discovery import Document, KeySet, Metadata, load_metadata
from skyshelf.service.oidc.fetch import Answer, ProviderUnavailable, fetch
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.secrets import to_base64url
from skyshelf.wire.resources.credentials import LoginProvider

_OK: Final = 200
_ERROR_CHARS: Final = 100


class Attempt(msgspec.Struct, frozen=True):
    """The secrets of one login, known only to this server and the browser that began it."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str

    def __repr__(self) -> str:
        return "Attempt(<hidden>)"

    @property
    def challenge(self) -> str:
        return to_base64url(hashlib.sha256(self.verifier.encode()).digest())


class RelyingParty:
    """One provider and its cached metadata. Safe for use by any thread."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._metadata = Document(lambda: load_metadata(provider))
        self._keys = KeySet(lambda: self.metadata().jwks_uri)

    def metadata(self) -> Metadata:
        found: Metadata = self._metadata.get()
        return found

    def check(self) -> list[str]:
        """Check discovery and keys; returns sentences for the operator. ProviderUnavailable if something fails."""
        metadata = load_metadata(self.provider)
        keys = self._keys.count()
        lines = [f"The provider is {metadata.issuer} and has {keys} {'key' if keys == 1 else 'keys'}."]
        if metadata.code_challenge_methods_supported is None:
            lines.append("It does not say that it offers PKCE; most providers do so all the same.")
        if not metadata.backchannel_logout_supported:
            lines.append("It does not announce back-channel logout: logging out there does not end sessions here.")
        if self.provider.client_secret is None:
            lines.append("There is no client-secret-file, so the client must be a public one at the provider.")
        return lines

    def authorization_url(self, attempt: Attempt) -> str:
        """Return the URL to which the browser is sent."""
        endpoint = self.metadata().authorization_endpoint
        query = {
            "response_type": "code",
            "client_id": self.provider.client_id,
            "redirect_uri": attempt.redirect_uri,
            "scope": " ".join(self.provider.scopes),
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        if self.provider.mfa_acr:
            query["acr_values"] = " ".join(self.provider.mfa_acr)
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(query)}"

    def check_issuer(self, given: str | None) -> None:
        """TokenRefused if a response names another issuer (RFC 9207), or none although it should."""
        if given is None and not self.metadata().authorization_response_iss_parameter_supported:
            return
        if given != self.provider.issuer:
            raise oidc_tokens.TokenRefused("the answer comes from another provider (iss)")

    def person(self, code: str, attempt: Attempt) -> oidc_tokens.Person:
        """Exchange the code for the person who logged in."""
        tokens = self._exchange(code, attempt)
        token = tokens.get("id_token")
        if not isinstance(token, str):
            raise oidc_tokens.TokenRefused("the provider has sent no ID token: is openid among the scopes?")
        access_token = tokens.get("access_token")
        claims = oidc_tokens.id_token_claims(
            token, self._keys.find, self.provider, nonce=attempt.nonce, access_token=access_token, now=time.time()
        )
        userinfo = (
            self._userinfo(access_token, claims["sub"]) if oidc_tokens.needs_userinfo(self.provider, claims) else None
        )
        return oidc_tokens.person_of(self.provider, claims, userinfo)

    def logout_token(self, token: str) -> oidc_tokens.LogoutToken:
        return oidc_tokens.logout_token(token, self._keys.find, self.provider, now=time.time())

    def _exchange(self, code: str, attempt: Attempt) -> dict[str, Any]:
        provider, metadata = self.provider, self.metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": attempt.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        headers: dict[str, str] = {}
        methods = metadata.token_endpoint_auth_methods_supported
        if provider.client_secret is None:
            form["client_id"] = provider.client_id
        elif "client_secret_basic" not in methods and "client_secret_post" in methods:
            form |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
        else:
            pair = f"{quote(provider.client_id, safe='')}:{quote(provider.client_secret, safe='')}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        answer = fetch(metadata.token_endpoint, "the token endpoint", form=urlencode(form).encode(), headers=headers)
        if answer.status != _OK:
            error = _error_in(answer)
            if error == "invalid_grant":
                raise oidc_tokens.TokenRefused("the provider does not accept the code (invalid_grant)")
            raise ProviderUnavailable(f"the token endpoint answers {answer.status}" + (f" ({error})" if error else ""))
        return answer.json("the answer of the token endpoint")

    def _userinfo(self, access_token: object, subject: str) -> Mapping[str, Any] | None:
        endpoint = self.metadata().userinfo_endpoint
        if endpoint is None or not isinstance(access_token, str) or len(access_token) > oidc_tokens.TOKEN_BYTES_MAX:
            return None
        if not access_token.isascii() or not access_token.isprintable():
            return None
        answer = fetch(endpoint, "the userinfo endpoint", headers={"authorization": f"Bearer {access_token}"})
        if answer.status != _OK:
            raise ProviderUnavailable(f"the userinfo endpoint answers {answer.status}")
        found = answer.json("the answer of the userinfo endpoint")
        if found.get("sub") != subject:
            raise oidc_tokens.TokenRefused("the userinfo endpoint describes somebody else (sub)")
        return found


def _error_in(answer: Answer) -> str:
    """Return the provider's error code, such as invalid_client."""
    try:
        error = answer.json("it").get("error")
    except ProviderUnavailable:
        return ""
    return error[:_ERROR_CHARS] if isinstance(error, str) and error.isascii() and error.isprintable() else ""


class Parties(dict[str, RelyingParty]):
    """All providers of a server, by their ids. Nothing is fetched before somebody logs in."""

    def __init__(self, providers: Sequence[Provider] = ()) -> None:
        super().__init__({provider.id: RelyingParty(provider) for provider in providers})

    def of_issuer(self, issuer: str) -> Provider | None:
        """Return the provider with that issuer; None if the operator has removed it."""
        return next((one.provider for one in self.values() if one.provider.issuer == issuer), None)


def wire_provider(provider: Provider) -> LoginProvider:
    return LoginProvider(id=provider.id, name=provider.name, label=provider.label or None)


class ProviderCounts:
    """Counts logins through providers in this process, by provider and outcome. Safe for use by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, provider_id: str, outcome: str) -> None:
        with self._lock:
            self._counts[provider_id, outcome] += 1

    def take(self) -> dict[tuple[str, str], int]:
        """Return and reset the counts."""
        with self._lock:
            taken, self._counts = self._counts, Counter()
        return dict(taken)
