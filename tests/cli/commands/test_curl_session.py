"""Requests as browsers copy them, on every system."""

import pytest

from skyshelf.cli.commands.curl_session import session_from_curl
from skyshelf.client.errors import ConfigurationError

SESSION = {"auth_token": "dG9rZW4=", "user_id": "A" * 32, "device_key": "1-2", "api_key": "k", "app_secret": "s"}
HEADERS = {
    "authorization": "Basic dG9rZW4=",
    "x-user-id": "A" * 32,
    "x-device-key": "1-2",
    "x-api-key": "k",
    "x-app-secret": "s",
    "accept-language": "en",
}
URL = "https://api.example.org:8443/security/users?a=1&b=2"


def posix() -> str:
    return f"curl '{URL}' \\\n" + " \\\n".join(f"  -H '{name}: {value}'" for name, value in HEADERS.items())


def posix_with_escapes() -> str:
    return f"curl --url '{URL}' " + " ".join(f"--header $'{name}: {value}\\u0021'" for name, value in HEADERS.items())


def windows() -> str:
    lines = " ^\r\n".join(f'  -H ^"{name}: {value}^"' for name, value in HEADERS.items())
    return f'curl ^"{URL.replace("&", "^&")}^" ^\r\n{lines}'


@pytest.mark.parametrize("copied", [posix(), windows(), posix().replace("curl", "/usr/bin/curl", 1)])
def test_the_session_and_the_origin_are_taken_from_it(copied: str) -> None:
    found = session_from_curl(copied)
    assert found.settings == SESSION
    assert found.origin == "https://api.example.org:8443"


def test_escapes_of_a_shell_are_read() -> None:
    assert session_from_curl(posix_with_escapes()).settings["user_id"] == "A" * 32 + "!"


@pytest.mark.parametrize(
    "copied",
    [
        "",
        "wget https://example.org",
        f"curl '{URL}'",
        posix()[:-1],
        posix().replace(URL, "nowhere"),
        posix().replace("x-device-key: 1-2", "x-device-key:"),
    ],
)
def test_what_is_no_session_is_refused_and_never_quoted(copied: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        session_from_curl(copied)
    assert "dG9rZW4=" not in str(refused.value)


def test_a_copied_session_does_not_show_in_a_traceback() -> None:
    assert "dG9rZW4=" not in repr(session_from_curl(posix()))
