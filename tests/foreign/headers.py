"""The headers that every request carries, to the letter of the text."""

import re

from tests.foreign.drive import DEVICE, TOKEN, USER
from tests.foreign.messages import JSON, Asked, Reply, refused

EXPECTED = {
    "authorization": re.compile(re.escape(f"Basic {TOKEN}")),
    "x-user-id": re.compile(USER),
    "x-device-key": re.compile(DEVICE),
    "x-device-type": re.compile("W"),
    "x-api-key": re.compile(".+"),
    "x-app-secret": re.compile("[A-Za-z0-9+/]+=*"),
    "x-client-details": re.compile(r"clientType:WEB; appVersion:\S+"),
    "accept": re.compile(re.escape(JSON)),
    "content-type": re.compile(re.escape(JSON)),
    "user-agent": re.compile(r"Mozilla/5\.0 .+"),
    "accept-language": re.compile(r"[A-Za-z].*"),
}
"""The eleven headers; values in full."""


def missing_headers(asked: Asked) -> list[str]:
    """The headers that are missing or have another value than the text says."""
    return [name for name, value in EXPECTED.items() if not value.fullmatch(asked.headers.get(name, ""))]


def refusal(asked: Asked) -> Reply | None:
    """The answer to a request whose headers are not as they must be."""
    missing = missing_headers(asked)
    if not missing:
        return None
    if "content-type" in missing:
        return refused(400, "BRSOM0036" if asked.host == "boards" else "NMSOM0003", "Content type is null or empty")
    if "accept-language" in missing:
        return refused(400, "NMSOM0001", "Accept language is null or empty")
    if {"authorization", "x-user-id", "x-device-key"} & set(missing):
        return refused(401, "TEJGA0401", "session logged out or expired")
    return refused(400, "NMSOM0003", f"missing: {', '.join(missing)}")
