"""Logging in, out, and who is logged in."""

import json
import stat

from tests.cli.typing_commands import Typist, without_colors
from tests.client.serving import PASSWORD

from skyshelf.cli.commands.login import AccountRecord, ProfileRecord


def test_a_login_is_stored_in_a_file_only_its_owner_can_read(stranger: Typist) -> None:
    shown = stranger.run(
        "login", "--server", stranger.server, stranger.person.account.email, "--password-stdin", stdin=PASSWORD + "\n"
    )
    assert shown.returncode == 0
    assert shown.stdout == ""
    assert "Logged in as Ada Byron" in shown.stderr
    assert stat.S_IMODE(stranger.config.stat().st_mode) == 0o600
    assert PASSWORD not in stranger.config.read_text()
    assert json.loads(stranger.done("whoami", "--json"))["email"] == stranger.person.account.email


def test_a_terminal_is_asked_for_the_password_and_does_not_show_it(stranger: Typist) -> None:
    code, shown = stranger.in_terminal(
        "login",
        "--server",
        stranger.server,
        stranger.person.account.email,
        answers=(("Password", PASSWORD + "\n"),),
    )
    assert code == 0, shown
    assert PASSWORD not in shown
    assert stranger.config.exists()


def test_a_wrong_password_is_refused_and_leaves_no_profile(stranger: Typist) -> None:
    code, said = stranger.refused(
        "login", "--server", stranger.server, stranger.person.account.email, "--password-stdin", stdin="wrong\n"
    )
    assert code == 4
    assert said.startswith("skyshelf: ")
    assert "wrong\n" not in said
    assert not stranger.config.exists()


def test_a_failed_login_does_not_take_the_login_that_works(typist: Typist) -> None:
    before = typist.config.read_text()
    typist.refused("login", typist.person.account.email, "--password-stdin", stdin="wrong\n")
    assert typist.config.read_text() == before
    typist.done("whoami")


def test_a_login_again_does_not_fill_the_list_of_devices(typist: Typist) -> None:
    before = len(typist.record(AccountRecord, "whoami").devices)
    typist.login()
    assert len(typist.record(AccountRecord, "whoami").devices) == before


def copied(typist: Typist) -> str:
    settings = typist.person.settings
    return (
        f"curl '{typist.server}/security/users' \\\n"
        "  -H 'Accept: application/json' \\\n"
        f"  -H 'Authorization: Basic {settings['auth_token']}' \\\n"
        f"  -H $'X-User-Id: {settings['user_id']}' \\\n"
        f"  -H 'x-device-key: {settings['device_key']}' \\\n  --compressed"
    )


def test_a_request_copied_from_a_browser_is_a_login(stranger: Typist) -> None:
    stranger.done("login", "--from-curl", stdin=copied(stranger))
    assert stranger.record(AccountRecord, "whoami").email == stranger.person.account.email


def test_a_copied_request_can_come_from_a_file(stranger: Typist) -> None:
    path = stranger.write("copied.txt", copied(stranger))
    kept = stranger.record(ProfileRecord, "login", "--curl-file", str(path))
    assert (kept.profile, kept.server, kept.is_default, kept.is_logged_in) == ("default", stranger.server, True, True)
    stranger.done("ls")


def test_a_copied_request_can_be_pasted_at_a_prompt(stranger: Typist) -> None:
    code, shown = stranger.in_terminal(
        "login", "--from-curl", answers=(("Paste", copied(stranger).replace("\\\n", "") + "\n\n"),)
    )
    assert code == 0, shown
    stranger.done("whoami")


def test_a_copied_request_without_a_session_is_refused_without_being_repeated(stranger: Typist) -> None:
    code, said = stranger.refused("login", "--from-curl", stdin="curl 'https://x.example/' -H 'Cookie: geheim'")
    assert code == 2
    assert "authorization" in said
    assert "geheim" not in said
    assert stranger.refused("login", "--from-curl", stdin="wget geheim")[0] == 2


def test_a_logout_ends_the_session_on_the_server_too(typist: Typist) -> None:
    before = typist.config.read_text()
    typist.done("logout")
    assert typist.refused("whoami")[0] == 2
    typist.config.write_text(before)
    code, said = typist.refused("whoami")
    assert code == 4
    assert "skyshelf login" in said


def test_profiles_are_logins_side_by_side(typist: Typist) -> None:
    typist.done(
        "login",
        "--profile",
        "work",
        "--server",
        typist.server,
        typist.person.account.email,
        "--password-stdin",
        stdin=PASSWORD,
    )
    found = typist.records(ProfileRecord, "profiles")
    assert [(one.profile, one.is_default) for one in found] == [("default", True), ("work", False)]
    assert typist.done("profiles", "--default", "work").splitlines()[1].startswith("*  work")
    typist.done("whoami", "--profile", "work")
    typist.done("profiles", "--remove", "default")
    assert [one.profile for one in typist.records(ProfileRecord, "profiles")] == ["work"]
    assert typist.refused("ls", "--profile", "home")[0] == 2


def test_whoami_shows_how_full_the_account_is(typist: Typist) -> None:
    typist.write("a.txt", "x" * 2048)
    typist.done("put", "a.txt")
    record = typist.record(AccountRecord, "whoami")
    assert record.usage.documents == record.used_bytes == 2048
    shown = typist.done("whoami")
    assert "Ada Byron" in shown
    assert "2 KiB of 100 GiB" in shown
    assert "devices:" in shown


def test_without_a_login_the_error_says_how_to_log_in(stranger: Typist) -> None:
    code, said = stranger.refused("ls")
    assert code == 2
    assert "skyshelf login" in said


def test_a_server_that_is_not_there_is_a_sentence_with_what_to_do(typist: Typist) -> None:
    typist.move_session("http://127.0.0.1:1")
    code, said = typist.refused("ls")
    assert code == 12
    assert "try again" in said
    assert len(said.strip().splitlines()) == 1
    shown = typist.run("ls", "--debug")
    assert "Traceback" in shown.stderr


def test_colours_come_only_where_they_are_wanted(typist: Typist) -> None:
    typist.done("mkdir", "/Photos")
    assert "\x1b" not in typist.done("ls")
    assert "\x1b" in typist.done("ls", "--color", "always")
    code, shown = typist.in_terminal("ls")
    assert code == 0
    assert "\x1b[34m" in shown
    assert without_colors(shown).strip() == "Photos/"
    typist.environment["NO_COLOR"] = "1"
    assert "\x1b[34m" not in typist.in_terminal("ls")[1]
