"""What an operator writes about promotions and banners, as it may be kept."""

import unicodedata
from urllib.parse import urlsplit

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import BadKey, clean_key
from skyshelf.wire.limits import DESCRIPTION_CHARS_MAX, LABEL_CHARS_MAX, TIME_MS_MAX


def clean_label(text: str, what: str) -> str:
    """One line that people can read."""
    cleaned = unicodedata.normalize("NFC", text.strip())
    if not cleaned or len(cleaned) > LABEL_CHARS_MAX or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, f"{what} needs 1 to {LABEL_CHARS_MAX} printable characters")
    return cleaned


def clean_text(text: str, what: str) -> str:
    """Any number of lines that people can read; none is fine too."""
    cleaned = unicodedata.normalize("NFC", text.strip())
    if len(cleaned) > DESCRIPTION_CHARS_MAX or not all(line.isprintable() for line in cleaned.split("\n")):
        raise ServiceError(codes.INVALID_REQUEST, f"{what} can have {DESCRIPTION_CHARS_MAX} printable characters")
    return cleaned


def clean_link(url: str, what: str) -> str:
    """A web address, or nothing: whatever else a client would open is not for an operator to send around."""
    cleaned = url.strip()
    parts = urlsplit(cleaned)
    if cleaned and (parts.scheme not in {"http", "https"} or not parts.netloc or not cleaned.isprintable()):
        raise ServiceError(codes.INVALID_REQUEST, f"{what} is written like https://example.org/picture.png")
    if len(cleaned) > DESCRIPTION_CHARS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"{what} can have {DESCRIPTION_CHARS_MAX} characters")
    return cleaned


def check_period(start_at: int, end_at: int) -> None:
    if not 0 <= start_at < end_at <= TIME_MS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, "It has to end after it begins")


def known_key(text: str) -> str | None:
    """The key in the one form that is stored; None for what cannot be one."""
    try:
        return clean_key(text)
    except BadKey:
        return None
