"""The header table of the interface, and what is answered when one is missing."""

import base64
import uuid

from skyshelf.wire import headers
from skyshelf.wire.headers import session_headers


def test_a_session_sends_every_header_of_the_interface() -> None:
    assert session_headers("TOKEN", "USER", "DEVICE") == {
        "Authorization": "Basic TOKEN",
        "X-User-Id": "USER",
        "X-Device-Key": "DEVICE",
        "X-Device-Type": "W",
        "X-Api-Key": headers.API_KEY,
        "X-App-Secret": headers.APP_SECRET,
        "X-Client-Details": "clientType:WEB; appVersion:86.0.1",
        "Accept": "application/json; charset=UTF-8",
        "Content-Type": "application/json; charset=UTF-8",
        "User-Agent": headers.USER_AGENT_DEFAULT,
        "Accept-Language": "en-US,en;q=0.9",
    }


def test_a_client_for_another_deployment_brings_its_own_constants() -> None:
    sent = session_headers("T", "U", "D", api_key="k", app_secret="s", accept_language="ta", user_agent="me")
    assert (sent["X-Api-Key"], sent["X-App-Secret"]) == ("k", "s")
    assert (sent["Accept-Language"], sent["User-Agent"]) == ("ta", "me")


def test_the_app_secret_is_base64_of_a_uuid_and_the_agent_looks_like_a_browser() -> None:
    text = base64.b64decode(headers.APP_SECRET, validate=True).decode()
    assert str(uuid.UUID(text)) == text
    assert headers.USER_AGENT_DEFAULT.startswith("Mozilla/5.0")
