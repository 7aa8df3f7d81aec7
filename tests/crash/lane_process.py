"""A lane as a process of its own: its servers inherit the failing disk, and its end takes them along."""

import shutil
import signal
import sys
import tempfile
from pathlib import Path

import msgspec
from tests.crash.lane import Lane, Loss, Plan, Report
from tests.temporary_folders import keep_in_memory


def main() -> None:
    """Read a plan from the arguments; print a report after each round, and a loss as a line of its own."""
    plan = msgspec.json.decode(sys.argv[1], type=Plan)
    # The servers have sessions of their own: whoever ends the lane leaves it time to end them.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    keep_in_memory()
    folder = Path(tempfile.mkdtemp(prefix=f"crash-{plan.stack}-"))
    folder.chmod(0o755)
    try:
        Lane(plan, folder, _say).run()
    except Loss as loss:
        sys.stdout.buffer.write(msgspec.json.encode({"loss": str(loss)}) + b"\n")
        sys.exit(1)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _say(report: Report) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
