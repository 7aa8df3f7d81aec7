"""`./dev crash`: kill the service, fail its disk and cut its power, round after round, and look for a lost write."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from random import SystemRandom

import click
import msgspec
from tests.crash.figures import table, write_figures
from tests.crash.lane import Plan, Report

_UNITS = {"s": 1, "m": 60, "h": 3600}
_SHOWN_EVERY = 10.0
_GOOD_ENDS = {0, 128 + signal.SIGTERM, -signal.SIGTERM, -signal.SIGINT}
"""Exit codes of a lane that has ended, or that was told to stop."""
STACKS = {"embedded": ("embedded",), "scaled": ("scaled",), "both": ("embedded", "scaled")}


def _seconds(_context: click.Context, _parameter: click.Parameter, text: str | None) -> float:
    if text is None:
        return float("inf")
    number, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    try:
        return float(number) * _UNITS[unit]
    except ValueError:
        raise click.BadParameter("write 90s, 10m or 2h") from None


class RunningLane:
    """A process that runs one lane, and what it has said so far."""

    def __init__(self, plan: Plan) -> None:
        self.report = Report(plan.stack, plan.seed)
        self.loss = ""
        # JSON has no infinity; a lane without a limit of time has one of thirty years.
        asked = msgspec.json.encode(msgspec.structs.replace(plan, seconds=min(plan.seconds, 1e9)))
        command = [sys.executable, "-m", "tests.crash.lane_process", asked.decode()]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def is_running(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """Its servers die with it."""
        self.process.terminate()
        self.process.wait()
        self._listener.join()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(b'{"loss"'):
                self.loss = msgspec.json.decode(line)["loss"]
            else:
                self.report = msgspec.json.decode(line, type=Report)


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=100, show_default=True, help="rounds of each stack")
@click.option("--stack", type=click.Choice(list(STACKS)), default="both", show_default=True)
@click.option("--seed", type=int, help="the seed of an earlier run; default random")
@click.option("--faults/--no-faults", default=True, help="let calls to the disk fail as well  [default: on]")
@click.option("--time", "seconds", callback=_seconds, help="stop after 90s, 10m or 2h, whatever the rounds")
@click.option("--lanes", type=click.IntRange(1), default=1, show_default=True, help="stores per stack at the same time")
@click.option(
    "--epoch", type=click.IntRange(0), default=0, help="begin with this store of the seed, as a loss names it"
)
@click.option(
    "--lie",
    type=click.Choice(["files", "folders"]),
    help="let the disk only pretend to sync these: a loss must be found",
)
@click.option("--worst", is_flag=True, help="let a power cut lose all that no sync made durable, not a part of it")
@click.option("--write", is_flag=True, help="write the figures into docs/figures.md")
def main(
    rounds: int, stack: str, seed: int | None, faults: bool, seconds: float, lanes: int, epoch: int, lie: str | None,
    worst: bool, write: bool,
) -> None:  # fmt: skip
    """Run a real service under load and let it crash: SIGKILL at any moment or at a chosen call to the disk, a power
    cut that loses what no sync made durable, and a disk that fails with EIO, ENOSPC, short and torn writes. After every
    round everything that was acknowledged must be there, byte for byte; exits with 1 if it is not.

    \b
    Examples:
      ./dev crash                                         100 rounds on each stack
      ./dev crash --rounds 10000 --stack both --lanes 2   hours of it
      ./dev crash --stack embedded --seed 7 --epoch 12    the store of a reported loss again
      ./dev crash --lie files --stack embedded            the proof that a loss is found
    """
    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    share = [rounds // lanes + (number < rounds % lanes) for number in range(lanes)]
    plans = [
        Plan(name, seed + number, count, seconds, faults, lie or "", worst, epoch)
        for name in STACKS[stack]
        for number, count in enumerate(share)
        if count
    ]
    click.echo(f"crash: {rounds} rounds on {stack}, seed {seed}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    running = [RunningLane(plan) for plan in plans]
    try:
        _wait(running)
    except KeyboardInterrupt:
        click.echo("\nstopped", err=True)
    finally:
        for lane in running:
            lane.end()
    reports = [lane.report for lane in running]
    click.echo(table(reports))
    failed = [lane for lane in running if lane.loss or lane.process.returncode not in _GOOD_ENDS]
    for lane in failed:
        click.echo(lane.loss or f"the lane of {lane.report.stack} ended with {lane.process.returncode}", err=True)
    if write and not failed:
        write_figures(reports)
    sys.exit(1 if failed else 0)


def _wait(running: list[RunningLane]) -> None:
    """Until all have ended, or one has found a loss."""
    shown = time.monotonic()
    while any(lane.is_running() for lane in running) and not any(lane.loss for lane in running):
        time.sleep(0.1)
        if time.monotonic() - shown > _SHOWN_EVERY:
            shown = time.monotonic()
            rounds = Counter[str]()
            for lane in running:
                rounds[lane.report.stack] += lane.report.rounds
            done = ", ".join(f"{stack} {count:,} rounds" for stack, count in rounds.items())
            written = sum(sum(lane.report.acknowledged.values()) for lane in running)
            click.echo(f"  {done}; {written:,} operations acknowledged", err=True)


if __name__ == "__main__":
    main(prog_name="./dev crash")
