"""`./dev fuzz`: feed a parser with mutated inputs until the time is over."""

import sys
from pathlib import Path
from random import SystemRandom

import click
from tests.fuzz.engine import Failed, Fuzzer, Target, save_failure
from tests.fuzz.targets import CORPUS, TARGETS

_FAILURES = Path(__file__).parents[2] / "build" / "fuzz"
_UNITS = {"s": 1, "m": 60, "h": 3600}


def _seconds(_context: click.Context, _parameter: click.Parameter, text: str) -> float:
    number, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    try:
        return float(number) * _UNITS[unit]
    except ValueError:
        raise click.BadParameter("write 90s, 10m or 2h") from None


@click.command()
@click.argument("names", nargs=-1, metavar="[TARGET]...")
@click.option("--time", "seconds", default="60s", callback=_seconds, help="per target: 90s, 10m, 2h; default 60s")
@click.option("--all", "shared", is_flag=True, help="all targets, which share the time")
@click.option("--seed", type=int, help="the seed of an earlier run; default random")
def main(names: tuple[str, ...], seconds: float, shared: bool, seed: int | None) -> None:
    """Fuzz TARGETs, or all of them: known inputs are mutated, and those that reach new lines of the product are kept
    in tests/fuzz/corpus, which every test run replays. Commit what is new there.

    An input that breaks a promise is made shorter and written to build/fuzz. Fix the cause, then move the file to
    tests/fuzz/corpus/TARGET, so that it is tried for ever.
    """
    unknown = set(names) - TARGETS.keys()
    if unknown:
        raise click.UsageError(f"no such target: {', '.join(sorted(unknown))}; choose from: {', '.join(TARGETS)}")
    if shared:
        names, seconds = (), seconds / len(TARGETS)
    seed = SystemRandom().randrange(1 << 32) if seed is None else seed
    results = [_fuzz(TARGETS[name], seconds, seed) for name in names or TARGETS]
    sys.exit(0 if all(results) else 1)


main.epilog = "\b\nTargets:\n" + "\n".join(f"  {target.name:16} {target.about}" for target in TARGETS.values())


def _fuzz(target: Target, seconds: float, seed: int) -> bool:
    click.echo(f"{target.name}: {seconds:g} s, seed {seed}")
    with target.opened() as run:
        fuzzer = Fuzzer(target, run, CORPUS / target.name, seed=seed)
        try:
            report = fuzzer.run(seconds=seconds, keep=True)
            kept = fuzzer.prune()
        except Failed as found:
            failed = fuzzer.smallest(found)
            place = save_failure(_FAILURES / target.name, failed)
            click.echo(f"  {failed.reason}\n  {len(failed.data)} bytes in {place}: {failed.data[:80]!r}", err=True)
            return False
    click.echo(f"  {report.inputs:,} inputs, {report.lines:,} lines reached, {kept} inputs kept in the corpus")
    return True


if __name__ == "__main__":
    main(prog_name="./dev fuzz")
