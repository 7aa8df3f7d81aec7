"""A backup of the account beside the syncs: what it has once had, it has or keeps for good."""

from datetime import timedelta
from pathlib import Path

from tests.desktop.simulator.faults import Proxy
from tests.desktop.simulator.ledger import Violation, md5_of

from skyshelf.client.epochs import EpochFile
from skyshelf.client.local.names import STATE_FOLDER
from skyshelf.client.sync_client import Client


class Backup:
    """The copy, and what it has had so far."""

    def __init__(self, folder: Path, client: Client, proxy: Proxy) -> None:
        self.folder = folder
        self.proxy = proxy
        self._client = client
        self._had: set[str] = set()
        folder.mkdir()

    def run(self, *, accepts_state: bool = False, overwrite: bool = False) -> bool:
        """Run `skyshelf backup`; returns whether all went well."""
        epochs = EpochFile(self._client, self.folder / STATE_FOLDER / "server.json")
        epochs.check(accept=accepts_state, advice="")
        summary = self._client.download_all(
            self.folder,
            workers=1,
            overwrite=overwrite,
            keep_replaced=timedelta(days=90),
            stop_at_older=not (epochs.has_epochs or accepts_state),
        )
        if summary.stopped_by is not None:
            raise summary.stopped_by
        epochs.save()
        return summary.ok

    def contents(self) -> set[str]:
        """Return the hashes of everything in the copy, kept files too, without what is not complete."""
        return {
            md5_of(path.read_bytes())
            for path in self.folder.rglob("*")
            if path.is_file() and STATE_FOLDER not in path.parts and path.suffix != ".part"
        }

    def check(self) -> None:
        """Raise Violation where the copy has lost a content."""
        now = self.contents()
        if lost := self._had - now:
            raise Violation(f"the backup has lost {len(lost)} contents")
        self._had |= now
