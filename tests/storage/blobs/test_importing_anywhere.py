"""The command line imports everywhere; the store itself runs where a server runs."""

import subprocess
import sys

ON_ANOTHER_SYSTEM = """
import concurrent.futures.thread, contextlib, dataclasses, hashlib, os, pathlib, re, secrets, stat, sys, typing
flags = ["O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK"]
for name in [*flags, "fdatasync", "pread", "pwrite", "register_at_fork"]:
    delattr(os, name)
sys.modules["fcntl"] = None
sys.platform = "win32"
import skyshelf.storage.blobs.disk
print("imported")
"""


def test_the_disk_store_can_be_imported_where_it_could_not_run() -> None:
    imported = subprocess.run(
        [sys.executable, "-c", ON_ANOTHER_SYSTEM], capture_output=True, text=True, timeout=30, check=False
    )
    assert imported.stdout == "imported\n", imported.stderr
