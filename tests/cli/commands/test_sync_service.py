"""`skyshelf sync install` and `uninstall`."""

from tests.cli.typing_commands import Typist


def test_a_service_is_printed_written_and_deleted(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    install = ("sync", "install", "here", "/there", "--system", "systemd")
    printed = typist.done(*install, "--print", "--", "--between", "22:00-06:00")
    assert f'"run" "{typist.desk / "here"}" "/there" "--watch" "--quiet" "--between" "22:00-06:00"' in printed
    units = typist.config.parent.parent / "systemd/user"
    assert not units.exists()
    assert "systemctl --user enable --now skyshelf-sync-here-" in typist.done(*install)
    (unit,) = units.iterdir()
    assert "ExecStart=" in unit.read_text()
    uninstall = ("sync", "uninstall", "here", "--system", "systemd")
    assert "systemctl --user disable --now" in typist.done(*uninstall)
    assert not unit.exists()
    assert typist.refused(*uninstall)[0] == 6
