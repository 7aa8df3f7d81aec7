"""Render templates: these pages run no scripts, cannot be framed or indexed, and send no referrer."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from skyshelf.server.pages import links
from skyshelf.wire.sizes import format_size
from skyshelf.wire.text import bracketed_code_point, replace_invisible
from skyshelf.wire.times import from_epoch_ms

if TYPE_CHECKING:
    from jinja2 import Environment


_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def visible(name: str) -> str:
    """The name with every character written out that hides or reverses text: `photo‹U+202E›gpj.exe`."""
    return replace_invisible(name, bracketed_code_point)


def day(ms: int) -> str:
    """`6 May 2024`, in UTC."""
    moment = from_epoch_ms(ms)
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def iso_day(ms: int) -> str:
    return f"{from_epoch_ms(ms):%Y-%m-%d}"


def counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


# Responses.

QUIET: Final = {
    # The token is in the URL and must not leak through a link.
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "x-content-type-options": "nosniff",
}
_PAGE: Final = {
    **QUIET,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
_STATIC_TYPES: Final = {"style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml"}


@cache
def _environment() -> "Environment":
    # Imported here, because it is slow and only needed when a page is opened.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("skyshelf.server.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = {"visible": visible, "size": format_size, "day": day, "iso_day": iso_day, "counted": counted}
    environment.filters.update(filters)
    environment.globals["style_url"] = f"{links.STYLE}?v={_version_of('style.css')}"
    environment.globals["icon_url"] = f"{links.ICON}?v={_version_of('icon.svg')}"
    return environment


def page(template: str, /, *, status: int = 200, headers: dict[str, str] | None = None, **given: object) -> Response:
    """A page from a template."""
    html = _environment().get_template(template).render(given)
    return Response(html, status, {**_PAGE, **(headers or {})})


def static(name: str) -> Response:
    """The style sheet or the icon. Their URLs change with their content, so browsers can cache them."""
    headers = {**QUIET, "content-type": _STATIC_TYPES[name], "cache-control": "public, max-age=31536000, immutable"}
    if name.endswith(".svg"):
        headers["content-security-policy"] = "default-src 'none'; sandbox"
    return Response(_static_bytes(name), headers=headers)


@cache
def _static_bytes(name: str) -> bytes:
    parts = ["tokens.css", name] if name == "style.css" else [name]
    folder = files("skyshelf.server.pages").joinpath("static")
    return b"".join(folder.joinpath(part).read_bytes() for part in parts)


def _version_of(name: str) -> str:
    return hashlib.sha256(_static_bytes(name)).hexdigest()[:12]
