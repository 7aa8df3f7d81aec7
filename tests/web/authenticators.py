"""Chromium's virtual authenticators: security keys and fingerprint readers that press themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import Visit, visit


class Authenticators:
    """The authenticators of one page, by the DevTools protocol."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        self._ids: list[str] = []

    def add(self, *, transport: str = "internal", resident: bool = True, verifies: bool = True) -> str:
        """Another one; its id. Those that are there already stay."""
        options = {
            "protocol": "ctap2",
            "transport": transport,
            "hasResidentKey": resident,
            "hasUserVerification": verifies,
            "isUserVerified": verifies,
            "automaticPresenceSimulation": True,
        }
        found = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        added: str = found["authenticatorId"]
        self._ids.append(added)
        return added

    def remove(self, authenticator: str) -> None:
        self._session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": authenticator})

    def set_verified(self, authenticator: str, is_verified: bool) -> None:
        """Whether the next fingerprint is the right one."""
        self._session.send(
            "WebAuthn.setUserVerified", {"authenticatorId": authenticator, "isUserVerified": is_verified}
        )

    def set_present(self, authenticator: str, is_present: bool) -> None:
        """Whether somebody is there who presses the button."""
        self._session.send(
            "WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": authenticator, "enabled": is_present}
        )

    def credentials(self, authenticator: str) -> list[dict[str, Any]]:
        found = self._session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})
        kept: list[dict[str, Any]] = found["credentials"]
        return kept

    def put(self, authenticator: str, credential: dict[str, Any]) -> None:
        """A copy of a credential, such as of a cloned key."""
        self._session.send("WebAuthn.addCredential", {"authenticatorId": authenticator, "credential": credential})

    def clear(self, authenticator: str) -> None:
        self._session.send("WebAuthn.clearCredentials", {"authenticatorId": authenticator})


class AtLocalhost:
    """The server under a name: browsers offer passkeys for names alone."""

    def __init__(self, server: RunningServer) -> None:
        self.url = f"http://localhost:{urlsplit(server.url).port}"


# A virtual authenticator answers an offer in the field of the address at once, before anybody can press the button.
_NO_OFFERS = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"


@contextmanager
def visit_with_passkeys(
    browser: Browser, server: RunningServer, api: Api | None, how: Visit, *, offers: bool = False
) -> Iterator[tuple[Page, Authenticators]]:
    """A page at a name, where passkeys work, and its authenticators. `offers` are those of the browser itself."""
    made: list[Authenticators] = []

    def prepare(page: Page) -> None:
        made.append(Authenticators(page))
        if not offers:
            page.add_init_script(_NO_OFFERS)

    with visit(browser, AtLocalhost(server), api, how, prepare=prepare) as page:
        yield page, made[0]
