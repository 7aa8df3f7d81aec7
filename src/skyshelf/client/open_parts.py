"""The parts that a bulk download is filling, each with its folder held open."""

from skyshelf.client.download_plan import PlannedFile
from skyshelf.client.local_names import part_name
from skyshelf.client.open_folders import OpenFolders
from skyshelf.client.part_file import PartFile


class OpenParts:
    """Opens them in any thread, and lets go of them on the event loop."""

    def __init__(self, folders: OpenFolders) -> None:
        self._folders = folders
        self._open: set[PartFile] = set()

    def open(self, file: PlannedFile) -> PartFile:
        """The part of a file, whose folder is made where it is missing."""
        folder = self._folders.take(file.folder)
        try:
            part = PartFile(folder, part_name(file.name, file.key))
        except BaseException:
            self._folders.give_back(file.folder)
            raise
        self._open.add(part)
        return part

    def release(self, file: PlannedFile, part: PartFile) -> None:
        """Done with it."""
        part.close()
        self._open.discard(part)
        self._folders.give_back(file.folder)

    def leave(self) -> None:
        """Give up what a run that was ended has open; parts stay where they are, for the next one."""
        while self._open:
            self._open.pop().close()
