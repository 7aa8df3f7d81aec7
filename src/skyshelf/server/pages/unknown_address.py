"""The page of an address that does not exist, for people: programs get the error as JSON."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.prefix import prefix_of
from skyshelf.server.pages.rendering import page

_ENGLISH: Final = {
    "lang": "en",
    "title": "Nothing at this address",
    "text": "Check the address for a typing error, or start from the beginning.",
    "home": "Open Skyshelf",
}
_GERMAN: Final = {
    "lang": "de",
    "title": "Unter dieser Adresse gibt es nichts",
    "text": "Prüfe die Adresse auf Tippfehler, oder beginne von vorn.",
    "home": "Skyshelf öffnen",
}


def is_person(request: Request) -> bool:
    """Whether a browser asks for a page: only then HTML is what it prefers."""
    return request.method in {"GET", "HEAD"} and request.headers.get("accept", "").startswith("text/html")


def unknown_address(request: Request) -> Response:
    preferred = request.headers.get("accept-language", "").lower()
    words = _GERMAN if preferred.startswith("de") else _ENGLISH
    return page("unknown.html", prefix=prefix_of(request), status=404, headers=None, **words)
