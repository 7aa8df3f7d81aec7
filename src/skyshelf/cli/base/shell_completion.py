"""Shell completion for bash, zsh and fish: every name is completed as one word, quoted for its shell.

The shell's script passes the line up to the cursor in COMP_LINE. The response has one line per completion: type, text
and help, separated by tabs. `plain` is a complete word and `open` one that continues (a folder); `file` and `dir` let
the shell complete local names. Errors produce no output.
"""

import os
import re
import signal
from typing import Final, NamedTuple

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

from skyshelf.cli.base.remote_paths import timeout_seconds

_BREAKS: Final = ":="
_PLAIN_IN_BASH: Final = re.compile(r"([^\w@%+=:,./-])")

_BASH: Final = r"""%(complete_func)s() {
    local kind value help
    COMPREPLY=()
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) COMPREPLY+=("$value") ;;
            open) compopt -o nospace 2>/dev/null; COMPREPLY+=("$value") ;;
            file) compopt -o default 2>/dev/null ;;
            dir) compopt -o dirnames 2>/dev/null ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_ZSH: Final = r"""#compdef %(prog_name)s

%(complete_func)s() {
    local kind value help files dirs
    local -a plain shown open
    (( $+commands[%(prog_name)s] )) || return 1
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) plain+=("$value"); shown+=("$value${help:+  -- $help}") ;;
            open) open+=("$value") ;;
            file) files=1 ;;
            dir) dirs=1 ;;
        esac
    done < <(COMP_LINE="${(j: :)words[1,CURRENT]}" %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)
    (( $#open )) && compadd -U -V skyshelf -S '' -a open
    (( $#plain )) && compadd -U -V skyshelf -l -d shown -a plain
    [[ -n $files ]] && _path_files -f
    [[ -n $dirs ]] && _path_files -/
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

_FISH: Final = r"""function %(complete_func)s
    for line in (COMP_LINE=(commandline -cp) %(complete_var)s=fish_complete %(prog_name)s 2>/dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case plain open
                printf '%%s\t%%s\n' $parts[2] "$parts[3]"
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
        end
    end
end
complete --no-files --keep-order --command %(prog_name)s --arguments '(%(complete_func)s)'
"""


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
    source_template = _BASH

    def quoted(self, value: str) -> str:
        typed = self.typed
        # Of `--to=/Ph` click completes only `/Ph`; bash starts a new word after = and : anyway.
        dropped = len(typed.incomplete) - len(self._incomplete_of(typed.incomplete))
        rest = value[max(0, typed.broken_at - dropped) :]
        if typed.quote == "'":
            return rest.replace("'", "'\\''")
        if typed.quote == '"':
            return re.sub(r'(["\\$`])', r"\\\1", rest)
        return _PLAIN_IN_BASH.sub(r"\\\1", rest)

    @staticmethod
    def _incomplete_of(word: str) -> str:
        return word.partition("=")[2] if word.startswith("-") and "=" in word else word


class ZshCompletion(_LineCompletion):
    """Zsh does its own quoting."""

    name = "zsh"
    source_template = _ZSH


class FishCompletion(_LineCompletion):
    """Fish does its own quoting."""

    name = "fish"
    source_template = _FISH


SHELLS: Final = {kind.name: kind for kind in (BashCompletion, ZshCompletion, FishCompletion)}


def register() -> None:
    """Register these classes with click, replacing its built-in ones."""
    for kind in SHELLS.values():
        add_completion_class(kind)
