"""Make the sample of a release: a small store and a backup of it, which every later release must upgrade and restore.

`./dev release X.Y.Z` runs it. A sample is an archive with the folders `data` and `backup`, and beside it a JSON file
with what an account saw in it. Samples never change; git shows when one does.
"""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skyshelf.client import Client
from skyshelf.testing.server import TestServer, TestSession

FOLDER = Path(__file__).parent
EMAIL = "ada@example.org"
# A later release opens the sample years after it was made: nothing in it may have expired by then.
NOTHING_EXPIRES = ("--trash-days", "3650", "--history-days", "3650", "--changes-days", "3650")


def make_sample(version: str, target: Path = FOLDER) -> None:
    """Write the sample of a version into a folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = TestServer(folder / "data", *NOTHING_EXPIRES)
        with server, _client(server.add_account(EMAIL).session) as client:
            _fill(client, folder)
            seen = look(client)
        run_admin("backup", str(folder / "backup"), "--data", str(folder / "data"))
        for part in set(folder.iterdir()) - {folder / "data", folder / "backup"}:
            part.unlink()
        shutil.make_archive(str(target / version), "zip", folder)
    (target / f"{version}.json").write_text(json.dumps(seen, indent=2, sort_keys=True) + "\n", "utf-8")


@contextlib.contextmanager
def opened(data: Path) -> Iterator[Client]:
    """Serve a data folder, and log in to the account of the sample."""
    with TestServer(data) as server, _client(server.log_in(EMAIL)) as client:
        yield client


def _client(session: TestSession) -> Client:
    return Client(
        server=session.server, auth_token=session.auth_token, user_id=session.user_id, device_key=session.device_key
    )


def look(client: Client) -> dict[str, Any]:
    """Return what the account holds, as far as it stays the same from release to release."""
    kept = client.get("/Photos/2024/kept.txt")
    return {
        "files": {found.path: found.object.md5 for found in client.walk() if not found.object.is_folder},
        "folders": sorted(found.path for found in client.walk() if found.object.is_folder),
        "texts": {path: client.read(path).decode() for path in ("/Photos/2024/kept.txt", "/Zoë 🌊.txt")},
        "versions": [one.version for one in client.versions.list(kept).obj_versions or []],
        "trash": [found.name for found in client.trash.list()],
        "favorites": [found.name for found in client.favorites()],
        "tags": {
            tag.tag_name: [one.name for one in client.tags.objects(str(tag.tag_id))] for tag in client.tags.list()
        },
        "boards": [board.board_name for board in client.boards.list()],
        "shares": [share.share_name for share in client.shares.list()],
        "contacts": [contact.display_name for contact in client.contacts.list()],
        "found": [found.path for found in client.search("kept")],
        "changes": [entry.kind for entry in client.history.entries() if entry.object_key == kept.key],
    }


def run_admin(*arguments: str) -> None:
    """Run `skyshelf admin`; an exit code other than 0 is an error."""
    command = [sys.executable, "-c", "from skyshelf.cli.main import main; main()", "admin", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stdout}{done.stderr}"


def _fill(client: Client, folder: Path) -> None:
    client.create_path("/Photos/2024")
    for name, parent, content in (
        ("kept.txt", "/Photos/2024", "first"),
        ("kept.txt", "/Photos/2024", "second"),
        ("Zoë 🌊.txt", "/", "a name of many alphabets"),
        ("moved.txt", "/", "moved"),
        ("trashed.txt", "/", "trashed"),
        ("purged.txt", "/", "purged"),
        ("large.bin", "/", "0123456789abcdef" * 80_000),
    ):
        path = folder / "to-upload"
        path.write_text(content, "utf-8")
        client.upload(path, parent, name=name)
    client.move(["/moved.txt"], "/Photos")
    client.move_to_trash(["/purged.txt"])
    client.trash.empty()
    client.move_to_trash(["/trashed.txt"])
    client.set_favorite(["/Photos/2024/kept.txt"])
    client.tags.add("sea", ["/Photos/2024/kept.txt"])
    board = client.boards.create("Summer")
    client.boards.add_files(board.board_key, ["/Photos/moved.txt"])
    client.shares.create(["/Photos/2024/kept.txt"], name="A link")
    client.contacts.import_vcards("BEGIN:VCARD\nVERSION:3.0\nFN:Mary\nEND:VCARD\n")


if __name__ == "__main__":
    make_sample(sys.argv[1])
