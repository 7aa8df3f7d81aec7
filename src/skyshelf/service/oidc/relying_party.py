"""The dialogue with one provider: where a person is sent, and who comes back."""

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from skyshelf.service.oidc.discovery import Document, KeySet, Metadata, load_metadata
from skyshelf.service.oidc.errors import ProviderUnavailable, TokenRefused
from skyshelf.service.oidc.fetch import Answer, fetch
from skyshelf.service.oidc.person import Person, needs_userinfo, person_of
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.oidc.tokens import TOKEN_BYTES_MAX, LogoutToken, id_token_claims, logout_token

_OK: Final = 200
_ERROR_CHARS: Final = 100


class Attempt(msgspec.Struct, frozen=True):
    """The secrets of one login: what only this server and the browser that began it know."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str

    def __repr__(self) -> str:
        return "Attempt(<hidden>)"

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class RelyingParty:
    """One provider, with what is known of it. Any thread may call."""

    def __init__(self, provider: Provider, now: Callable[[], float] = time.time) -> None:
        self.provider = provider
        self._now = now
        self._metadata = Document(lambda: load_metadata(provider))
        self._keys = KeySet(lambda: self.metadata().jwks_uri)

    def metadata(self) -> Metadata:
        found: Metadata = self._metadata.get()
        return found

    def check(self) -> list[str]:
        """Discovery and keys; sentences about what an operator should know. ProviderUnavailable for what fails."""
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
        """Where the browser is sent."""
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
        """TokenRefused for an answer that names another issuer (RFC 9207), or none although it should."""
        if given is None and not self.metadata().authorization_response_iss_parameter_supported:
            return
        if given != self.provider.issuer:
            raise TokenRefused("the answer comes from another provider (iss)")

    def person(self, code: str, attempt: Attempt) -> Person:
        """Who has logged in there, in exchange for the code."""
        tokens = self._exchange(code, attempt)
        token = tokens.get("id_token")
        if not isinstance(token, str):
            raise TokenRefused("the provider has sent no ID token: is openid among the scopes?")
        claims = id_token_claims(token, self._keys.find, self.provider, nonce=attempt.nonce, now=self._now())
        _check_access_token(claims, tokens.get("access_token"), token)
        userinfo = None
        if needs_userinfo(self.provider, claims):
            userinfo = self._userinfo(tokens.get("access_token"), claims["sub"])
        return person_of(self.provider, claims, userinfo)

    def logout_token(self, token: str) -> LogoutToken:
        """A logout token of this provider."""
        return logout_token(token, self._keys.find, self.provider, now=self._now())

    def _exchange(self, code: str, attempt: Attempt) -> dict[str, Any]:
        provider, metadata = self.provider, self.metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": attempt.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        headers: dict[str, str] = {}
        if provider.client_secret is None:
            form["client_id"] = provider.client_id
        elif _uses_post(metadata.token_endpoint_auth_methods_supported):
            form |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
        else:
            pair = f"{quote(provider.client_id, safe='')}:{quote(provider.client_secret, safe='')}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        answer = fetch(metadata.token_endpoint, "the token endpoint", form=urlencode(form).encode(), headers=headers)
        if answer.status != _OK:
            error = _error_in(answer)
            if error == "invalid_grant":
                raise TokenRefused("the provider does not accept the code (invalid_grant)")
            raise ProviderUnavailable(f"the token endpoint answers {answer.status}" + (f" ({error})" if error else ""))
        return answer.json("the answer of the token endpoint")

    def _userinfo(self, access_token: object, subject: str) -> Mapping[str, Any] | None:
        endpoint = self.metadata().userinfo_endpoint
        if endpoint is None or not isinstance(access_token, str) or not _is_sendable(access_token):
            return None
        answer = fetch(endpoint, "the userinfo endpoint", headers={"authorization": f"Bearer {access_token}"})
        if answer.status != _OK:
            raise ProviderUnavailable(f"the userinfo endpoint answers {answer.status}")
        found = answer.json("the answer of the userinfo endpoint")
        if found.get("sub") != subject:
            raise TokenRefused("the userinfo endpoint describes somebody else (sub)")
        return found


def _uses_post(methods: Sequence[str]) -> bool:
    return "client_secret_basic" not in methods and "client_secret_post" in methods


def _is_sendable(token: str) -> bool:
    return len(token) <= TOKEN_BYTES_MAX and token.isascii() and token.isprintable()


def _error_in(answer: Answer) -> str:
    """The provider's own word for what is wrong, such as invalid_client."""
    try:
        error = answer.json("it").get("error")
    except ProviderUnavailable:
        return ""
    return error[:_ERROR_CHARS] if isinstance(error, str) and error.isascii() and error.isprintable() else ""


_HASHES: Final = {"256": "sha256", "384": "sha384", "512": "sha512"}


def _check_access_token(claims: Mapping[str, Any], access_token: object, id_token: str) -> None:
    """Whether the access token came with this ID token, where the ID token says so."""
    expected = claims.get("at_hash")
    if not isinstance(expected, str) or not isinstance(access_token, str):
        return
    header = msgspec.json.decode(base64.urlsafe_b64decode(id_token.partition(".")[0] + "==="))
    name = _HASHES.get(str(header.get("alg"))[-3:])
    if name is None:
        return
    digest = hashlib.new(name, access_token.encode("utf-8", "replace")).digest()
    made = base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()
    if not hmac.compare_digest(made.encode(), expected.encode("utf-8", "replace")):
        raise TokenRefused("the access token does not belong to the ID token (at_hash)")
