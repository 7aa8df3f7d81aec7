"""Shell completion for bash, zsh and fish: every name is completed as one word, quoted for its shell.

The shell's script passes the line up to the cursor in COMP_LINE. The response has one line per completion: type, text
and help, separated by tabs. `plain` is a complete word and `open` one that continues (a folder); `file` and `dir` let
the shell complete local names. Errors produce no output.
"""

import os
import re
import signal
from pathlib import Path
from typing import Final, NamedTuple

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

from skyshelf.cli.base.remote_paths import timeout_seconds

_BREAKS: Final = ":="
_PLAIN_IN_BASH: Final = re.compile(r"([^\w@%+=:,./-])")


class TypedLine(NamedTuple):
    """A line up to the cursor: complete words, the word being typed, and its open quote."""

    words: list[str]
    incomplete: str
    quote: str
    broken_at: int
    """How many characters of the last word precede the point where bash starts its own word."""


def read_line(line: str) -> TypedLine:
    """Split a line as a shell does; unlike `shlex`, it accepts an open quote at the end."""
    words: list[str] = []
    current: list[str] = []
    quote, begun, broken_at = "", False, 0
    characters = iter(line)
    for character in characters:
        if quote:
            if character == quote:
                quote = ""
            elif character == "\\" and quote == '"':
                following = next(characters, "")
                current.append(following if following in '"\\$`' else character + following)
            else:
                current.append(character)
        elif character in "\"'":
            quote, begun = character, True
        elif character == "\\":
            current.append(next(characters, ""))
            begun = True
        elif character.isspace():
            if begun:
                words.append("".join(current))
            current, begun, broken_at = [], False, 0
        else:
            current.append(character)
            begun = True
            if character in _BREAKS:
                broken_at = sum(map(len, current))
    return TypedLine(words, "".join(current), quote, broken_at)


class _LineCompletion(ShellComplete):
    """What all supported shells share."""

    def source(self) -> str:
        """The shell's script, which is in the file of its name."""
        template = Path(__file__).with_name(f"completion.{self.name}").read_text("utf-8")
        return template % self.source_vars()

    def get_completion_args(self) -> tuple[list[str], str]:
        self.typed = read_line(os.environ.get("COMP_LINE", ""))
        return self.typed.words[1:], self.typed.incomplete

    def complete(self) -> str:
        """The response; empty on errors and after the timeout."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
            signal.setitimer(signal.ITIMER_REAL, timeout_seconds())
        try:
            return super().complete()
        except Exception:  # noqa: BLE001 - an error message would garble the line being typed
            return ""

    def format_completion(self, item: CompletionItem) -> str:
        return "\t".join((item.type, self.quoted(str(item.value)), " ".join((item.help or "").split())))

    def quoted(self, value: str) -> str:
        """The text, quoted for the shell's script."""
        return value


class BashCompletion(_LineCompletion):
    """Bash inserts completions verbatim, so they are quoted here."""

    name = "bash"

    def quoted(self, value: str) -> str:
        typed = self.typed
        # click completes only the `/Ph` of `--to=/Ph`; bash starts a new word after = and : anyway.
        option, equals, _ = typed.incomplete.partition("=")
        dropped = len(option + equals) if option.startswith("-") and equals else 0
        rest = value[max(0, typed.broken_at - dropped) :]
        if typed.quote == "'":
            return rest.replace("'", "'\\''")
        if typed.quote == '"':
            return re.sub(r'(["\\$`])', r"\\\1", rest)
        return _PLAIN_IN_BASH.sub(r"\\\1", rest)


class ZshCompletion(_LineCompletion):
    """Zsh does its own quoting."""

    name = "zsh"


class FishCompletion(_LineCompletion):
    """Fish does its own quoting."""

    name = "fish"


SHELLS: Final = {kind.name: kind for kind in (BashCompletion, ZshCompletion, FishCompletion)}


def register() -> None:
    """Register these classes with click, replacing its built-in ones."""
    for kind in SHELLS.values():
        add_completion_class(kind)
