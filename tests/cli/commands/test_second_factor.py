"""`skyshelf account second-factor`, and logging in with a code: asked for at a terminal, or given by a script."""

import base64
import re
import time

from tests.cli.typing_commands import Typist, without_colors
from tests.client.serving import PASSWORD

from skyshelf.cli.commands.credentials import RecoveryCodesRecord, SecondFactorRecord
from skyshelf.service.accounts.login_codes import code_of, step_at

FACTOR = ("account", "second-factor")


def code_in(shown: str) -> str:
    """What the authenticator shows right now for the secret that was shown."""
    secret = re.search(r"Secret [^:]*: ([A-Z2-7]{32})", shown)
    assert secret, shown
    return code_of(base64.b32decode(secret[1]), step_at(time.time_ns() // 1_000_000))


def test_it_is_turned_on_at_a_terminal_and_logins_ask_for_a_code(typist: Typist) -> None:
    """One way through everything, since each command is a process."""
    answers = (("Password", f"{PASSWORD}\n"), ("Code from", lambda shown: f"{code_in(shown)}\n"))
    ended, shown = typist.in_terminal(*FACTOR, "on", answers=answers)
    assert ended == 0, shown
    assert PASSWORD not in shown
    plain = without_colors(shown)
    codes = re.findall(r"(?m)^(\w{4}-\w{4}-\w{4}-\w{4})\r?$", plain)
    assert len(codes) == 10
    assert "█▀▀▀▀▀█" in plain, "the corner of the picture for a phone"
    told = typist.record(SecondFactorRecord, "account", "second-factor", "status")
    assert (told.is_on, told.recovery_codes_left, told.since is None) == (True, 10, False)

    login = ("login", "--server", typist.server, typist.person.account.email, "--profile", "other")
    refused, said = typist.refused(*login, "--password-stdin", stdin=PASSWORD)
    assert (refused, "--code-stdin" in said) == (13, True), "a script can tell that a code is missing"
    assert typist.refused(*login, "--password-stdin", "--code-stdin", stdin=f"{PASSWORD}\n000\n")[0] == 4
    typist.done(*login, "--password-stdin", "--code-stdin", stdin=f"{PASSWORD}\n{codes[0]}\n")
    by_environment = typist.run(*login, "--password-stdin", stdin=PASSWORD, SKYSHELF_LOGIN_CODE=codes[1])
    assert by_environment.returncode == 0, by_environment.stderr
    asked = (("Password", f"{PASSWORD}\n"), ("Second-factor code", f"{codes[2]}\n"))
    ended, shown = typist.in_terminal(*login, answers=asked)
    assert ended == 0, shown
    assert codes[3] not in typist.config.read_text()

    both = f"{PASSWORD}\n{codes[3]}\n"
    new = typist.record(RecoveryCodesRecord, "account", "second-factor", "codes", "--password-stdin", stdin=both)
    assert len(set(new.recovery_codes)) == 10
    typist.done(*FACTOR, "off", "--password-stdin", stdin=f"{PASSWORD}\n{new.recovery_codes[0]}\n")
    assert "off" in typist.done(*FACTOR, "status")
