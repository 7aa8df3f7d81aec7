"""Which types of files can be viewed without downloading them: the only list of them."""

from typing import Final, Literal

from skyshelf.wire.mime_types import TYPE_BY_EXTENSION
from skyshelf.wire.resources.feeds import SupportedDocuments, SupportedExtensions

ViewKind = Literal["image", "video", "audio", "pdf", "text"]

# SVG can contain scripts and is in no list.
_BROWSER_IMAGES: Final = {"image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp"}
_THUMBNAIL_IMAGES: Final = {"image/heic", "image/heif", "image/tiff"}
# Containers that current browsers play; only the browser knows whether it plays the codecs inside.
_VIDEOS: Final = {"video/mp4", "video/webm", "video/ogg", "video/quicktime"}
_SOUNDS: Final = {"audio/mpeg", "audio/mp4", "audio/aac", "audio/flac", "audio/ogg", "audio/opus", "audio/wav"}
_PDF: Final = "application/pdf"
_TEXTS: Final = {
    "application/json", "application/geo+json", "application/yaml", "application/toml", "application/xml",
    "application/gpx+xml",
}  # fmt: skip

SAFE_INLINE: Final = frozenset(_BROWSER_IMAGES | _VIDEOS | _SOUNDS | {_PDF})
"""Browsers show these as they are, and none of them can run a script as a page of this server."""

_KINDS: Final[dict[str, ViewKind]] = {
    **dict.fromkeys(_BROWSER_IMAGES | _THUMBNAIL_IMAGES, "image"),
    **dict.fromkeys(_VIDEOS, "video"),
    **dict.fromkeys(_SOUNDS, "audio"),
    **dict.fromkeys(_TEXTS, "text"),
    _PDF: "pdf",
}


def view_kind(mime: str) -> ViewKind | None:
    """How a page can show files of this type, directly or as a thumbnail; None if they can only be downloaded."""
    return "text" if mime.startswith("text/") else _KINDS.get(mime)


def supported_documents() -> SupportedDocuments:
    """The extensions of files that can be viewed; none can be edited."""
    view = sorted(extension for extension, mime in TYPE_BY_EXTENSION.items() if view_kind(mime))
    return SupportedDocuments(supported_extensions=SupportedExtensions(view=view, edit=[], fav_icon_urls={}))
