"""`skyshelf account`: the password, the names, devices and sessions, and the end of an account."""

from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

from skyshelf.cli.commands.account import ConsentRecord, DeletionRecord, EventRecord, OwnDeviceRecord, StorageRecord
from skyshelf.cli.commands.login import AccountRecord

NEW = "a quite different password"


def test_the_password_can_be_changed_with_the_old_one(typist: Typist) -> None:
    assert typist.refused("account", "password", "--password-stdin", stdin=f"wrong\n{NEW}\n")[0] == 5
    assert typist.refused("account", "password", "--password-stdin", stdin=f"{PASSWORD}\nshort\n")[0] == 3
    assert typist.refused("account", "password")[0] == 2, "there is no terminal to ask at"
    typed = (("Old password", f"{PASSWORD}\n"), ("New password", f"{NEW}\n"), ("confirmation", f"{NEW}\n"))
    code, shown = typist.in_terminal("account", "password", answers=typed)
    assert (code, NEW in shown) == (0, False)
    typist.done("whoami")


def test_devices_are_listed_and_logged_out_by_name_or_key(typist: Typist) -> None:
    email = typist.person.account.email
    for profile in ("phone", "tablet"):
        login = ("login", "--server", typist.server, email, "--profile", profile, "--password-stdin")
        typist.done(*login, stdin=PASSWORD)
    (this,) = [one for one in typist.records(OwnDeviceRecord, "account", "devices") if one.is_this_one]
    others = [one for one in typist.records(OwnDeviceRecord, "account", "devices") if not one.is_this_one]
    assert len(others) >= 2
    assert this.device_key in typist.done("account", "devices")
    typist.done("account", "revoke", others[0].device_key)
    left = {one.device_key: one.is_logged_in for one in typist.records(OwnDeviceRecord, "account", "devices")}
    assert (left[others[0].device_key], left[others[1].device_key]) == (False, True)
    typist.done("account", "revoke", "--others")
    assert typist.refused("whoami", "--profile", "phone")[0] == 4
    typist.done("account", "revoke", "--others", "--forget")
    (one,) = typist.records(OwnDeviceRecord, "account", "devices")
    assert one.device_key == this.device_key
    assert typist.refused("account", "revoke", "No such device")[0] == 6
    assert typist.refused("account", "revoke")[0] == 2


def test_names_change_and_the_account_can_be_deleted_and_kept(typist: Typist) -> None:
    typist.done("account", "edit", "--first-name", "Augusta")
    assert typist.record(AccountRecord, "whoami").name.startswith("Augusta ")
    assert typist.refused("account", "edit")[0] == 2
    assert typist.refused("account", "delete", "--password-stdin", stdin=PASSWORD)[0] == 2, "it asks first"
    assert typist.refused("account", "delete", "--password-stdin", "--yes", stdin="wrong")[0] == 5
    typist.done("account", "delete", "--password-stdin", "--yes", stdin=PASSWORD)
    assert typist.record(AccountRecord, "whoami").deletes is not None
    assert "skyshelf account cancel-deletion" in typist.done("whoami")
    typist.done("account", "cancel-deletion")
    assert typist.record(AccountRecord, "whoami").deletes is None
    ended = typist.record(DeletionRecord, "account", "delete", "--password-stdin", "--yes", stdin=PASSWORD)
    assert ended.deletes


def test_an_operator_may_rewind_for_as_long_as_the_owner_agrees(typist: Typist) -> None:
    given = typist.record(ConsentRecord, "account", "allow-rewind", "--hours", "2")
    assert given.is_given
    assert given.expires is not None
    assert "once until" in typist.done("account", "allow-rewind")
    assert not typist.record(ConsentRecord, "account", "allow-rewind", "--withdraw").is_given
    assert typist.refused("account", "allow-rewind", "--hours", "169")[0] == 2


def test_the_storage_report_lists_what_takes_up_space(typist: Typist) -> None:
    typist.drive.add_file("film.mp4", bytes(5000))
    typist.drive.add_file("one.txt", b"same")
    typist.drive.add_file("two.txt", b"same")
    typist.write("notes.txt", b"first")
    typist.done("put", "notes.txt", "/")
    typist.write("notes.txt", b"second")
    typist.done("put", "notes.txt", "/")
    report = typist.record(StorageRecord, "account", "storage", "--top", "2")
    assert [one.name for one in report.largest] == ["film.mp4", "notes.txt"]
    assert [[one.name for one in group.files] for group in report.duplicates] == [["one.txt", "two.txt"]]
    assert [(one.file.name, one.versions, one.size_bytes) for one in report.old_versions] == [("notes.txt", 1, 5)]
    assert (report.videos_bytes, report.old_versions_bytes) == (5000, 5)
    shown = typist.done("account", "storage")
    assert "2 files of 4 B; 4 B could be freed" in shown
    assert "film.mp4" in shown
    kept = {one.kind: one for one in report.kept}
    assert (kept["objects"].used, kept["tags"].used, kept["historyBytes"].is_bytes) == (4, 0, True)
    assert f"tags 0 of {kept['tags'].limit:,}" in " ".join(shown.split())


def test_events_say_what_happened_and_from_where(typist: Typist) -> None:
    logins = typist.records(EventRecord, "account", "events", "--kind", "login")
    assert {one.kind for one in logins} == {"login"}
    assert all(one.by == "you" and one.address and one.device_key for one in logins)
    assert len(typist.records(EventRecord, "account", "events", "--limit", "1")) == 1
    assert "Logged in" in typist.done("account", "events")
