"""Render templates: these pages work without scripts, cannot be framed or indexed, and send no referrer."""

import asyncio
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from skyshelf.server.pages.built_files import built_files
from skyshelf.server.pages.words import Words
from skyshelf.wire.text import bracketed_code_point, replace_invisible
from skyshelf.wire.times import from_epoch_ms

if TYPE_CHECKING:
    from jinja2 import Environment


def visible(name: str) -> str:
    """Return the name with characters that hide or reverse text spelled out: `photo‹U+202E›gpj.exe`."""
    return replace_invisible(name, bracketed_code_point)


def iso_day(ms: int) -> str:
    return f"{from_epoch_ms(ms):%Y-%m-%d}"


# Responses

STYLE: Final = "/l/style.css"
ICON: Final = "/l/icon.svg"
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
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; media-src 'self'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
# Scripts open a gallery's pictures in place, and show the progress of uploads; they may do nothing else.
_SCRIPTED: Final = "; script-src 'self'; connect-src 'self'"
_GUEST: Final = "assets/guest-"
# Aspect ratio of a picture in a gallery, in per cent.
_SHAPE_STEP: Final = 5
_SHAPES: Final = range(40, 301, _SHAPE_STEP)
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
    environment.filters.update({"visible": visible, "iso_day": iso_day})
    environment.globals["w"] = Words()
    environment.globals["style_url"] = f"{STYLE}?v={_version_of('style.css')}"
    environment.globals["icon_url"] = f"{ICON}?v={_version_of('icon.svg')}"
    return environment


async def ready() -> None:
    """Load all templates in a thread, once per process: that takes longer than the event loop may be held."""
    if not _loaded.cache_info().currsize:
        await asyncio.to_thread(_loaded)


@cache
def _loaded() -> None:
    for name in _environment().list_templates(extensions=["html"]):
        _environment().get_template(name)


def page(
    template: str, /, *, prefix: str, status: int = 200, headers: dict[str, str] | None = None, **given: object
) -> Response:
    """Return a page from a template; the paths in it begin with the prefix."""
    given = {"prefix": prefix, "guest_styles": _guest_files(".css"), **given}
    html = _environment().get_template(template).render(given)
    return Response(html, status, {**_PAGE, **(headers or {})})


def scripted_page(template: str, /, *, prefix: str, **given: object) -> Response:
    """Return a page that a script enhances if the web client is built; it works without the script."""
    scripts = _guest_files(".js")
    response = page(template, prefix=prefix, status=200, headers=None, guest_scripts=scripts, **given)
    if scripts:
        response.headers["content-security-policy"] += _SCRIPTED
    return response


def _guest_files(ending: str) -> list[str]:
    """Return the files of the built web client that guests load: typeface, styles and gallery script."""
    return [f"/{name}" for name in built_files() if name.startswith(_GUEST) and name.endswith(ending)]


def static(name: str) -> Response:
    """Return the style sheet or the icon. Their URLs change with their content, so browsers can cache them."""
    headers = {**QUIET, "content-type": _STATIC_TYPES[name], "cache-control": "public, max-age=31536000, immutable"}
    if name.endswith(".svg"):
        headers["content-security-policy"] = "default-src 'none'; sandbox"
    return Response(_static_bytes(name), headers=headers)


@cache
def _static_bytes(name: str) -> bytes:
    parts = ["tokens.css", name] if name == "style.css" else [name]
    folder = Path(__file__).parent / "static"
    content = b"".join(folder.joinpath(part).read_bytes() for part in parts)
    if name == "style.css":
        content += "".join(f".r{ratio}{{--r:{ratio / 100}}}" for ratio in _SHAPES).encode()
    return content


def shape_class(width: int, height: int) -> str:
    """Return the class of a picture with this shape: the policy allows no style attributes."""
    ratio = min(max(round(100 * width / height / _SHAPE_STEP) * _SHAPE_STEP, _SHAPES[0]), _SHAPES[-1])
    return f"r{ratio}"


def _version_of(name: str) -> str:
    return hashlib.sha256(_static_bytes(name)).hexdigest()[:12]
