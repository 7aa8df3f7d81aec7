"""`./dev bench`: run benchmarks one after the other, and write what they measured into docs/figures.md."""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from benchmarks.catalogue import CATALOGUE, Benchmark, benchmark
from benchmarks.page import with_run
from benchmarks.recording import VARIABLE, Run, recorded

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "figures.md"
KEPT = ROOT / "build" / "bench"
BUSY = 0.2
"""From how many cores' use on a run says that others were using the machine."""


def main() -> None:
    options = _parser().parse_args()
    names = [one.name for one in CATALOGUE] if options.all else options.only
    if not names:
        raise SystemExit("bench: name a benchmark, or run all of them with --all: ./dev bench --help lists them")
    if options.write and not options.recorded:
        _hint_if_changed()
    began, problems = time.monotonic(), []
    for name in dict.fromkeys(names):
        one = benchmark(name)
        run = _kept(name) if options.recorded else _measured(one, quick=options.quick)
        if options.write:
            PAGE.write_text(with_run(PAGE.read_text("utf-8"), run), "utf-8")
        problems += _problems(one, run)
    if not options.recorded:
        print(f"\nbench: {len(names)} of {len(CATALOGUE)} in {(time.monotonic() - began) / 60:.0f} min")
    for problem in problems:
        print(f"bench: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description="Run benchmarks, each beside its peers, and print their tables.",
        epilog="./dev bench NAME --help lists the options of one. What is missing is named; the exit status is 1 if a "
        "benchmark fails, or prints other tables than docs/figures.md has.",
    )
    parser.add_argument("--all", action="store_true", help="all of them; half an hour on two cores")
    names = [one.name for one in CATALOGUE]
    listed = f"one of them, may be repeated: {', '.join(names)}"
    parser.add_argument("--only", action="append", choices=names, default=[], metavar="NAME", help=listed)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/figures.md")
    parser.add_argument("--quick", action="store_true", help="a first look: everything small, figures that scatter")
    parser.add_argument("--recorded", action="store_true", help="measure nothing: write what the last run measured")
    return parser


def _hint_if_changed() -> None:
    command = ["git", "status", "--porcelain", "--untracked-files=no"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    if changed := [line[3:] for line in said if line[3:] != str(PAGE.relative_to(ROOT))]:
        print(f"bench: {len(changed)} files have changes without a commit ({changed[0]} …): the figures include them")


def _measured(one: Benchmark, *, quick: bool) -> Run:
    """Run a script in its own process; what it measured is kept for --recorded."""
    arguments = list(one.quick if quick else one.arguments)
    print(f"\n=== bench {' '.join([one.name, *arguments])}", flush=True)
    run = Run(one.name, arguments, _machine())
    KEPT.mkdir(parents=True, exist_ok=True)
    lines = KEPT / f"{one.name}.lines"
    lines.unlink(missing_ok=True)
    began = time.monotonic()
    command = [sys.executable, "-m", f"benchmarks.bench_{one.name}", *arguments]
    code = subprocess.run(command, cwd=ROOT, env=os.environ | {VARIABLE: str(lines)}, check=False).returncode
    recorded(lines, run)
    if code:
        run.failure = f"exit status {code}"
    print(f"=== bench {one.name}: {time.monotonic() - began:.0f} s", flush=True)
    (KEPT / f"{one.name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(run)))
    return run


def _kept(name: str) -> Run:
    path = KEPT / f"{name}.json"
    if not path.exists():
        raise SystemExit(f"bench: {name} has not been run here: ./dev bench --only {name}")
    return msgspec.json.decode(path.read_bytes(), type=Run)


def _machine() -> str:
    """What the figures depend on, and no date: they are of the code that they are committed with."""
    cores = os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    used = _used_by_others()
    use = f"of which others used {used:.1f}" if used > BUSY else "otherwise idle"
    return f"on {cores} cores, {use}, with {memory:.0f} GiB of memory and Python {platform.python_version()}"


def _used_by_others() -> float:
    """How many cores are in use while this program does nothing. The load average would count the benchmark before."""

    def used() -> float:
        user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split()[1:11])
        return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")

    before, began = used(), time.monotonic()
    time.sleep(2)
    return (used() - before) / (time.monotonic() - began)


def _problems(one: Benchmark, run: Run) -> list[str]:
    if run.failure:
        return [f"{one.name} failed: {run.failure}"]
    names = [table.name or table.title for table in run.tables]
    missing = [f"{one.name} printed no table '{name}'" for name in one.tables if name not in names]
    surplus = [name for name in names if name not in one.tables]
    return missing + [f"benchmarks/catalogue.py lacks '{name}' of {one.name}" for name in surplus]


if __name__ == "__main__":
    main()
