"""`skyshelf sync omit` and `include`."""

from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.sync.selection import OmittedFolderRecord


def test_a_folder_stays_on_the_server_until_it_is_chosen_again(typist: Typist) -> None:
    typist.write("here/Videos/a.mp4", "film")
    typist.write("here/a.txt", "one")
    typist.done("sync", "here", "/there")
    typist.done("sync", "omit", "here/Videos")
    (one,) = typist.records(OmittedFolderRecord, "sync", "omit")
    assert (one.folder, one.path, one.is_here) == (str(typist.desk / "here"), "Videos", True)
    assert "stays on the server alone" in typist.done("sync", "here", "/there")
    assert not (typist.desk / "here/Videos").exists()
    assert not typist.records(OmittedFolderRecord, "sync", "omit")[0].is_here
    assert typist.done("cat", "/there/Videos/a.mp4") == "film"
    typist.done("sync", "include", "here/Videos")
    typist.done("sync", "here", "/there")
    assert (typist.desk / "here/Videos/a.mp4").read_text() == "film"
    assert typist.records(OmittedFolderRecord, "sync", "omit") == []


def test_files_and_the_folder_itself_cannot_stay_on_the_server(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.done("sync", "here", "/there")
    assert "only folders" in typist.refused("sync", "omit", "here/a.txt")[1]
    typist.refused("sync", "omit", "here")
    typist.refused("sync", "include", "here/Videos")
