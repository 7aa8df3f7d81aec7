"""Runs one command over and over and kills it, each time after another while.

A process of its own that has imported everything once and forks for every round: what is killed is a real process, and
a round costs little more than its while. The first round is left alone until it has made some file of a name, so that
there is something to go on from. `python -m tests.cli.killing ROUNDS SHORTEST LONGEST SEED NAME -- ARGUMENTS` prints
how many rounds were killed before they ended, and how often a round ended by itself in another way than well.
"""

import os
import random
import signal
import sys
from pathlib import Path

from tests.real_parts.readable import is_readable


def main() -> None:
    rounds, shortest, longest, seed, name, separator, *arguments = sys.argv[1:]
    assert separator == "--"
    chance = random.Random(int(seed))
    _import_everything()
    ends = [
        _killed_after(chance.uniform(float(shortest), float(longest)), arguments, until=None if number else name)
        for number in range(int(rounds))
    ]
    killed = ends.count(-signal.SIGKILL)
    print(killed, len([code for code in ends if code not in {0, -signal.SIGKILL}]))


def _import_everything() -> None:
    import skyshelf.cli.commands.backup
    import skyshelf.client.download.bulk.run
    import skyshelf.client.sync_client  # noqa: F401


def _killed_after(seconds: float, arguments: list[str], *, until: str | None) -> int:
    """The exit code of a round, which is left alone until a file fits."""
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        from skyshelf.cli.main import main as command

        try:
            command(arguments, standalone_mode=True)
        except SystemExit as end:
            os._exit(end.code if isinstance(end.code, int) else 1)
        os._exit(99)
    watched = os.pidfd_open(pid)
    try:
        while until is not None and not any(Path().glob(until)) and not is_readable(watched, 0.02):
            pass
        if not is_readable(watched, seconds):
            os.kill(pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        os.close(watched)


if __name__ == "__main__":
    main()
