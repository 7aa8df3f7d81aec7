"""Validation of what an operator enters for promotions and banners."""

import unicodedata
from urllib.parse import urlsplit

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import BadKey, clean_key
from skyshelf.wire.limits import DESCRIPTION_CHARS_MAX, LABEL_CHARS_MAX, TIME_MS_MAX


def validate_label(text: str, what: str) -> str:
    """One line of printable text."""
    cleaned = unicodedata.normalize("NFC", text.strip())
    if not cleaned or len(cleaned) > LABEL_CHARS_MAX or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, f"{what} needs 1 to {LABEL_CHARS_MAX} printable characters")
    return cleaned


def validate_text(text: str, what: str) -> str:
    """Any number of lines of printable text, or none."""
    cleaned = unicodedata.normalize("NFC", text.strip())
    if len(cleaned) > DESCRIPTION_CHARS_MAX or not all(line.isprintable() for line in cleaned.split("\n")):
        raise ServiceError(
            codes.INVALID_REQUEST, f"{what} can have at most {DESCRIPTION_CHARS_MAX} printable characters"
        )
    return cleaned


def validate_url(url: str, what: str) -> str:
    """A web address, or nothing; other schemes could make clients open something unexpected."""
    cleaned = url.strip()
    parts = urlsplit(cleaned)
    if cleaned and (parts.scheme not in {"http", "https"} or not parts.netloc or not cleaned.isprintable()):
        raise ServiceError(
            codes.INVALID_REQUEST, f"{what} must be a web address such as https://example.org/picture.png"
        )
    if len(cleaned) > DESCRIPTION_CHARS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"{what} can have at most {DESCRIPTION_CHARS_MAX} characters")
    return cleaned


def check_period(start_at: int, end_at: int) -> None:
    if not 0 <= start_at < end_at <= TIME_MS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, "The end must be after the start")


def normalize_key(text: str) -> str | None:
    """The key in its stored form; None for what cannot be a key."""
    try:
        return clean_key(text)
    except BadKey:
        return None
