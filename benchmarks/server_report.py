"""The tables of `./dev bench server`: figures, how ours compare with the best peer and the limit, and the aims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.server_measures import (
    AT_ONCE,
    FIRST,
    LESS_IS_BETTER,
    PER_REQUEST,
    PROCESS,
    READING,
    WRITING,
    Effort,
    Figures,
)
from benchmarks.server_ours import ON_POSTGRESQL, ON_SQLITE
from benchmarks.server_subjects import PAGE_OBJECTS
from benchmarks.tables import print_table, short

NGINX, COPYPARTY, RCLONE, WSGIDAV = "nginx", "copyparty", "rclone serve webdav", "WsgiDAV"
PEERS = (COPYPARTY, RCLONE, WSGIDAV)
"""Servers that people use for the same thing. nginx, which sends files and checks nothing, is a limit for reading."""
PLAIN = "plain files, written and synced"
MD5 = "MD5 alone"
NONE = "–"


@dataclass(frozen=True)
class Limits:
    """What the machine can do without any server."""

    synced_writes: float
    md5_mb: float


def show(figures: Sequence[Figures], effort: Effort, limits: Limits) -> None:
    by_name = {one.name: one for one in figures}
    _show_figures("reading", tuple(READING), figures, effort)
    _show_figures("writing", (*WRITING, *PROCESS), figures, effort, limits)
    print_table(
        "processor time of the server per request, µs",
        ["", *(column.removesuffix("/s") for column in PER_REQUEST)],
        [[one.name, *(_said(one[f"µs per {column}"]) for column in PER_REQUEST)] for one in figures],
        name="processor",
    )
    print_table(
        f"first look at {PAGE_OBJECTS:,} files of 100 KB, each once; the load is made by Python and takes as much",
        ["", "files/s", "processor µs"],
        [[one.name, _said(one[FIRST]), _said(one[f"µs per {FIRST}"])] for one in figures],
        name="first look",
    )
    print_table(
        "ours on SQLite beside the best of the others and the limit",
        ["", "Skyshelf", "best of the others", "", "ratio", "limit", "", "ratio"],
        list(comparison(by_name, limits, effort)),
        name="comparison",
    )
    print_table("aims", ["", "aim", "measured", ""], list(aims(by_name, limits)), name="aims")


def _show_figures(
    name: str, columns: Sequence[str], figures: Sequence[Figures], effort: Effort, limits: Limits | None = None
) -> None:
    titles = {
        "reading": f"reading: a page of {PAGE_OBJECTS:,} objects, one at a time and 8 at once; "
        f"{AT_ONCE} other requests at once",
        "writing": "writing, starting, memory",
    }
    rows = [[one.name, *(_said(one[column]) for column in columns)] for one in figures]
    if limits is not None:
        rest = [NONE] * (len(columns) - 2)
        rows.append([PLAIN, short(limits.synced_writes), NONE, *rest])
        rows.append([MD5, NONE, short(limits.md5_mb), *rest])
    print_table(titles[name], ["", *(_head(column, effort) for column in columns)], rows, name=name)


def comparison(by_name: Mapping[str, Figures], limits: Limits, effort: Effort) -> Iterator[list[str]]:
    """Ours, the best peer and the limit for each figure; a ratio above 1 is better."""
    ours = by_name[ON_SQLITE]
    bounds = {"100 KB up/s": (PLAIN, limits.synced_writes), "large up MB/s": (MD5, limits.md5_mb)}
    for column in (*READING, *WRITING):
        own = ours[column]
        others = [(by_name[peer][column], peer) for peer in PEERS if peer in by_name and _is(by_name[peer][column])]
        best = (min if column in LESS_IS_BETTER else max)(others, default=(float("nan"), "none was measured"))
        limit = bounds.get(column) or (NGINX, by_name[NGINX][column] if NGINX in by_name else float("nan"))
        beside = [[name, _said(value), _ratio(column, own, value)] for name, value in ((best[1], best[0]), limit)]
        yield [_head(column, effort), _said(own), *beside[0], *beside[1]]


def aims(by_name: Mapping[str, Figures], limits: Limits) -> Iterator[list[str]]:
    """Every aim has a row: one whose peer is missing says so."""
    sqlite, postgresql = by_name[ON_SQLITE], by_name[ON_POSTGRESQL]
    none = Figures("missing")

    def of(peer: str, column: str) -> float:
        return sqlite[column] / by_name.get(peer, none)[column]

    yield _aim("small requests, of copyparty's", 4, of(COPYPARTY, "small/s"), at_least=True)
    yield _aim("100 KB files, of rclone's", 1.5, of(RCLONE, "100 KB/s"), at_least=True)
    yield _aim("thumbnails, of rclone's files of the same size", 1.5, of(RCLONE, "thumbnails/s"), at_least=True)
    yield _aim("100 KB up, of copyparty's, which does not sync", 0.8, of(COPYPARTY, "100 KB up/s"), at_least=True)
    yield _aim("100 KB up, of rclone's, which does not sync", 0.8, of(RCLONE, "100 KB up/s"), at_least=True)
    yield _aim("large file up, of MD5's own speed", 0.9, sqlite["large up MB/s"] / limits.md5_mb, at_least=True)
    yield _aim(f"page of {PAGE_OBJECTS:,} objects, ms", 4, sqlite["page ms"])
    for column in ("pages/s", "small/s", "100 KB/s", "thumbnails/s"):
        yield _aim(f"PostgreSQL, of SQLite's {column}", 0.6, postgresql[column] / sqlite[column], at_least=True)
    yield _aim("memory at rest, MB", 60, sqlite["idle MB"])
    yield _aim("start to first response, s", 1.5, sqlite["start ms"] / 1000)
    yield _aim("large file down, of nginx's", 0.7, of(NGINX, "large MB/s"), at_least=True)


def _aim(what: str, aim: float, measured: float, *, at_least: bool = False) -> list[str]:
    bound = f"{'≥' if at_least else '≤'} {aim:g}"
    if not _is(measured):
        return [what, bound, NONE, "not measured"]
    return [what, bound, short(measured), "reached" if (measured >= aim if at_least else measured <= aim) else "missed"]


def _ratio(column: str, own: float, other: float) -> str:
    if not (_is(own) and _is(other)):
        return NONE
    return f"{short(other / own if column in LESS_IS_BETTER else own / other)} ×"


def _head(column: str, effort: Effort) -> str:
    return column.replace("large", effort.large)


def _said(number: float) -> str:
    return short(number) if _is(number) else NONE


def _is(number: float) -> bool:
    return number == number  # NaN is not
