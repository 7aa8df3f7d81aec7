"""The words of public pages in the visitor's language: English is written in the templates, German is in
german.json."""

from datetime import date
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.sizes import format_size
from skyshelf.wire.times import from_epoch_ms

_LANGUAGES: Final = ("en", "de")
_ASKED_MAX: Final = 32
_MONTHS: Final = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "de": ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."),
}

GERMAN: Final = msgspec.json.decode((Path(__file__).parent / "german.json").read_bytes(), type=dict[str, str])


class Words:
    """One language; templates know it as `w`."""

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def __call__(self, text: str, /, **given: object) -> str:
        """Return the text in this language, with its gaps filled. The result is not HTML: templates escape it."""
        words = GERMAN[text] if self.language == "de" else text
        return words.format(**given) if given else words

    def day(self, ms: int) -> str:
        """Return a day as `6 May 2024` or `6. Mai 2024`, in UTC."""
        return self._date(from_epoch_ms(ms).date())

    def taken(self, stored: StoredObject) -> str | None:
        """Return the day on which a picture was taken, by the camera's clock."""
        return None if stored.taken_at is None else self._date(_taken_on(stored.taken_at, stored.taken_day))

    def size(self, size: int) -> str:
        text = format_size(size)
        return text.replace(".", ",") if self.language == "de" else text

    def number(self, count: int) -> str:
        text = f"{count:,}"
        return text.replace(",", ".") if self.language == "de" else text

    def items(self, count: int) -> str:
        return self("1 item") if count == 1 else self("{count} items", count=self.number(count))

    def photos(self, count: int) -> str:
        if count == 1:
            return self("1 photo or video")
        return self("{count} photos and videos", count=self.number(count))

    def _date(self, moment: date) -> str:
        dot = "." if self.language == "de" else ""
        return f"{moment.day}{dot} {_MONTHS[self.language][moment.month - 1]} {moment.year}"


def words_for(accept_language: str) -> Words:
    """Return the words in the browser's most preferred language that we have, or in English."""
    asked: list[tuple[float, str]] = []
    for entry in accept_language.split(",")[:_ASKED_MAX]:
        name, _, quality = entry.partition(";")
        language = name.strip().lower().partition("-")[0]
        if language in _LANGUAGES or language == "*":
            asked.append((_quality(quality), "en" if language == "*" else language))
    best = max(asked, key=lambda one: one[0], default=(0.0, "en"))
    return Words(best[1] if best[0] > 0 else "en")


def _quality(text: str) -> float:
    digits = text.strip().lower().removeprefix("q=")[:8]
    try:
        return min(1.0, max(0.0, float(digits))) if digits else 1.0
    except ValueError:
        return 0.0


def _taken_on(taken_at: int, taken_day: int | None) -> date:
    """Return the day a picture was taken; by the camera's clock it may differ from UTC, even in its year."""
    moment = from_epoch_ms(taken_at).date()
    if taken_day is None:
        return moment
    month, day = divmod(taken_day, 100)
    year = moment.year + (1 if month < moment.month - 6 else -1 if month > moment.month + 6 else 0)
    try:
        return date(year, month, day)
    except ValueError:
        return moment
