"""Documents: which kinds of files can be looked at without downloading them."""

from typing import Final

from skyshelf.wire.mime_types import TYPE_BY_EXTENSION
from skyshelf.wire.resources.feeds import SupportedDocuments, SupportedExtensions

# Shown by browsers themselves, or by a thumbnail of ours (HEIC and TIFF).
_PICTURES: Final = {
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "image/tiff",
}  # fmt: skip
# Containers that today's browsers play; whether they play what is inside, only the browser knows.
_VIDEOS: Final = {"video/mp4", "video/quicktime", "video/webm", "video/ogg"}
_SOUNDS: Final = {"audio/mpeg", "audio/mp4", "audio/aac", "audio/flac", "audio/ogg", "audio/opus", "audio/wav"}
# What is text though its type does not begin with "text/".
_OTHER_TEXTS: Final = {
    "application/json", "application/geo+json", "application/yaml", "application/toml", "application/xml",
    "application/gpx+xml",
}  # fmt: skip
_VIEWED: Final = _PICTURES | _VIDEOS | _SOUNDS | _OTHER_TEXTS | {"application/pdf"}


def supported_documents() -> SupportedDocuments:
    """Extensions of what can be shown; nothing can be edited."""
    view = sorted(
        extension for extension, mime in TYPE_BY_EXTENSION.items() if mime in _VIEWED or mime.startswith("text/")
    )
    return SupportedDocuments(supported_extensions=SupportedExtensions(view=view, edit=[], fav_icon_urls={}))
