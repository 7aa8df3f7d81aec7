"""The benchmarks, how large each is in a run of all, and the tables that each writes into docs/figures.md."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Benchmark:
    """One script, `benchmarks/bench_NAME.py`."""

    name: str
    tables: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    """Sizes for a run of all, which takes half an hour on two cores."""
    quick: tuple[str, ...] = ("--quick",)
    """Sizes for a first look."""


CATALOGUE = (
    Benchmark(
        "server",
        (
            "reading",
            "writing",
            "behind nginx",
            "workers",
            "small uploads",
            "large upload",
            "comparison",
            "processor",
            "first look",
            "aims",
        ),
    ),
    # Until there is a release, the version before the server became one pipeline.
    Benchmark(
        "versions", ("SQLite", "PostgreSQL"), ("--against", "7a4e2854"), ("--quick", "--against", "7a4e2854")
    ),
    Benchmark("dav", ("requests", "sync", "listing", "small PUT", "large PUT")),
    Benchmark("client", ("work", "limits", "imports")),
    Benchmark("cli", ("starts", "backup"), ("--files", "50000")),
    Benchmark("import", ("small files", "large files"), ("--files", "50000", "--photos", "150")),
    Benchmark("storage", ("SQLite", "PostgreSQL", "small blobs", "medium blobs", "hashes", "large blobs")),
    Benchmark("growth", ("SQLite",), ("--objects", "1000000"), ("--objects", "20000")),
    Benchmark(
        "crowd",
        ("SQLite and disk", "SQLite and disk, costs", "PostgreSQL and S3", "PostgreSQL and S3, costs", "at rest"),
    ),
    Benchmark("sizing", ("bytes", "recovery")),
    Benchmark("search", ("page",), ("--objects", "200000"), ("--objects", "10000")),
    Benchmark("changes", ("calls",), ("--objects", "200000"), ("--objects", "10000")),
    Benchmark("history", ("SQLite", "PostgreSQL")),
    Benchmark("alarm", ("attacks", "no attacks", "costs")),
    Benchmark("attacks", ("SQLite and disk", "PostgreSQL and S3")),
    Benchmark("rewind", ("SQLite and disk", "PostgreSQL and S3"), ("--objects", "50000"), ("--objects", "2000")),
    Benchmark("folder_etags", ("calls",), (), ("--files", "2000")),
    Benchmark(
        "trash", ("SQLite and disk", "PostgreSQL and S3"), ("--objects", "50000"), ("--objects", "2000")
    ),
    Benchmark(
        "backup",
        ("large files", "many files", "rows in PostgreSQL", "changed accounts", "restore into S3"),
        ("--large", "2", "--objects", "200000", "--postgresql", "50000", "--accounts", "200", "--restored", "5000"),
        (
            *("--large", "0.25", "--objects", "2000", "--postgresql", "1000", "--accounts", "100"),
            *("--restored", "200", "--rounds", "1"),
        ),
    ),
    Benchmark(
        "integrity", ("SQLite and disk", "scrub, SQLite and disk", "PostgreSQL and S3", "scrub, PostgreSQL and S3"),
        ("--seconds", "5"), ("--large", "64", "--seconds", "2"),
    ),
    Benchmark("upgrade", ("migrations",), (), ("--files", "2000")),
    Benchmark("agent", ("calls",)),
    Benchmark("web", ("budgets",), (), ("--rounds", "1")),
    Benchmark("http_clients", ("clients",), (), ("--requests", "2000")),
    Benchmark(
        "decisions",
        (
            "encoded rows", "group commit", "joint uploads", "thread hops", "routing", "known content",
            "protocols of the HTTP server",
        ),
    ),
)  # fmt: skip


def benchmark(name: str) -> Benchmark:
    return next(one for one in CATALOGUE if one.name == name)
