"""The place of a bulk download, open: its folders, what is known to be there, and what is yet to do."""

import os
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from skyshelf.client.download_plan import DownloadPlan
from skyshelf.client.download_state import BESIDE, DownloadState
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local_files import lock_file
from skyshelf.client.local_names import STATE_FOLDER
from skyshelf.client.open_folders import OpenFolders


class OpenDestination(Struct, frozen=True, kw_only=True):
    """Whose parts are closed by whoever has opened it."""

    folders: OpenFolders
    state: DownloadState
    plan: DownloadPlan


def open_destination(destination: Path, within: Path | None, opened: ExitStack) -> OpenDestination:
    """Open it for one run at a time; `opened` closes it."""
    folders = OpenFolders(destination, within)
    opened.callback(folders.close)
    own = folders.root.enter(STATE_FOLDER)
    opened.callback(own.close)
    lock = own.open_file("lock", create=True)
    opened.callback(os.close, lock)
    if not lock_file(lock):
        raise LocalFileError(f"another download into {destination} is running")
    for name in ("state.db", "plan.db"):
        # Opened and closed by us first: a link of that name would make the database write elsewhere.
        os.close(own.open_file(name, create=True))
        for beside in (name + suffix for suffix in BESIDE):
            if own.look(beside) is not None:
                os.close(own.open_file(beside, create=True))
    state = DownloadState(own.path / "state.db")
    opened.callback(state.close)
    plan = DownloadPlan(own.path / "plan.db")
    opened.callback(plan.close)
    # A database is opened by its path, which somebody may have led elsewhere in that moment.
    if not (own.is_at_its_path("state.db") and own.is_at_its_path("plan.db")):
        raise LocalFileError(f"{destination} was moved while it was opened: try again")
    return OpenDestination(folders=folders, state=state, plan=plan)
