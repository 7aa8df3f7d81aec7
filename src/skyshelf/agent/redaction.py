"""Makes output safe to show: no credentials in any encoding, no invisible characters, untrusted text quoted."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from skyshelf.client.secrets import HELD, Secrets
from skyshelf.wire.text import can_carry_hidden_text, replace_invisible

NAMES_MAX: Final = 10
"""Names that a sentence lists at most."""
_NAME_CHARS_MAX: Final = 80

_BLANKS: Final = frozenset("\t\n\r\v\f\x85\u2028\u2029")


def strip_invisible(text: str) -> str:
    """The text without invisible characters; line breaks become spaces."""
    return replace_invisible(text, lambda character: " " if character in _BLANKS else "", can_carry_hidden_text)


def clean_texts(value: object, clean: Callable[[str], str] = strip_invisible) -> object:
    """The JSON value with `clean` applied to every text in it."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: clean_texts(inner, clean) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [clean_texts(inner, clean) for inner in value]
    return value


def quote_text(text: str, max_chars: int = _NAME_CHARS_MAX) -> str:
    """Untrusted text in guillemets, shortened; inner guillemets are replaced, so it cannot close its own quotes."""
    short = text if len(text) <= max_chars else f"{text[:max_chars]}…"
    return "«" + short.replace("«", "‹").replace("»", "›") + "»"


def quote_names(names: Sequence[str]) -> str:
    """The first names, quoted, and the number of the others."""
    listed = ", ".join(quote_text(name) for name in names[:NAMES_MAX])
    more = len(names) - NAMES_MAX
    return f"{listed} and {more} more" if more > 0 else listed


class Redactor:
    """Removes secrets from every text of a result. A secret once added stays secret."""

    def __init__(self) -> None:
        self._secrets = Secrets()

    def add_secrets(self, secrets: Iterable[str | None]) -> None:
        """Hide these from now on, in every encoding; values too short to be secrets are ignored."""
        self._secrets.add(secrets)

    def redact_text(self, text: str) -> str:
        """The text without secrets and invisible characters."""
        return HELD.hide(self._secrets.hide(strip_invisible(text)))

    def redact(self, value: object) -> object:
        """The JSON value with every text in it redacted."""
        return clean_texts(value, self.redact_text)

    def redact_lines(self, text: str) -> str:
        """The text without secrets and invisible characters, but with its line breaks and tabs."""
        lines = text.replace("\r\n", "\n").split("\n")
        shown = "\n".join("\t".join(strip_invisible(part) for part in line.split("\t")) for line in lines)
        return HELD.hide(self._secrets.hide(shown))
